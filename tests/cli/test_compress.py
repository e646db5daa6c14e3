# SPDX-License-Identifier: Apache-2.0
"""mbn compress, and what the other verbs do with a student."""

import json
import signal
import subprocess
import time

import numpy as np
import pytest

QUICK = ["--hidden", "24,16", "--epochs", 200, "--patience", 200, "--batch-rows", 16,
         "--learning-rate", 0.01]


@pytest.fixture(scope="module")
def student(mbn, shared, tmp_path_factory):
    path = tmp_path_factory.mktemp("student") / "s.onnx"
    result = mbn("compress", shared.model, shared.rows, "-o", path, *QUICK, "--json")
    report = json.loads(result.stdout)
    assert report["sizes"] == [2, 24, 16, 2] and report["student"] == str(path)
    assert report["validation"]["rows"] == 8 and not report["stopped"]
    assert len(report["validation_loss"]) == report["epochs"]
    assert report["gflops"] > 0 and "GFLOP/s" in result.stderr
    return path


def test_transform(mbn, shared, student, tmp_path):
    mbn("transform", student, shared.rows, "-o", tmp_path / "s.npy", "--plot", tmp_path / "s.svg")
    mbn("transform", shared.model, shared.rows, "-o", tmp_path / "m.npy")
    mine, teacher = np.load(tmp_path / "s.npy"), np.load(tmp_path / "m.npy")
    assert mine.shape == teacher.shape
    residue = ((mine - teacher) ** 2).sum() / ((teacher - teacher.mean(0)) ** 2).sum()
    assert residue < 0.6
    lines = mbn("transform", student, shared.csv).stdout.splitlines()
    assert lines[0] == "component1,component2" and len(lines) == 161


def test_predict(mbn, shared, student, tmp_path):
    result = mbn("predict", student, shared.rows, "--truth", shared.labels, "-o", tmp_path / "l.npy",
                 "--json")
    mbn("predict", shared.model, shared.rows, "-o", tmp_path / "m.npy")
    assert json.loads(result.stdout)["accuracy"] > 0.5
    assert (np.load(tmp_path / "l.npy") == np.load(tmp_path / "m.npy")).mean() > 0.75


def test_info(mbn, shared, student):
    text = mbn("info", student).stdout
    model = json.loads(mbn("info", shared.model, "--json").stdout)
    report = json.loads(mbn("info", student, "--json").stdout)
    assert "layers: 2 -> 24 -> 16 -> 2" in text and "R^2" in text
    assert f"checksum {model['checksum']}" in text
    assert report["teacher"]["checksum"] == model["checksum"]
    assert report["teacher"]["options"] == model["options"]
    assert report["kind"] == "student" and report["weights"] == 3 * 24 + 25 * 16 + 17 * 2


def test_clusters(mbn, shared, tmp_path):
    mbn("compress", shared.model, shared.rows, "-o", tmp_path / "c.onnx", "--target", "clusters", *QUICK)
    lines = mbn("transform", tmp_path / "c.onnx", shared.rows).stdout.splitlines()
    assert lines[0] == "cluster1,cluster2"
    shares = np.array([line.split(",") for line in lines[1:]], dtype=float)
    assert np.allclose(shares.sum(1), 1, atol=1e-5)
    labels = [int(line) for line in mbn("predict", tmp_path / "c.onnx", shared.rows).stdout.split()[1:]]
    assert labels == list(shares.argmax(1))


def test_same_bytes_on_any_number_of_threads(mbn, shared, tmp_path):
    files = [tmp_path / f"{threads}.onnx" for threads in (1, 2, 3)]
    for threads, path in zip((1, 2, 3), files):
        mbn("compress", shared.model, shared.rows, "-o", path, *QUICK[:-1], 0.003, "--dropout", 0.1,
            "--augment", "jitter", "--threads", threads)
    assert files[0].read_bytes() == files[1].read_bytes() == files[2].read_bytes()


def test_interrupted_training_keeps_the_best_student(mbn, shared, tmp_path):
    path = tmp_path / "s.onnx"
    process = subprocess.Popen(
        mbn.command("compress", shared.model, shared.rows, "-o", path, "--hidden", "64", "--epochs",
                    100000, "--patience", 100000),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    _, talk = process.communicate(timeout=10)
    assert process.returncode == 130
    assert f"interrupted; the best student so far is kept; wrote {path}" in talk
    assert json.loads(mbn("info", path, "--json").stdout)["epochs"] > 1


def test_refusals(mbn, shared, student, save, tmp_path):
    def refused(*arguments, code=2):
        return mbn(*arguments, code=code).stderr

    assert "exists already" in refused("compress", shared.model, shared.rows, "-o", student, code=1)
    assert "hidden is 0" in refused("compress", shared.model, shared.rows, "-o", tmp_path / "s.onnx",
                                    "--hidden", "8,0")
    assert "is not a whole number" in refused("compress", shared.model, shared.rows, "-o",
                                              tmp_path / "s.onnx", "--hidden", "8,x")
    assert "no codes" in refused("transform", student, shared.rows, "--codes")
    assert "trained on 2" in refused("transform", student, save(np.zeros((4, 3))))
    (tmp_path / "cut.onnx").write_bytes(student.read_bytes()[:-5])
    for verb in ("transform", "predict"):
        assert "cut short" in refused(verb, tmp_path / "cut.onnx", shared.rows, code=1)
    assert "cut short" in refused("info", tmp_path / "cut.onnx", code=1)
    (tmp_path / "junk.onnx").write_bytes(b"hello")
    assert "not an ONNX file" in refused("info", tmp_path / "junk.onnx", code=1)
    assert "there is no such file" in refused("info", tmp_path / "none.onnx", code=1)
    assert not (tmp_path / "s.onnx").exists()
