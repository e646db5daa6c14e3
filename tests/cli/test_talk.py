# SPDX-License-Identifier: Apache-2.0
"""How the tool talks: streams, --quiet, --force, help, versions and mistyped words."""

import re
import subprocess

import numpy as np
import pytest


def test_version(mbn):
    first, *rest = mbn("--version").stdout.splitlines()
    assert re.fullmatch(r"mbn \d+\.\d+\.\d+", first)
    compiled, here, used = [line.split(" ", 2)[-1] for line in rest]
    compiled, here = [re.sub(r"^has ", "", names).split(", ") for names in (compiled, here)]
    assert set(here) <= set(compiled) and used in here


def test_help(mbn):
    result = mbn("--help")
    verbs = ("fit", "transform", "embed", "cluster", "predict", "compress", "evaluate", "plan", "info",
             "generate")
    for verb in verbs:
        assert verb in result.stdout
        assert "--json" in mbn(verb, "--help").stdout
    assert result.stderr == ""


def test_every_network_option_is_in_the_help(mbn):
    for verb in ("fit", "embed", "cluster", "plan"):
        text = mbn(verb, "--help").stdout
        for option in ("clusterings", "feature-fraction", "decay", "centroids", "clusters",
                       "components", "metric", "weighting", "scale", "directions", "excess", "recall",
                       "solver", "restarts", "seed", "threads", "memory-limit", "paper"):
            assert f"--{option}" in text


def test_no_verb(mbn):
    result = mbn(code=2)
    assert result.stdout == "" and "mbn --help" in result.stderr


@pytest.mark.parametrize("typed, meant", [("clutser", "cluster"), ("fitt", "fit"),
                                          ("tranform", "transform"), ("pridect", "predict"),
                                          ("generat", "generate")])
def test_mistyped_verb(mbn, typed, meant):
    result = mbn(typed, "x.npy", code=2)
    assert result.stdout == ""
    assert f"'{typed}'" in result.stderr and f"did you mean '{meant}'?" in result.stderr


def test_verb_like_nothing(mbn):
    result = mbn("xylophone", code=2)
    assert "did you mean" not in result.stderr and "mbn --help" in result.stderr


@pytest.mark.parametrize("typed, meant", [("--cluster", "--clusters"), ("--treads", "--threads"),
                                          ("--feature-fracton=0.5", "--feature-fraction"),
                                          ("--sclae", "--scale")])
def test_mistyped_option(mbn, shared, tmp_path, typed, meant):
    result = mbn("fit", shared.rows, "-o", tmp_path / "m.mbn", typed, 2, code=2)
    assert f"did you mean '{meant}'?" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_unknown_short_option(mbn, shared):
    assert "-z" in mbn("info", shared.model, "-z", code=2).stderr


def test_missing_argument(mbn):
    result = mbn("fit", "-o", "m.mbn", code=2)
    assert "DATA" in result.stderr and "mbn fit --help" in result.stderr


@pytest.mark.parametrize("option, value, words", [
    ("--decay", 1.5, ["decay", "1.5", "below 1"]),
    ("--decay", -0.5, ["decay", "above 0"]),
    ("--decay", 0, ["--decay is 0; it must be above 0 and below 1, or auto (chosen from"]),
    ("--decay", "half", ["--decay", "half"]),
    ("--decay", "", ["--decay"]),
    ("--centroids", 0, ["--centroids is 0; it must be from 1 to 2147483647, or auto (half of"]),
    ("--pool", "", ["--pool"]),
    ("--most-clusters", "auto", ["--most-clusters", "auto"]),
    ("--threads", 0, ["--threads is 0; it must be from 1 to 4096, or auto (one per core)"]),
    ("--memory-limit", 0, ["--memory-limit is 0", "or auto (what the machine has free)"]),
    ("--feature-fraction", 0, ["--feature-fraction is 0", "above 0"]),
    ("--feature-fraction", "nan", ["--feature-fraction is nan"]),
    ("--clusterings", 0, ["--clusterings is 0", "from 1"]),
    ("--clusterings", -3, ["--clusterings"]),
    ("--clusterings", "many", ["--clusterings", "many"]),
    ("--excess", -1, ["--excess is -1; it must be from 0 to 10"]),
    ("--excess", "far", ["--excess", "far"]),
    ("--recall", 0, ["--recall is 0; it must be above 0 and at most 1, or auto (not asked for)"]),
    ("--weighting", "idf", ["--weighting", "log-tfidf"]),
    ("--components", 70000, ["components", "65535"]),
    ("--metric", "minkowski", ["--metric", "cosine", "manhattan"]),
    ("--scale", "big", ["--scale", "standard"]),
    ("--solver", "magic", ["--solver", "lanczos"]),
    ("--threads", 100000, ["threads", "4096"]),
    ("--threads", -1, ["--threads"]),
    ("--seed", -1, ["--seed"]),
    ("--seed", 2**64, ["--seed"]),
    ("--memory-limit", "much", ["--memory-limit"]),
    ("--memory-limit", "1k", ["memory limit", "1 kB"]),
])
def test_option_out_of_range(mbn, shared, tmp_path, option, value, words):
    # A limit that cannot be met is a failure; everything else here is misuse.
    code = 1 if value == "1k" else 2
    result = mbn("fit", shared.rows, "-o", tmp_path / "m.mbn", option, value, code=code)
    for word in words:
        assert word in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_auto_is_the_default(mbn, shared, small, tmp_path):
    mbn("fit", shared.rows, "--clusters", 2, *small, "--centroids", "auto", "--components", "auto",
        "--threads", "auto", "--memory-limit", "auto", "-o", tmp_path / "m.mbn")
    assert (tmp_path / "m.mbn").read_bytes() == shared.model.read_bytes()


def test_standard_output_has_only_data(mbn, shared, small):
    result = mbn("embed", shared.rows, *small)
    lines = result.stdout.splitlines()
    assert lines[0] == "component1,component2" and len(lines) == 161
    np.array([line.split(",") for line in lines[1:]]).astype(float)
    assert "160 rows" in result.stderr
    labels = mbn("cluster", shared.rows, "--clusters", 2, *small).stdout.splitlines()
    assert labels[0] == "label" and set(labels[1:]) == {"0", "1"} and len(labels) == 161
    assert mbn("predict", shared.model, shared.rows).stdout.splitlines() == labels


def test_no_progress_without_a_terminal(mbn, shared, small, tmp_path):
    result = mbn("fit", shared.rows, *small, "-o", tmp_path / "m.mbn")
    assert "\r" not in result.stderr and "\033" not in result.stderr


def test_progress_on_a_terminal(mbn, shared, tmp_path):
    import os
    import pty

    ours, theirs = pty.openpty()
    process = subprocess.Popen(mbn.command("fit", shared.rows, "-o", tmp_path / "m.mbn"),
                               stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    seen = b""
    try:
        while part := os.read(ours, 4096):
            seen += part
    except OSError:  # how Linux says that the other end is closed
        pass
    os.close(ours)
    assert process.wait(timeout=60) == 0
    assert process.stdout.read() == b""
    process.stdout.close()
    assert b"layer 1 of" in seen and b"%" in seen


@pytest.mark.parametrize("verb", ["fit", "embed", "cluster", "transform", "predict", "generate"])
def test_quiet(mbn, shared, small, tmp_path, verb):
    arguments = {
        "fit": [shared.rows, *small],
        "embed": [shared.rows, *small],
        "cluster": [shared.rows, "--clusters", 2, *small, "--truth", shared.labels],
        "transform": [shared.model, shared.rows],
        "predict": [shared.model, shared.rows],
        "generate": ["moons"],
    }[verb]
    result = mbn(verb, *arguments, "-o", tmp_path / "out.npy", "--quiet")
    assert result.stdout == result.stderr == ""
    # Errors are said all the same.
    assert mbn(verb, *arguments, "-o", tmp_path / "out.npy", "--quiet", code=1).stderr != ""


@pytest.mark.parametrize("option", ["-o", "--model", "--embedding", "--plot"])
def test_existing_files_are_kept(mbn, shared, small, tmp_path, option):
    name = {"--model": "out.mbn", "--plot": "out.svg"}.get(option, "out.npy")
    out = tmp_path / name
    out.write_text("precious")
    command = ["cluster", shared.rows, "--clusters", 2, *small, option, out]
    result = mbn(*command, code=1)
    assert f"{out} exists already" in result.stderr and "--force" in result.stderr
    assert out.read_text() == "precious" and list(tmp_path.iterdir()) == [out]
    mbn(*command, "--force")
    assert out.read_bytes()[:8] != b"precious" and list(tmp_path.iterdir()) == [out]


def test_unknown_ending(mbn, shared, small, tmp_path):
    result = mbn("cluster", shared.rows, "--clusters", 2, *small, "-o", tmp_path / "labels.xyz",
                 "--model", tmp_path / "m.mbn", code=2)
    assert "'.xyz'" in result.stderr and ".npy" in result.stderr
    # Known before any work: the model, which could be written, is not left alone behind.
    assert list(tmp_path.iterdir()) == []


def test_no_file_called_dash(mbn, shared, small, tmp_path):
    """`-` is standard output everywhere; a verb that cannot use it says so."""
    for arguments in (["fit", shared.rows, "-o", "-"], ["embed", shared.rows, "--model", "-"],
                      ["cluster", shared.rows, "--clusters", 2, "--plot", "-"]):
        subprocess.run(mbn.command(*arguments, *small), cwd=tmp_path, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=60)
        assert list(tmp_path.iterdir()) == [], arguments


@pytest.mark.parametrize("first, second", [("-o", "--embedding"), ("--model", "-o"),
                                           ("--embedding", "--model"), ("--plot", "-o")])
def test_one_file_for_two_outputs(mbn, shared, small, tmp_path, first, second):
    """The second would replace the first, or fail after all the work."""
    out = tmp_path / "out.npy"
    for force in ([], ["--force"]):
        result = mbn("cluster", shared.rows, "--clusters", 2, *small, first, out, second, out,
                     *force, code=2)
        assert str(out) in result.stderr and list(tmp_path.iterdir()) == []


def test_dominating_column(mbn, save, small, tmp_path):
    """Wine's proline: one column in other units decides almost every distance."""
    random = np.random.default_rng(2)
    rows = random.normal(0, 1, (60, 13)).astype(np.float32)
    rows[:, 12] *= 300
    data = save(rows)
    result = mbn("fit", data, *small, "-o", tmp_path / "m.mbn")
    assert "note: column 13 carries" in result.stderr and "--scale standard" in result.stderr
    silent = mbn("fit", data, *small, "-o", tmp_path / "n.mbn", "--quiet")
    assert silent.stderr == ""
    report = mbn("fit", data, *small, "-o", tmp_path / "o.mbn", "--json", "--quiet")
    assert "--scale standard" in report.stdout
    scaled = mbn("fit", data, *small, "--scale", "standard", "-o", tmp_path / "p.mbn")
    assert "note" not in scaled.stderr
