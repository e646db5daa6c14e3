# SPDX-License-Identifier: Apache-2.0
"""Models in files, pickles and copies: always the same bytes."""

import copy
import pickle

import numpy as np
import pytest

import mbn
from compare import same


def test_save_and_load(net, rows, tmp_path):
    net.save(tmp_path / "net.mbn")
    back = mbn.MBNClustering.load(tmp_path / "net.mbn")
    assert same(back.transform(rows), net.embedding_)
    assert same(back.predict(rows), net.labels_)
    assert same(back.cluster_centers_, net.cluster_centers_)
    assert back.layers_ == net.layers_
    mine, theirs = net.get_params(), back.get_params()
    # What the rule said is settled, so that a network tells what it is.
    settled = dict.fromkeys(("n_directions", "feature_fraction", "decay", "scale"), "auto")
    assert mine == {**theirs, **settled} and theirs["n_directions"] is None
    assert [theirs[name] for name in ("feature_fraction", "decay", "scale")] == [0.5, 0.5, None]
    assert same(back.fit(rows).embedding_, net.embedding_)


def test_the_tool_reads_our_file(tool, net, rows, tmp_path):
    np.save(tmp_path / "rows.npy", rows)
    net.save(tmp_path / "net.mbn")
    tool("transform", tmp_path / "net.mbn", tmp_path / "rows.npy", "-o", tmp_path / "map.npy")
    assert same(np.load(tmp_path / "map.npy"), net.embedding_)


def test_we_read_the_tools_file(tool, net, rows, tmp_path):
    np.save(tmp_path / "rows.npy", rows)
    tool("fit", tmp_path / "rows.npy", "--clusters", 3, "--clusterings", 24, "--restarts", 4,
         "--seed", 3, "-o", tmp_path / "net.mbn")
    for cls in (mbn.MBN, mbn.MBNClustering):
        assert same(cls.load(tmp_path / "net.mbn").transform(rows), net.embedding_)


def test_golden_file(root):
    """A file that an earlier version of the library wrote."""
    old, new = (mbn.MBN.load(root / f"tests/golden/format-{version}.mbn") for version in (1, 2))
    rows = np.zeros((2, old.n_features_in_), np.float32)
    assert old.transform(rows).shape[0] == 2 and same(old.transform(rows), new.transform(rows))


def test_a_model_without_clusters_is_no_clustering(rows, small, tmp_path):
    mbn.MBN(**small).fit(rows).save(tmp_path / "net.mbn")
    with pytest.raises(ValueError, match="has no clusters"):
        mbn.MBNClustering.load(tmp_path / "net.mbn")


def test_existing_files_are_kept(net, tmp_path):
    path = tmp_path / "net.mbn"
    path.write_bytes(b"mine")
    with pytest.raises(FileExistsError, match="overwrite=True"):
        net.save(path)
    assert path.read_bytes() == b"mine"
    net.save(str(path), overwrite=True)
    assert path.read_bytes() == net.model_.to_bytes()


def test_errors_are_pythons(net, tmp_path):
    with pytest.raises(FileNotFoundError, match="absent.mbn") as caught:
        mbn.MBN.load(tmp_path / "absent.mbn")
    assert caught.value.errno == 2
    with pytest.raises(FileNotFoundError):
        net.save(tmp_path / "no-such-folder" / "net.mbn")
    (tmp_path / "text.mbn").write_text("this is not a model at all")
    with pytest.raises(ValueError, match="not an mbn model"):
        mbn.MBN.load(tmp_path / "text.mbn")
    with pytest.raises(TypeError):
        mbn.MBN.load(3)
    whole = net.model_.to_bytes()
    (tmp_path / "cut.mbn").write_bytes(whole[:-1])
    with pytest.raises(ValueError, match="cut.mbn"):
        mbn.MBN.load(tmp_path / "cut.mbn")


def test_pickle(net, rows):
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        data = pickle.dumps(net, protocol)
        back = pickle.loads(data)
        assert back.model_.to_bytes() == net.model_.to_bytes()
        assert same(back.transform(rows), net.embedding_) and same(back.labels_, net.labels_)
    assert net.model_.to_bytes() in data, "a pickle holds the bytes of the file"


def test_damaged_pickles_are_refused(net):
    data = bytearray(pickle.dumps(net))
    place = bytes(data).index(net.model_.to_bytes()) + len(net.model_.to_bytes()) - 1
    data[place] ^= 1
    with pytest.raises(ValueError, match="checksum"):
        pickle.loads(bytes(data))


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy])
def test_copy(how, net, rows):
    twin = how(net)
    assert twin is not net and same(twin.transform(rows), net.embedding_)
    twin.fit(rows[:100])
    assert same(net.transform(rows), net.embedding_), "refitting a copy must leave the original"


def test_pickle_in_a_pipeline(rows, small):
    pytest.importorskip("sklearn")
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    pipeline = make_pipeline(StandardScaler(), mbn.MBNClustering(3, **small)).fit(rows)
    back = pickle.loads(pickle.dumps(pipeline))
    assert same(back.predict(rows), pipeline.predict(rows))
    assert same(back.transform(rows), pipeline.transform(rows))


def test_joblib(net, rows, tmp_path):
    joblib = pytest.importorskip("joblib")
    joblib.dump(net, tmp_path / "net.joblib")
    assert same(joblib.load(tmp_path / "net.joblib", mmap_mode="r").transform(rows), net.embedding_)


def test_pickle_in_another_process(net, rows, python, tmp_path):
    (tmp_path / "net.pickle").write_bytes(pickle.dumps(net))
    np.save(tmp_path / "rows.npy", rows)
    out = python("""
        import pickle, sys, zlib, numpy
        net = pickle.load(open(sys.argv[1], "rb"))
        print(zlib.crc32(net.transform(numpy.load(sys.argv[2])).tobytes()))
    """, tmp_path / "net.pickle", tmp_path / "rows.npy")
    import zlib
    assert int(out) == zlib.crc32(net.embedding_.tobytes())
