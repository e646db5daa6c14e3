# SPDX-License-Identifier: Apache-2.0
"""The same data, options and seed give the same bytes here and in the tool."""

import json

import numpy as np
import pytest

import mbn

CASES = {
    "defaults": {},
    "clusters": {"n_clusters": 3, "restarts": 4},
    "unknown": {"n_clusters": "unknown", "n_centroids": "auto"},
    "find": {"n_clusters": "find", "most_clusters": 5, "decay": "auto"},
    "cosine": {"metric": "cosine", "scale": "standard", "n_components": 3},
    "minmax": {"scale": "minmax", "decay": 0.7, "feature_fraction": 0.8},
    "exact": {"engine": "exact", "n_centroids": 60, "random_state": 2**40},
    "pool": {"pool": 120, "recall": 0.9, "excess": 0.1, "solver": "em"},
    "directions": {"n_directions": 5},
    "directions-cosine": {"n_directions": 4, "metric": "cosine"},
}


def flags(parameters):
    words = {"n_clusters": "clusters", "n_components": "components", "n_centroids": "centroids",
             "n_clusterings": "clusterings", "n_directions": "directions", "random_state": "seed"}
    return [part for key, value in parameters.items()
            for part in ("--" + words.get(key, key).replace("_", "-"), value)]


@pytest.mark.parametrize("dtype", ["float32", "float64", "uint8", "int16"])
@pytest.mark.parametrize("case", CASES)
def test_embed(tool, tmp_path, rows, case, dtype):
    if dtype in ("uint8", "int16"):
        data = ((rows - rows.min()) / np.ptp(rows) * 255).astype(dtype)
    else:
        data = rows.astype(dtype) + (np.pi if dtype == "float64" else 0)
    parameters = {"n_clusterings": 24, "random_state": 3, **CASES[case]}
    np.save(tmp_path / "rows.npy", data)
    tool("embed", tmp_path / "rows.npy", *flags(parameters), "-o", tmp_path / "map.npy", "--model",
         tmp_path / "tool.mbn", "--threads", 1)

    net = mbn.MBN(**parameters, n_jobs=2)
    embedding = net.fit_transform(data)
    net.save(tmp_path / "python.mbn")
    assert (tmp_path / "python.mbn").read_bytes() == (tmp_path / "tool.mbn").read_bytes()
    assert embedding.tobytes() == np.load(tmp_path / "map.npy").tobytes()
    assert net.transform(data).tobytes() == embedding.tobytes()


def test_the_means_of_a_model_fill_new_rows(tool, tmp_path):
    lines = "".join(f"{i},{i % 3 * 10}\n" for i in range(40))
    (tmp_path / "holes.csv").write_text("a,b\n" + lines + ",10\n")
    (tmp_path / "new.csv").write_text("a,b\n,20\n1000,10\n")
    tool("embed", tmp_path / "holes.csv", "--missing", "mean", "--clusterings", 24, "--model", tmp_path / "m.mbn")
    tool("transform", tmp_path / "m.mbn", tmp_path / "new.csv", "--missing", "mean", "-o", tmp_path / "new.npy")
    net = mbn.MBN.load(tmp_path / "m.mbn")
    assert net.column_means_[0] == 19.5
    with pytest.warns(mbn.MBNNote, match="the means of the training rows"):
        table = mbn.read(tmp_path / "new.csv", missing="mean", means=net.column_means_)
    assert table.rows[0].tolist() == [19.5, 20]
    assert net.transform(table.rows).tobytes() == np.load(tmp_path / "new.npy").tobytes()
    assert not hasattr(net.fit(table.rows.repeat(5, axis=0)), "column_means_")


def test_all_defaults(tool, tmp_path, rows):
    np.save(tmp_path / "rows.npy", rows)
    tool("fit", tmp_path / "rows.npy", "-o", tmp_path / "tool.mbn")
    mbn.MBN().fit(rows).save(tmp_path / "python.mbn")
    assert (tmp_path / "python.mbn").read_bytes() == (tmp_path / "tool.mbn").read_bytes()


def test_the_paper(tool, tmp_path, rows):
    np.save(tmp_path / "rows.npy", rows)
    tool("fit", tmp_path / "rows.npy", "--paper", "--decay", 0.3, "-o", tmp_path / "tool.mbn")
    mbn.MBN(**{**mbn.paper(), "decay": 0.3}).fit(rows).save(tmp_path / "python.mbn")
    assert (tmp_path / "python.mbn").read_bytes() == (tmp_path / "tool.mbn").read_bytes()


@pytest.mark.parametrize("weighting", ["counts", "log", "tfidf", "log-tfidf", "cells"])
def test_weighted_counts(tool, tmp_path, weighting):
    """A SciPy matrix here, its .npz file there; with many columns, so that there are directions."""
    sparse = pytest.importorskip("scipy.sparse")
    random = np.random.default_rng(3)
    counts = random.poisson(random.gamma(0.05, 1, (3, 250))[np.arange(150) % 3]).astype(np.float32)
    counts[:, 0] += 1  # no row is empty
    matrix = sparse.csr_matrix(counts)
    sparse.save_npz(tmp_path / "counts.npz", matrix)
    options = {"weighting": weighting, "metric": "cosine", "n_clusterings": 24}
    net = mbn.MBN(**options)
    embedding = net.fit_transform(matrix)
    assert (net.n_directions_ > 0) == (weighting != "counts")
    tool("embed", tmp_path / "counts.npz", *flags(options), "-o", tmp_path / "map.npy")
    assert embedding.tobytes() == np.load(tmp_path / "map.npy").tobytes()
    assert net.transform(matrix[7:9]).tobytes() == embedding[7:9].tobytes()
    if weighting != "counts":
        with pytest.raises(ValueError, match="is for counts, which are 0 or more"):
            net.transform(-matrix)


@pytest.mark.parametrize("word", ["unknown", 3])
def test_the_word_for_clusters_in_a_file(tool, tmp_path, rows, word):
    """The same in Python, in the tool and in the file itself."""
    mbn.MBN(n_clusters=word, n_clusterings=20).fit(rows).save(tmp_path / "net.mbn")
    told = json.loads(tool("info", tmp_path / "net.mbn", "--json").stdout)["options"]
    net = mbn.MBN.load(tmp_path / "net.mbn")
    assert told["clusters"] == net.n_clusters == net.model_.options["clusters"] == word
    assert told["components"] == "auto" and net.n_components is None
    header = (tmp_path / "net.mbn").read_bytes()
    size = int.from_bytes(header[:8], "little")
    stored = json.loads(json.loads(header[8:8 + size])["__metadata__"]["options"])
    assert stored["clusters"] == word and stored["components"] == "auto"



def test_cluster(tool, tmp_path, rows):
    np.save(tmp_path / "rows.npy", rows)
    tool("cluster", tmp_path / "rows.npy", "--clusters", 3, "--seed", 5, "-o",
         tmp_path / "labels.npy", "--model", tmp_path / "tool.mbn")
    net = mbn.MBNClustering(3, random_state=5)
    assert (net.fit_predict(rows) == np.load(tmp_path / "labels.npy")).all()
    net.save(tmp_path / "python.mbn")
    assert (tmp_path / "python.mbn").read_bytes() == (tmp_path / "tool.mbn").read_bytes()


def test_codes_and_lower_maps(tool, tmp_path, rows, net):
    np.save(tmp_path / "rows.npy", rows)
    net.save(tmp_path / "net.mbn")
    for flag, mine in ((["--codes"], net.apply(rows)),
                       (["--codes", "--layer", 1], net.apply(rows, 1)),
                       (["--layer", 1], net.transform_layer(rows, 1))):
        tool("transform", tmp_path / "net.mbn", tmp_path / "rows.npy", *flag, "-o",
             tmp_path / "out.npy", "--force")
        theirs = np.load(tmp_path / "out.npy")
        assert mine.dtype == theirs.dtype and mine.tobytes() == theirs.tobytes()


def test_raw_kmeans(tool, tmp_path, rows):
    np.save(tmp_path / "rows.npy", rows)
    tool("cluster", tmp_path / "rows.npy", "--clusters", 3, "--raw", "-o", tmp_path / "labels.npy")
    assert (mbn.kmeans(rows, 3).labels == np.load(tmp_path / "labels.npy")).all()


def test_generate(tool, tmp_path):
    tool("generate", "ring", "-n", 70, "--seed", 4, "-o", tmp_path / "rows.npy", "--labels",
         tmp_path / "labels.npy")
    made, labels = mbn.generate("ring", rows=70, random_state=4)
    assert made.tobytes() == np.load(tmp_path / "rows.npy").tobytes()
    assert (labels == np.load(tmp_path / "labels.npy")).all()
