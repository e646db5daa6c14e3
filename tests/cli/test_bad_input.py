# SPDX-License-Identifier: Apache-2.0
"""Bad input has a defined answer: a message with the file and the place, exit 1 or 2, and no output
that is half there."""

import gzip
import resource
import subprocess

import numpy as np
import pytest


@pytest.fixture
def refuse(mbn, tmp_path):
    """refuse(words, *arguments) runs a verb that must fail, say the words on standard error, print
    nothing, and leave no new file behind."""

    def run(words, *arguments, code=1, **options):
        before = sorted(tmp_path.iterdir())
        result = mbn(*arguments, code=code, **options)
        assert result.stderr.splitlines()[-1].startswith("mbn: ") and not result.stdout
        for word in words:
            assert str(word) in result.stderr
        assert sorted(tmp_path.iterdir()) == before
        return result

    return run


@pytest.fixture
def out(tmp_path):
    return ["-o", tmp_path / "out.npy"]


@pytest.mark.parametrize("cell", ["nan", "inf", "-inf", "NaN", "1e999"])
def test_not_finite_in_text(refuse, text, out, cell):
    data = text(f"a,b\n1,2\n3,4\n5,{cell}\n")
    refuse([f"{data}:4: ", "b"], "embed", data, *out)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_not_finite_in_an_array(refuse, save, out, value):
    rows = np.ones((30, 4), np.float32)
    rows[16, 2] = value
    data = save(rows)
    refuse([data, "row 17", "column 3"], "embed", data, *out)


def test_too_large_for_float32(refuse, save, out):
    rows = np.ones((30, 4))
    rows[3, 0] = 1e300
    data = save(rows)
    refuse([data, "row 4", "column 1"], "embed", data, *out)


def test_not_finite_at_transform(refuse, shared, save, out):
    rows = shared.array.copy()
    rows[5, 1] = np.nan
    data = save(rows)
    refuse([data, "row 6", "column 2"], "transform", shared.model, data, *out)


def test_missing_cell(refuse, text, out):
    data = text("1,2,3\n4,,6\n7,8,9\n")
    refuse([f"{data}:2: ", "column 2", "empty"], "embed", data, *out)


def test_ragged(refuse, text, out):
    data = text("1,2,3\n4,5,6\n7,8\n9,10,11\n")
    refuse([f"{data}:3: ", "2 cells", "3"], "embed", data, *out)


def test_not_a_number(refuse, text, out):
    data = text("1,2\n3,4\n5,six\n")
    refuse([f"{data}:3: ", "six"], "embed", data, *out)


@pytest.mark.parametrize("name", ["empty.csv", "empty.npy", "empty.npz", "empty", "empty.csv.gz"])
def test_empty_file(refuse, tmp_path, out, name):
    data = tmp_path / name
    data.write_bytes(b"")
    refuse([data], "embed", data, *out)


def test_header_only(refuse, text, out):
    data = text("height,width\n")
    refuse([data, "header"], "embed", data, *out)


def test_empty_standard_input(refuse, out):
    refuse(["empty"], "embed", "-", *out, input="")


@pytest.mark.parametrize("shape", [(0, 3), (5, 0)])
def test_empty_array(refuse, save, out, shape):
    data = save(np.ones(shape, np.float32))
    refuse([data], "embed", data, *out)


def test_one_row(refuse, save, out):
    data = save(np.ones((1, 3), np.float32))
    refuse(["1 row", "at least 2"], "embed", data, *out, code=2)


def test_missing_file(refuse, tmp_path, shared, out):
    data = tmp_path / "nowhere.npy"
    refuse([data, "No such file"], "embed", data, *out)
    refuse([data, "No such file"], "transform", data, shared.rows, *out)
    refuse([data, "No such file"], "cluster", shared.rows, "--clusters", 2, "--truth", data, *out)
    refuse([data, "No such file"], "info", data)


def test_a_folder_is_no_file(refuse, tmp_path, shared, out):
    refuse([tmp_path], "embed", tmp_path, *out)
    refuse([tmp_path], "info", tmp_path)


@pytest.mark.parametrize("keep", [4, 60, 127, 128, 1000, -1])
def test_truncated_array(refuse, shared, tmp_path, out, keep):
    data = tmp_path / "cut.npy"
    data.write_bytes(shared.rows.read_bytes()[:keep])
    refuse([data], "embed", data, *out)


def test_truncated_gzip(refuse, shared, tmp_path, out):
    data = tmp_path / "cut.csv.gz"
    data.write_bytes(gzip.compress(shared.csv.read_bytes())[:-20])
    refuse([data], "embed", data, *out)


def test_truncated_npz(refuse, shared, tmp_path, out):
    np.savez(tmp_path / "whole.npz", X=shared.array)
    data = tmp_path / "cut.npz"
    data.write_bytes((tmp_path / "whole.npz").read_bytes()[:-40])
    refuse([data], "embed", data, *out)


def test_foreign_file(refuse, root, shared, tmp_path, out):
    picture = tmp_path / "picture.csv"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)))
    refuse([picture], "embed", picture, *out)
    words = root / "docs" / "options.md"
    refuse([words], "embed", words, *out)
    refuse([words], "info", words)
    refuse([shared.rows, "mbn"], "info", shared.rows)
    refuse([shared.model], "embed", shared.model, *out)


def test_pickle_is_never_opened(refuse, tmp_path, out):
    data = tmp_path / "objects.npy"
    np.save(data, np.array([{"a": 1}, None], dtype=object), allow_pickle=True)
    refuse([data], "embed", data, *out)


def test_three_dimensions(refuse, save, out):
    data = save(np.ones((2, 3, 4), np.complex64))
    refuse([data], "embed", data, *out)


@pytest.mark.parametrize("keep", [0, 7, 8, 40, 3000, -1])
def test_truncated_model(refuse, shared, tmp_path, out, keep):
    model = tmp_path / "cut.mbn"
    model.write_bytes(shared.model.read_bytes()[:keep])
    refuse([model], "transform", model, shared.rows, *out)


def test_flipped_byte_in_a_model(refuse, shared, tmp_path):
    whole = shared.model.read_bytes()
    model = tmp_path / "damaged.mbn"
    model.write_bytes(whole)
    places = [*range(0, 40, 3), *np.random.default_rng(0).integers(40, len(whole), 60),
              len(whole) - 1]
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << (int(place) % 8)
        model.write_bytes(damaged)
        refuse([model], "info", model)


def test_one_byte_too_many(refuse, shared, tmp_path):
    model = tmp_path / "longer.mbn"
    model.write_bytes(shared.model.read_bytes() + b"\0")
    refuse([model], "info", model)


def test_labels_of_another_length(refuse, shared, save, out):
    labels = save(np.zeros(159, np.int32), "labels.npy")
    refuse([labels, "159 labels", "160 rows"], "cluster", shared.rows, "--clusters", 2, "--truth",
           labels, *out, code=2)
    refuse([labels, "159", "160"], "predict", shared.model, shared.rows, "--truth", labels, *out,
           code=2)
    refuse(["159", "160"], "evaluate", labels, "--truth", shared.labels, code=2)


def test_rows_of_another_number(refuse, shared, save):
    data = save(shared.array[:150])
    refuse(["160", "150"], "evaluate", shared.rows, "--data", data, code=2)


def test_more_clusters_than_rows(refuse, save, out):
    data = save(np.random.default_rng(0).random((20, 3)).astype(np.float32))
    for extra in ([], ["--raw"]):
        refuse(["clusters", "21", "20"], "cluster", data, "--clusters", 21, *extra, *out, code=2)
    refuse(["--clusters is 21", "20 rows"], "plan", data, "--clusters", 21, code=2)


def test_more_centroids_than_rows(refuse, save, out):
    data = save(np.random.default_rng(0).random((20, 3)).astype(np.float32))
    refuse(["--centroids is 21", "20 rows"], "embed", data, "--centroids", 21, *out, code=2)


def test_model_of_another_width(refuse, shared, save, out):
    data = save(np.ones((10, 3), np.float32))
    refuse(["3 columns", "trained on 2"], "transform", shared.model, data, *out, code=2)
    refuse(["3 columns", "trained on 2"], "predict", shared.model, data, *out, code=2)
    refuse(["3 columns", "trained on 2"], "evaluate", shared.model, "--data", data, "--correlation",
           code=2)


def test_model_and_data_swapped(refuse, shared, out):
    refuse([shared.rows], "transform", shared.rows, shared.model, *out)


def test_missing_folder(refuse, shared, small, tmp_path):
    nowhere = tmp_path / "nowhere"
    for option in ("-o", "--model", "--embedding", "--plot"):
        refuse([nowhere, "does not exist"], "cluster", shared.rows, "--clusters", 2, *small, option,
               nowhere / "out.npy")
    refuse([nowhere, "does not exist"], "fit", shared.rows, *small, "-o", tmp_path / "m.mbn",
           "--checkpoint", nowhere / "c.mbn")
    refuse([nowhere, "does not exist"], "generate", "moons", "-o", nowhere / "x.npy")


def test_full_device(refuse, shared, small):
    refuse(["/dev/full", "No space left"], "fit", shared.rows, *small, "-o", "/dev/full")


@pytest.mark.parametrize("arguments", [
    ["generate", "moons"], ["generate", "moons", "--json"], ["embed", "ROWS"],
    ["transform", "MODEL", "ROWS"], ["predict", "MODEL", "ROWS"], ["info", "MODEL"],
    ["info", "MODEL", "--json"], ["plan", "ROWS"], ["evaluate", "LABELS", "--truth", "LABELS"],
    ["options"]], ids=" ".join)
def test_full_standard_output(mbn, shared, arguments):
    """What did not arrive must not be taken for done."""
    files = {"ROWS": shared.rows, "MODEL": shared.model, "LABELS": shared.labels}
    with open("/dev/full", "w") as full:
        result = mbn(*(files.get(word, word) for word in arguments), code=1, stdout=full)
    assert "mbn: " in result.stderr


@pytest.mark.parametrize("verb", ["fit", "embed", "cluster", "generate"])
def test_no_room_for_a_file(mbn, shared, small, tmp_path, verb):
    """A file that may not grow beyond 100 bytes stands for a full disk: nothing is left of it."""
    arguments = {"fit": [shared.rows, *small], "embed": [shared.rows, *small],
                 "cluster": [shared.rows, "--clusters", 2, *small], "generate": ["moons"]}[verb]
    # Python ignores SIGXFSZ and, without restore_signals, so does the tool: writing just fails.
    result = mbn(verb, *arguments, "-o", tmp_path / "out.npy", code=1, restore_signals=False,
                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
    assert str(tmp_path / "out.npy") in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_read_only_folder(refuse, shared, small):
    """/proc takes no new files, not even from root."""
    refuse(["/proc/out.mbn"], "fit", shared.rows, *small, "-o", "/proc/out.mbn")


@pytest.mark.parametrize("rows", [
    np.random.default_rng(0).random((20, 3)),
    np.random.default_rng(0).random((20, 1)),
    np.random.default_rng(0).random((2, 2)),
    np.random.default_rng(0).random((3, 50)),
    np.ones((20, 3)),
    np.repeat(np.random.default_rng(0).random((2, 3)), 20, axis=0),
    np.c_[np.random.default_rng(0).random((20, 2)), np.zeros(20)],
    np.random.default_rng(0).random((20, 3)) * 1e30,
    np.random.default_rng(0).random((20, 3)) * 1e-30,
], ids=["tiny", "one column", "two rows", "three rows", "all equal", "duplicates",
        "constant column", "huge", "minute"])
@pytest.mark.parametrize("options", [[], ["--scale", "standard"], ["--scale", "minmax"],
                                     ["--metric", "cosine"], ["--solver", "em"],
                                     ["--solver", "lanczos"]], ids=" ".join)
def test_odd_data_works(mbn, save, tmp_path, rows, options):
    data = save(rows.astype(np.float32))
    model, labels, embedding = (tmp_path / name for name in ("m.mbn", "l.npy", "e.npy"))
    mbn("cluster", data, "--clusters", 2, "--clusterings", 20, "--restarts", 3, *options, "-o",
        labels, "--model", model, "--embedding", embedding)
    result = np.load(embedding)
    assert result.shape == (len(rows), 2) and np.isfinite(result).all()
    assert set(np.load(labels)) <= {0, 1}
    mbn("predict", model, data, "-o", tmp_path / "again.npy")
    assert (tmp_path / "again.npy").read_bytes() == labels.read_bytes()
    _, firsts, which = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    np.testing.assert_array_equal(result, result[firsts][which])  # equal rows, equal places


def test_tiny_data_shrinks_the_schedule(mbn, save):
    import json

    data = save(np.random.default_rng(0).random((20, 3)).astype(np.float32))
    report = json.loads(mbn("cluster", data, "--clusters", 2, "--decay", 0.5, "--json").stdout)
    assert report["layers"] == [10, 5] and sum(report["cluster_sizes"]) == 20
    assert json.loads(mbn("embed", data, "--json").stdout)["layers"] == [10]


def test_zero_rows_with_cosine(mbn, save):
    rows = np.random.default_rng(0).random((20, 3)).astype(np.float32)
    rows[4] = rows[9] = 0
    lines = mbn("embed", save(rows), "--metric", "cosine", "--clusterings", 20).stdout.splitlines()
    assert len(lines) == 21 and lines[5] == lines[10] and "nan" not in "".join(lines)


def test_memory_limit_that_cannot_be_met(refuse, save, out):
    data = save(np.random.default_rng(0).random((500, 20)).astype(np.float32))
    refuse(["memory limit", "1 MB"], "embed", data, "--memory-limit", "1M", *out)
    refuse(["memory limit"], "plan", data, "--memory-limit", "1M")


@pytest.mark.parametrize("command", ["generate moons -n 200000", "embed ROWS --clusterings 20"])
def test_pipe_that_closes_early(mbn, shared, command):
    """`| head` ends the tool quickly and without a word."""
    words = [shared.rows if word == "ROWS" else word for word in command.split()]
    tool = subprocess.Popen(mbn.command(*words, "--quiet"), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)
    head = subprocess.run(["head", "-n", "2"], stdin=tool.stdout, stdout=subprocess.PIPE,
                          timeout=30)
    tool.stdout.close()
    talk = tool.stderr.read()
    tool.stderr.close()
    tool.wait(timeout=30)
    assert len(head.stdout.splitlines()) == 2
    assert b"terminate" not in talk and b"unexpected" not in talk and len(talk.splitlines()) <= 1
