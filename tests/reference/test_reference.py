# SPDX-License-Identifier: Apache-2.0
"""The tool against the slow reading of the paper in mbn_reference.py: the same codes at every layer
and the same embedding, on data that any machine can make and, where MBN_DATA is set, on real data.
"""

from functools import cached_property

import numpy as np
import pytest

import mbn_reference as reference

TOLERANCE = 1e-4  # of a component's standard deviation

# Neighbouring variances closer than this are taken as equal: rounding then decides how the
# components lie in the space they span together, and only that space can be compared.
EQUAL_VARIANCE = 1e-3


class Case:
    """One data set, fitted by the tool, with the rows that training did not see."""

    def __init__(self, mbn, folder, rows, *options, unseen=40):
        self.mbn = mbn
        self.folder = folder
        self.rows, self.unseen = rows[unseen:], rows[:unseen]
        np.save(folder / "rows.npy", self.rows)
        np.save(folder / "unseen.npy", self.unseen)
        mbn("fit", folder / "rows.npy", "-o", folder / "model.mbn", "--quiet", "--engine", "exact",
            *options)
        self.model = reference.ModelFile(folder / "model.mbn")
        self.options = self.model.options
        self.check_preparation()
        self.prepared = self.prepare(self.rows)
        self.codes = reference.encode(self.model, self.prepared)
        self.widths = [self.model.layer(number)[1].shape[1]
                       for number in range(1, self.model.layer_count + 1)]

    def check_preparation(self):
        """What is learned from the training rows. Sums in another order differ in their last digits. They must agree
        closely, and then the model's own are used, so that both sides round the same numbers."""
        tensors, weighting = self.model.tensors, self.options["weighting"]
        expected = {}
        if self.options["scale"] != "none":
            expected["scaler.shift"], expected["scaler.factor"] = reference.scaling(self.rows, self.options["scale"])
        if weighting in ("tfidf", "log-tfidf"):
            expected["weights.frequency"] = reference.document_frequency(self.rows)
        if weighting == "cells":
            expected["weights.size"] = [reference.cell_size(self.rows)]
        for name, ours in expected.items():
            np.testing.assert_allclose(tensors[name], ours, rtol=1e-12, atol=1e-12, err_msg=name)
        assert {name for name in tensors if name.startswith(("scaler.", "weights."))} == set(expected)

    def prepare(self, rows):
        return reference.prepare(rows, self.model)

    @cached_property
    def unseen_codes(self):
        return reference.encode(self.model, self.prepare(self.unseen))

    @cached_property
    def components(self):
        return reference.Components(self.codes[-1], self.widths[-1])

    def transform(self, name, *options):
        output = self.folder / "out.npy"
        self.mbn("transform", self.folder / "model.mbn", self.folder / name, "-o", output,
                 "--quiet", "--force", *options)
        return np.load(output)


def compound(mbn, folder):
    mbn("generate", "compound", "-n", 340, "--seed", 3, "-o", folder / "compound.npy", "--quiet")
    rows = np.load(folder / "compound.npy")
    assert rows.dtype == np.float32 and rows.shape == (340, 2)
    # Equal rows, and a grid that makes many equal distances.
    return np.round(rows * 20) / np.float32(20)


def images(mbn, folder):
    """Small grey pictures: a bright blob at one of five places, with noise."""
    random = np.random.default_rng(7)
    centres = np.array([[1, 1], [1, 6], [4, 4], [6, 1], [6, 6]])
    y, x = np.mgrid[0:8, 0:8]
    pictures = []
    for number in range(300):
        down, right = centres[number % 5] + random.normal(0, 0.4, 2)
        blob = 200 * np.exp(-((y - down) ** 2 + (x - right) ** 2) / 4)
        pictures.append(np.clip(blob + random.normal(0, 12, (8, 8)), 0, 255))
    return np.array(pictures).reshape(300, 64).astype(np.uint8)


def wide(mbn, folder):
    """More columns than rows, of very different units, and one constant column."""
    random = np.random.default_rng(11)
    centres = random.normal(0, 1, (4, 250))
    rows = centres[np.arange(200) % 4] + random.normal(0, 1.5, (200, 250))
    rows *= 10.0 ** random.uniform(-2, 2, 250)
    rows[:, 17] = 3
    return rows.astype(np.float32)


def words(mbn, folder):
    """Counts of words of four topics; nearly all are zero, so that rows are worked on as sparse rows."""
    random = np.random.default_rng(13)
    topics = random.gamma(0.04, 0.8, (4, 320))
    counts = random.poisson(topics[np.arange(260) % 4]).astype(np.float32)
    counts[np.arange(260), random.integers(0, 320, 260)] += 1  # no row is empty
    counts[:, 300] = 0  # a word that nobody uses
    assert (counts != 0).mean() < 1 / 16
    return counts


def genes(mbn, folder):
    """Counts of genes: cells of three kinds and of very different sizes; a quarter and more are not zero."""
    random = np.random.default_rng(17)
    kinds = random.gamma(0.3, 2, (3, 240))
    return random.poisson(kinds[np.arange(240) % 3] * random.uniform(0.3, 3, 240)[:, None]).astype(np.float32)


def real(name, most=None):
    def load(folder):
        rows = np.load(folder / "X.npy")
        if most is not None and len(rows) > most:
            rows = rows[np.random.default_rng(1).permutation(len(rows))[:most]]
        return rows.astype(np.uint8 if rows.dtype == np.uint8 else np.float32)

    return name, load


MADE = {
    "compound": (compound, ["--clusters", 6, "--clusterings", 150]),
    "compound-deep": (compound, ["--clusters", 2, "--decay", 0.8, "--clusterings", 60,
                                 "--feature-fraction", 1, "--centroids", 90]),
    "images": (images, ["--clusters", 5, "--clusterings", 100]),
    "images-cosine-em": (images, ["--metric", "cosine", "--clusterings", 80, "--components", 3,
                                  "--solver", "em"]),
    "wide-standard": (wide, ["--scale", "standard", "--clusters", 4, "--clusterings", 100,
                             "--solver", "lanczos", "--directions", "none"]),
    "wide-minmax-cosine": (wide, ["--scale", "minmax", "--metric", "cosine", "--clusters", 4,
                                  "--clusterings", 80, "--feature-fraction", 0.2, "--directions", "none"]),
    "words-tfidf": (words, ["--weighting", "tfidf", "--clusterings", 60, "--directions", "none"]),
    "genes-log": (genes, ["--weighting", "log", "--clusterings", 60, "--directions", "none"]),
    "images-manhattan": (images, ["--metric", "manhattan", "--clusters", 5, "--clusterings", 60]),
    "images-chi-squared": (images, ["--metric", "chi-squared", "--clusters", 5, "--clusterings", 60]),
    "images-hamming": (images, ["--metric", "hamming", "--clusters", 5, "--clusterings", 60]),
    "images-jaccard": (images, ["--metric", "jaccard", "--clusters", 5, "--clusterings", 60]),
    "images-correlation": (images, ["--metric", "correlation", "--clusters", 5, "--clusterings", 60]),
    "images-hellinger": (images, ["--metric", "hellinger", "--clusters", 5, "--clusterings", 60]),
    "wide-manhattan": (wide, ["--metric", "manhattan", "--scale", "standard", "--clusters", 4, "--clusterings", 60]),
    "words-manhattan": (words, ["--metric", "manhattan", "--clusterings", 60]),
    "words-chi-squared": (words, ["--metric", "chi-squared", "--weighting", "log", "--clusterings", 60]),
    "words-hamming": (words, ["--metric", "hamming", "--clusterings", 60]),
    "words-jaccard": (words, ["--metric", "jaccard", "--clusterings", 60]),
    "words-hellinger": (words, ["--metric", "hellinger", "--clusterings", 60]),
    # On principal directions.
    "genes-hellinger": (genes, ["--metric", "hellinger", "--directions", 20, "--clusterings", 60]),
    "genes-correlation": (genes, ["--metric", "correlation", "--directions", 20, "--clusterings", 60]),
    "images-directions": (images, ["--directions", 12, "--clusters", 5, "--clusterings", 100]),
    "images-directions-cosine": (images, ["--directions", 15, "--metric", "cosine", "--clusterings", 80]),
    "wide-by-the-rule": (wide, ["--scale", "standard", "--clusters", 4, "--clusterings", 60]),
    "words-log-tfidf": (words, ["--weighting", "log-tfidf", "--metric", "cosine", "--clusters", 4,
                                "--clusterings", 60]),
    "words-log-euclidean": (words, ["--weighting", "log", "--directions", 20, "--clusterings", 60]),
    "genes-cells": (genes, ["--weighting", "cells", "--clusters", 3, "--clusterings", 60]),
}
REAL = {
    "wine": (real("wine"), ["--clusters", 3]),
    "new_thyroid": (real("new_thyroid"), ["--clusters", 3, "--clusterings", 200]),
    "mnist600": (real("mnist5k", 600), ["--clusters", 10, "--clusterings", 100, "--directions", "none"]),
    "mnist600-directions": (real("mnist5k", 600), ["--clusters", 10, "--clusterings", 100]),
}


@pytest.fixture(scope="module", params=[*MADE, *REAL])
def case(request, mbn, real_data, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    if request.param in MADE:
        make, options = MADE[request.param]
        return Case(mbn, folder, make(mbn, folder), *options)
    (name, load), options = REAL[request.param]
    return Case(mbn, folder, load(real_data(name)), *options, unseen=20)


# The cases on directions, and how many there are; None: as many as the rule says.
DIRECTIONS = {"images-directions": 12, "images-directions-cosine": 15, "wide-by-the-rule": None,
              "words-log-tfidf": None, "words-log-euclidean": 20, "genes-cells": None, "mnist600-directions": None,
              "genes-hellinger": 20, "genes-correlation": 20}


def test_directions(case, request):
    """Those of a dense singular value decomposition, or nearly: together they hold as much of the variance."""
    name, basis = request.node.callspec.params["case"], case.model.directions
    if name not in DIRECTIONS:
        assert basis is None and case.options["directions"] == "none"
        return
    asked = DIRECTIONS[name] or basis.shape[1]
    assert basis.dtype == np.float32 and basis.shape == (case.rows.shape[1], asked)
    assert case.options["directions"] == asked
    rows = reference.weigh_and_scale(case.rows, case.model).astype(np.float64)
    if case.options["metric"] in ("euclidean", "hellinger"):
        np.testing.assert_allclose(case.model.tensors["directions.centre"], rows.mean(axis=0), rtol=1e-5, atol=1e-7)
        rows -= rows.mean(axis=0)
    else:
        assert "directions.centre" not in case.model.tensors
    best = np.linalg.svd(rows, compute_uv=False) ** 2 / (len(rows) - 1)
    along = ((rows @ basis.astype(np.float64)) ** 2).sum(axis=0) / (len(rows) - 1)
    np.testing.assert_allclose(basis.T.astype(np.float64) @ basis, np.eye(asked), atol=1e-5)
    np.testing.assert_allclose(case.model.tensors["directions.variance"], along, rtol=1e-3, atol=1e-6 * best[0])
    np.testing.assert_allclose(case.model.tensors["directions.total_variance"][0], best.sum(), rtol=1e-5)
    assert along.sum() >= 0.99 * best[:asked].sum()
    np.testing.assert_allclose(along[0], best[0], rtol=1e-3)
    assert (np.abs(basis).max(axis=0) == basis.max(axis=0)).all(), "the largest loading is positive"


def is_subsequence(part, whole):
    """Whether the rows of `part` stand in `whole` in the same order."""
    position = iter(map(bytes, np.ascontiguousarray(whole)))
    return all(row in position for row in map(bytes, np.ascontiguousarray(part)))


def test_widths_follow_the_schedule(case):
    options = case.options
    expected = reference.widths(len(case.rows), options["clusters"], options["centroids"],
                                options["decay"])
    assert case.widths == expected
    assert case.model.training_rows == len(case.rows)


def test_draws(case):
    options = case.options
    for number in range(1, case.model.layer_count + 1):
        pool, rows, features = case.model.layer(number)
        inputs = case.model.inputs if number == 1 else options["clusterings"]
        assert len(rows) == len(features) == options["clusterings"]
        assert features.shape[1] == reference.features_drawn(inputs, options["feature_fraction"])
        assert features.max() < inputs
        for clustering in range(options["clusterings"]):
            assert len(set(rows[clustering])) == rows.shape[1]
            assert len(set(features[clustering])) == features.shape[1]
        # The pool holds what somebody drew, and nothing else.
        assert set(rows.ravel()) == set(range(len(pool)))
        # Rows are training rows as the layer saw them, kept in the order of the file.
        source = case.prepared if number == 1 else case.codes[number - 2].astype(pool.dtype)
        assert pool.dtype == source.dtype
        assert is_subsequence(pool, source)


def assert_even(counts, probability, trials):
    """Binomial counts: six standard deviations are never left by chance."""
    deviation = np.sqrt(trials * probability * (1 - probability))
    assert np.abs(counts - trials * probability).max() <= 6 * deviation + 1e-9


def test_draws_favour_nobody(case):
    trials = case.options["clusterings"]
    for number in range(1, case.model.layer_count + 1):
        pool, rows, features = case.model.layer(number)
        total = case.model.training_rows
        counts = np.bincount(rows.ravel(), minlength=total)
        assert len(pool) <= total
        assert_even(counts, rows.shape[1] / total, trials)
        inputs = case.model.inputs if number == 1 else trials
        assert_even(np.bincount(features.ravel(), minlength=inputs), features.shape[1] / inputs,
                    trials)
        # Clusterings are different from each other. (With few features, those may repeat.)
        assert len(set(map(bytes, rows))) == trials


def test_codes_at_every_layer(case):
    for number, expected in enumerate(case.codes, start=1):
        codes = case.transform("rows.npy", "--codes", "--layer", number)
        np.testing.assert_array_equal(codes, expected, err_msg=f"layer {number}")
    np.testing.assert_array_equal(case.transform("rows.npy", "--codes"), case.codes[-1])


def test_codes_of_unseen_rows(case):
    for number, expected in enumerate(case.unseen_codes, start=1):
        codes = case.transform("unseen.npy", "--codes", "--layer", number)
        np.testing.assert_array_equal(codes, expected, err_msg=f"layer {number}")


def equal_groups(variance, count):
    """Runs of components with nearly the same variance that begin before `count`."""
    first = 0
    while first < count:
        last = first + 1
        while last < len(variance) and variance[last - 1] - variance[last] < (
                EQUAL_VARIANCE * variance[last - 1]):
            last += 1
        yield slice(first, last)
        first = last


def assert_same_embedding(embedding, codes, components):
    """Component by component up to sign; where variances are equal, that the embedding is a
    rotation of the reference within the space of those components. For one component alone, a
    rotation is a sign. (The group may go on beyond the components that were asked for.)"""
    expected = components.scores(codes)
    count = embedding.shape[1]
    for group in equal_groups(components.variance, count):
        ours = expected[:, group]
        theirs = embedding[:, group.start:min(group.stop, count)].astype(np.float64)
        rotation, *_ = np.linalg.lstsq(ours, theirs, rcond=None)
        if rotation.size == 1:
            rotation = np.sign(rotation)
        np.testing.assert_allclose(rotation.T @ rotation, np.eye(theirs.shape[1]), atol=TOLERANCE)
        error = np.abs(ours @ rotation - theirs).max(axis=0)
        assert (error <= TOLERANCE * theirs.std(axis=0)).all(), f"components {group}: {error}"


def test_embedding(case):
    components = case.components
    embedding = case.transform("rows.npy")
    assert embedding.dtype == np.float32
    assert embedding.shape[1] == (case.options["components"] or case.options["clusters"] or 2)
    assert_same_embedding(embedding, case.codes[-1], components)
    variance = case.model.tensors["projection.variance"]
    np.testing.assert_allclose(variance, components.variance[:len(variance)], rtol=1e-6)
    np.testing.assert_allclose(case.model.tensors["projection.total_variance"][0],
                               components.variance.sum(), rtol=1e-9)
    np.testing.assert_allclose(embedding.mean(axis=0), 0, atol=1e-5)


def test_embedding_of_unseen_rows(case):
    """The loadings of the model on the codes of the reference: the mean is that of the training
    rows."""
    loadings = case.model.tensors["projection.loadings"].astype(np.float64)
    one_hot = reference.one_hot(case.unseen_codes[-1], case.widths[-1])
    expected = (one_hot - case.components.mean) @ loadings
    np.testing.assert_allclose(case.transform("unseen.npy"), expected, atol=1e-4)


def test_map_below_the_top(case):
    """Below the top, components are those of the rows that the next layer drew."""
    if case.model.layer_count == 1:
        pytest.skip("the network has one layer only")
    number = case.model.layer_count - 1
    pool = case.model.layer(number + 1)[0].astype(np.int64)
    components = reference.Components(pool, case.widths[number - 1])
    assert_same_embedding(case.transform("rows.npy", "--layer", number), case.codes[number - 1],
                          components)


# The names that SciPy has for the distances; the others have a formula in terms of them.
SCIPY = {"manhattan": "cityblock", "hamming": "hamming", "jaccard": "jaccard", "correlation": "correlation"}


@pytest.mark.parametrize("metric", [*SCIPY, "hellinger", "chi-squared"])
def test_the_reference_measures_as_scipy_does(metric):
    """The reference is what the library is held against, so its distances must be those that people know."""
    spatial = pytest.importorskip("scipy.spatial.distance")
    random = np.random.default_rng(3)
    counts = random.poisson(0.7, (40, 30)).astype(np.float32)
    x, w = counts[:25], counts[25:]
    ours = reference.distances(reference.COMPARED_BY.get(metric, metric), reference.changed_by(metric, x),
                               reference.changed_by(metric, w))
    if metric == "chi-squared":
        theirs = -pytest.importorskip("sklearn.metrics.pairwise").additive_chi2_kernel(x, w)
    elif metric == "hellinger":
        roots = [np.sqrt(rows / rows.sum(axis=1, keepdims=True)) for rows in (x, w)]
        theirs = spatial.cdist(*roots, "euclidean") / np.sqrt(2)
        ours = np.sqrt(ours / 2)
    elif metric == "jaccard":
        theirs = spatial.cdist(x != 0, w != 0, "jaccard")
    else:
        theirs = spatial.cdist(x.astype(np.float64), w.astype(np.float64), SCIPY[metric])
    if metric == "correlation":
        ours = 1 + ours
    np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)
