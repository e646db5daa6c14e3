# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C, and going on from a checkpoint."""

import signal
import subprocess
import time

import numpy as np
import pytest

# Seconds that the tool has to stop after a signal, on a busy machine.
PATIENCE = 5


@pytest.fixture(scope="module")
def long_rows(mbn, tmp_path_factory):
    """A fit of these rows takes many seconds."""
    folder = tmp_path_factory.mktemp("long")
    mbn("generate", "gaussians", "-n", 12000, "--columns", 20, "-o", folder / "x.npy")
    return folder / "x.npy"


def start(mbn, *arguments, **options):
    return subprocess.Popen(mbn.command(*arguments), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, **options)


def stop(process, number=signal.SIGINT):
    """Sends the signal and returns what the tool still said, once it has ended."""
    assert process.poll() is None, f"the fit was over too soon: {process.communicate()}"
    process.send_signal(number)
    try:
        process.wait(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        pytest.fail(f"the tool still ran {PATIENCE} seconds after the signal")
    return process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("wait", [0.3, 1.5])
def test_interrupted_fit(mbn, long_rows, tmp_path, number, wait):
    process = start(mbn, "cluster", long_rows, "--clusters", 3, "-o", tmp_path / "labels.npy",
                    "--model", tmp_path / "m.mbn")
    time.sleep(wait)
    stdout, stderr = stop(process, number)
    assert process.returncode == 130
    assert stdout == "" and "interrupted" in stderr
    assert list(tmp_path.iterdir()) == []


def test_interrupted_kmeans(mbn, long_rows, tmp_path):
    process = start(mbn, "cluster", long_rows, "--clusters", 300, "--restarts", 5000, "--raw", "-o",
                    tmp_path / "labels.npy", "--quiet")
    time.sleep(0.5)
    assert stop(process) == ("", "")
    assert process.returncode == 130 and list(tmp_path.iterdir()) == []


def test_interrupted_transform(mbn, long_rows, tmp_path):
    some, many = tmp_path / "some.npy", tmp_path / "many.npy"
    np.save(some, np.load(long_rows)[:400])
    np.save(many, np.tile(np.load(long_rows), (8, 1)))
    mbn("fit", some, "--decay", 0.9, "--clusterings", 60, "-o", tmp_path / "m.mbn")
    process = start(mbn, "transform", tmp_path / "m.mbn", many, "-o", tmp_path / "out.npy")
    time.sleep(0.5)
    stop(process)
    assert process.returncode == 130
    assert {path.name for path in tmp_path.iterdir()} == {"some.npy", "many.npy", "m.mbn"}


@pytest.mark.parametrize("solver, rows", [("lanczos", 12000), ("em", 12000), ("kernel", 500)])
def test_interrupted_projection(mbn, long_rows, tmp_path, solver, rows):
    """Narrow layers are done soon; many components take long. The kernel has as many rows as auto
    gives it: its eigenvalues cannot be interrupted."""
    some = tmp_path / "some.npy"
    np.save(some, np.load(long_rows)[:rows])
    checkpoint = tmp_path / "c.mbn"
    process = start(mbn, "embed", some, "--clusterings", 100, "--centroids", 60, "--components",
                    300, "--solver", solver, "-o", tmp_path / "out.npy", "--checkpoint", checkpoint)
    deadline = time.monotonic() + 30
    while not checkpoint.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(1)
    if process.poll() == 0:
        process.communicate()
        return  # so fast that nobody needs to interrupt it
    stop(process)
    assert process.returncode == 130
    assert {path.name for path in tmp_path.iterdir()} == {"some.npy", "c.mbn"}


def test_interrupted_while_waiting_for_input(mbn, tmp_path):
    """`mbn embed -` in a terminal, and nobody types: the first Ctrl-C ends it."""
    process = start(mbn, "embed", "-", "-o", tmp_path / "out.npy", stdin=subprocess.PIPE)
    time.sleep(0.5)
    stop(process)
    assert process.returncode in (130, -signal.SIGINT) and list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def deep(mbn, tmp_path_factory):
    """A fit of many layers, and the model it makes when nobody disturbs it."""
    folder = tmp_path_factory.mktemp("deep")
    mbn("generate", "gaussians", "-n", 500, "--columns", 6, "--seed", 2, "-o", folder / "x.npy")
    options = [folder / "x.npy", "--clusters", 3, "--clusterings", 120, "--decay", 0.9,
               "--restarts", 3]
    mbn("fit", *options, "-o", folder / "m.mbn")
    return options, (folder / "m.mbn").read_bytes()


def interrupt_after_a_layer(mbn, options, model, checkpoint):
    process = start(mbn, "fit", *options, "-o", model, "--checkpoint", checkpoint)
    deadline = time.monotonic() + 60
    while not checkpoint.exists() and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.002)
    stop(process)
    assert process.returncode == 130
    assert checkpoint.exists() and not model.exists()


def test_checkpoint(mbn, deep, tmp_path):
    options, expected = deep
    model, checkpoint = tmp_path / "m.mbn", tmp_path / "c.mbn"
    interrupt_after_a_layer(mbn, options, model, checkpoint)
    assert list(tmp_path.iterdir()) == [checkpoint]
    result = mbn("fit", *options, "-o", model, "--checkpoint", checkpoint)
    assert "going on after layer" in result.stderr and str(checkpoint) in result.stderr
    assert model.read_bytes() == expected
    assert list(tmp_path.iterdir()) == [model]  # the checkpoint has done its work


def test_checkpoint_of_another_fit(mbn, deep, tmp_path):
    options, _ = deep
    model, checkpoint = tmp_path / "m.mbn", tmp_path / "c.mbn"
    interrupt_after_a_layer(mbn, options, model, checkpoint)
    kept = checkpoint.read_bytes()
    result = mbn("fit", *options, "--seed", 9, "-o", model, "--checkpoint", checkpoint, code=2)
    assert "other options" in result.stderr and str(checkpoint) in result.stderr
    rows = np.load(options[0])
    rows[7, 2] += 1
    np.save(tmp_path / "other.npy", rows)
    result = mbn("fit", tmp_path / "other.npy", *options[1:], "-o", model, "--checkpoint",
                 checkpoint, code=2)
    assert "other data" in result.stderr
    result = mbn("transform", checkpoint, options[0], code=1)
    assert "checkpoint" in result.stderr
    assert checkpoint.read_bytes() == kept and not model.exists()


def test_checkpoint_that_is_none(mbn, deep, shared, tmp_path):
    options, _ = deep
    for content, word in ((shared.model.read_bytes(), "finished model"), (b"hello", "")):
        checkpoint = tmp_path / "c.mbn"
        checkpoint.write_bytes(content)
        result = mbn("fit", *options, "-o", tmp_path / "m.mbn", "--checkpoint", checkpoint, code=1)
        assert str(checkpoint) in result.stderr and word in result.stderr
        assert checkpoint.read_bytes() == content


def test_checkpoint_outlives_a_failed_save(mbn, deep, tmp_path):
    """Nothing is lost: while the model is not safe in its file, the checkpoint stays."""
    options, expected = deep
    checkpoint = tmp_path / "c.mbn"
    mbn("fit", *options, "-o", "/dev/full", "--checkpoint", checkpoint, code=1)
    assert checkpoint.exists()
    mbn("fit", *options, "-o", tmp_path / "m.mbn", "--checkpoint", checkpoint)
    assert (tmp_path / "m.mbn").read_bytes() == expected and not checkpoint.exists()


def test_a_mapped_file_that_is_cut_short_while_it_is_read(mbn, tmp_path):
    """The pages are gone, which the system tells by a signal: a message, and no output."""
    rows = tmp_path / "rows.npy"
    np.save(rows, np.random.default_rng(0).normal(size=(400_000, 64)).astype(np.float32))
    process = start(mbn, "embed", rows, "--pool", 2000, "--clusterings", 20, "-o", tmp_path / "out.npy")
    time.sleep(0.3)
    with open(rows, "r+b") as file:
        file.truncate(5_000_000)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 1, stderr
    assert stdout == "" and "became shorter" in stderr
    assert [path.name for path in tmp_path.iterdir()] == ["rows.npy"]
