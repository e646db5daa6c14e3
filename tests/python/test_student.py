# SPDX-License-Identifier: Apache-2.0
"""Students: what they say here, in the tool, and in ONNX Runtime."""

import inspect
import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import mbn
from compare import same
from mbn import _core

QUICK = {"hidden": [48, 32], "epochs": 40, "batch_rows": 32, "learning_rate": 0.005}


@pytest.fixture(scope="module")
def student(net, rows):
    return net.compress(rows, **QUICK)


def test_it_follows_its_teacher(net, rows, student):
    assert student.validation.r2 > 0.7 and student.training.r2 > 0.8
    assert student.validation.rows == 15 and student.training.rows == 285
    assert (student.predict(rows) == net.labels_).mean() > 0.95
    assert student.info["teacher_checksum"] == net.model_.checksum
    assert student.info["sizes"] == [12, 48, 32, 3]
    assert len(student.validation_loss) == student.info["epochs"]
    assert "12 -> 48 -> 32 -> 3" in repr(student)


def test_keywords_are_the_options():
    parameters = inspect.signature(mbn.MBN.compress).parameters
    assert {option["keyword"]: option["default"] for option in _core.compress_options()
            if option["name"] != "seed"} == {
        name: one.default for name, one in parameters.items()
        if name not in ("self", "X", "random_state")}


def test_files_pickles_and_the_tool(net, rows, student, tool, tmp_path):
    student.save(tmp_path / "s.onnx")
    with pytest.raises(FileExistsError):
        student.save(tmp_path / "s.onnx")
    net.save(tmp_path / "net.mbn")
    np.save(tmp_path / "rows.npy", rows)
    tool("compress", tmp_path / "net.mbn", tmp_path / "rows.npy", "-o", tmp_path / "t.onnx",
         "--hidden", "48,32", "--epochs", 40, "--batch-rows", 32, "--learning-rate", 0.005)
    assert (tmp_path / "s.onnx").read_bytes() == (tmp_path / "t.onnx").read_bytes()
    for other in (mbn.load_student(tmp_path / "s.onnx"), pickle.loads(pickle.dumps(student))):
        assert same(other.transform(rows), student.transform(rows))


def test_sparse_rows(net, rows, student):
    sparse = pytest.importorskip("scipy.sparse")
    assert same(student.transform(sparse.csr_matrix(rows)), student.transform(rows))
    assert same(student.transform(sparse.csr_matrix(rows)[:5]), student.transform(rows)[:5])


def test_wrong_arguments(net, rows, student):
    with pytest.raises(ValueError, match="dropout is 1.5; it must be at least 0 and below 1"):
        net.compress(rows, dropout=1.5)
    with pytest.raises(TypeError, match="hidden must be a list of whole numbers"):
        net.compress(rows, hidden=64)
    with pytest.raises(ValueError, match="hidden is 0"):
        net.compress(rows, hidden=[0])
    with pytest.raises(ValueError, match="5 features, but Student is expecting 12"):
        student.transform(rows[:, :5])
    with pytest.raises(mbn.NotFittedError):
        mbn.MBN().compress(rows)
    with pytest.raises(ValueError, match="no clusters"):
        mbn.MBN(n_clusterings=10).fit(rows).compress(rows, target="clusters")


def test_interrupt_keeps_the_best(net, rows):
    killer = threading.Thread(target=lambda: (time.sleep(2), os.kill(os.getpid(), signal.SIGINT)))
    killer.start()
    with pytest.warns(RuntimeWarning, match="best student so far"):
        student = net.compress(rows, hidden=[64], epochs=100_000, patience=100_000)
    killer.join()
    assert student.info["epochs"] > 1 and student.training is None


@pytest.mark.parametrize("weighting", ["counts", "log", "tfidf", "log-tfidf", "cells"])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_onnx_runtime_prepares_rows_as_the_teacher_does(small, weighting, metric, tmp_path):
    onnx = pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    generator = np.random.default_rng(3)
    counts = generator.poisson(generator.choice([0, 0.1, 2], size=(3, 60))[np.arange(300) % 3]).astype(np.float32)
    net = mbn.MBNClustering(3, metric=metric, weighting=weighting, n_directions=12, **small).fit(counts)
    student = net.compress(counts, **{**QUICK, "epochs": 3})
    student.save(tmp_path / "s.onnx")
    onnx.checker.check_model(onnx.load(tmp_path / "s.onnx"), full_check=True)
    counts[7] = 0
    said, = runtime.InferenceSession(tmp_path / "s.onnx").run(None, {"rows": counts})
    assert np.abs(said - student.transform(counts)).max() < 1e-4
    assert same(mbn.load_student(tmp_path / "s.onnx").transform(counts), student.transform(counts))


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("target", ["embedding", "clusters"])
def test_onnx_runtime_says_the_same(rows, small, metric, target, tmp_path):
    """ONNX Runtime's outputs are the library's, on 10,000 rows; the checker accepts the file."""
    onnx = pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    net = mbn.MBNClustering(3, metric=metric, **small).fit(rows)
    student = net.compress(rows, target=target, **{**QUICK, "epochs": 5})
    student.save(tmp_path / "s.onnx")
    onnx.checker.check_model(onnx.load(tmp_path / "s.onnx"), full_check=True)
    many = np.random.default_rng(1).normal(size=(10_000, 12)).astype(np.float32) * rows.std()
    many[7] = 0
    session = runtime.InferenceSession(tmp_path / "s.onnx")
    assert [one.name for one in session.get_inputs()] == ["rows"]
    assert session.get_outputs()[0].name == {"clusters": "probabilities"}.get(target, target)
    assert session.get_modelmeta().custom_metadata_map["teacher_checksum"] == net.model_.checksum
    said, = session.run(None, {"rows": many})
    assert np.abs(said - student.transform(many)).max() < 1e-4
