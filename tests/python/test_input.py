# SPDX-License-Identifier: Apache-2.0
"""Whatever rows are kept in: the same answer as from a plain array, and no copy without need."""

import numpy as np
import pytest

import mbn
from compare import same
from mbn._input import as_rows


@pytest.fixture(scope="module")
def fitted(rows, small):
    return mbn.MBN(**small).fit(rows)


def strided(rows):
    wide = np.full((2 * len(rows), 2 * rows.shape[1]), np.nan, np.float32)
    wide[::2, ::2] = rows
    return wide[::2, ::2]


def with_gaps(rows):
    wide = np.full((len(rows), rows.shape[1] + 5), np.nan, np.float32)
    wide[:, :rows.shape[1]] = rows
    return wide[:, :rows.shape[1]]


FORMS = {
    "list": lambda rows: rows.tolist(),
    "float64": lambda rows: rows.astype(np.float64),
    "fortran": np.asfortranarray,
    "fortran64": lambda rows: np.asfortranarray(rows.astype(np.float64)),
    "strided": strided,
    "with_gaps": with_gaps,
    "backwards": lambda rows: rows[::-1].copy()[::-1],
    "mirrored": lambda rows: rows[:, ::-1].copy()[:, ::-1],
    "big_endian": lambda rows: rows.astype(">f4"),
    "big_endian64": lambda rows: rows.astype(">f8"),
    "object": lambda rows: rows.astype(object),
    "unaligned": lambda rows: np.frombuffer(b"x" + rows.tobytes(), np.uint8)[1:].view(
        np.dtype((np.float32, rows.shape)).base).reshape(rows.shape),
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_arrays(form, fitted, rows, small):
    other = FORMS[form](rows)
    assert same(mbn.MBN(**small).fit_transform(other), fitted.embedding_)
    assert same(fitted.transform(other), fitted.embedding_)


def test_no_copy_where_none_is_needed(rows):
    pixels = np.zeros((4, 6), np.uint8)
    for data in (rows, with_gaps(rows), pixels, pixels > 0, rows[::2], rows[5:6]):
        assert np.shares_memory(as_rows(data, "test"), data)
    for data in (np.asfortranarray(rows), rows[:, ::2], rows[::-1], np.broadcast_to(rows[0], (9, 12))):
        assert not np.shares_memory(as_rows(data, "test"), data)


def test_read_only(fitted, rows):
    assert not rows.flags.writeable
    before = rows.copy()
    assert same(fitted.transform(rows), fitted.embedding_)
    assert same(rows, before)


def test_memory_map(fitted, rows, small, tmp_path):
    np.save(tmp_path / "rows.npy", rows)
    mapped = np.load(tmp_path / "rows.npy", mmap_mode="r")
    assert np.shares_memory(as_rows(mapped, "test"), mapped)
    assert same(mbn.MBN(**small).fit_transform(mapped), fitted.embedding_)


def test_bytes_and_booleans(rows, small):
    bits = rows > rows.mean()
    by_bits = mbn.MBN(**small).fit_transform(bits)
    assert same(by_bits, mbn.MBN(**small).fit_transform(bits.astype(np.uint8)))
    # Bytes stay bytes in the model: a pool four times smaller.
    sizes = [mbn.MBN(**small).fit(bits.astype(kind)).layers_[0].bytes for kind in ("u1", "f4")]
    assert sizes[0] < sizes[1]


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "bsr"])
def test_sparse(form, rows, small):
    sparse = pytest.importorskip("scipy.sparse")
    thin = np.where(rows > np.median(rows), rows, 0)
    whole = mbn.MBN(**small).fit(thin)
    made = sparse.csr_matrix(thin).asformat(form)
    assert same(mbn.MBN(**small).fit_transform(made), whole.embedding_)
    assert same(whole.transform(made), whole.embedding_)
    assert same(whole.transform(made.astype(np.float64)), whole.embedding_)


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_sparse_rows_are_never_made_dense(metric, small, monkeypatch):
    sparse = pytest.importorskip("scipy.sparse")
    made = sparse.random(200, 900, density=0.02, format="csr", random_state=1, dtype=np.float32)
    dense = made.toarray()

    def never(*_, **__):
        raise AssertionError("made dense")

    monkeypatch.setattr(sparse.csr_matrix, "toarray", never)
    by_dense = mbn.MBN(metric=metric, **small).fit(dense)
    by_sparse = mbn.MBN(metric=metric, **small).fit(made)
    assert by_dense.model_.to_bytes() == by_sparse.model_.to_bytes()
    assert same(by_sparse.embedding_, by_dense.embedding_)
    for layer in range(1, len(by_sparse.layers_) + 1):
        codes = by_sparse.apply(made, layer=layer)
        assert same(codes, by_dense.apply(dense, layer=layer))
        assert same(codes, by_sparse.apply(dense, layer=layer))
    assert same(by_sparse.transform(made[7:8]), by_dense.transform(dense[7:8]))
    # The model holds the cells that are not zero, not the others.
    assert by_sparse.layers_[0].bytes < dense.nbytes


def test_sparse_columns_out_of_order_and_repeated_are_put_right_in_a_copy(small):
    sparse = pytest.importorskip("scipy.sparse")
    made = sparse.random(60, 300, density=0.03, format="csr", random_state=2, dtype=np.float32)
    order = np.concatenate([np.arange(a, b)[::-1] for a, b in zip(made.indptr, made.indptr[1:])])
    reverse = sparse.csr_matrix((made.data[order], made.indices[order], made.indptr), made.shape)
    before = reverse.indices.copy()
    expected = mbn.MBN(**small).fit_transform(made)
    assert same(mbn.MBN(**small).fit_transform(reverse), expected)
    assert (reverse.indices == before).all()
    halves = sparse.csr_matrix((np.repeat(made.data / 2, 2), np.repeat(made.indices, 2),
                                2 * made.indptr), made.shape)
    assert same(mbn.MBN(**small).fit_transform(halves), expected)


def test_sparse_cells_that_make_no_sense_are_refused(small):
    sparse = pytest.importorskip("scipy.sparse")
    made = sparse.random(60, 300, density=0.03, format="csr", random_state=2, dtype=np.float32)
    with pytest.raises(ValueError, match="scale"):
        mbn.MBN(scale="standard", **small).fit(made)
    made.data[3] = np.nan
    with pytest.raises(ValueError, match="finite"):
        mbn.MBN(**small).fit(made)


def test_sparse_that_does_not_fit_is_refused_at_once(small):
    sparse = pytest.importorskip("scipy.sparse")
    modest = sparse.random(2000, 1000, density=0.01, format="csr", random_state=1)
    with pytest.raises(MemoryError, match="limit"):
        mbn.MBN(memory_limit=400_000, **small).fit(modest)
    known = {"n_clusterings": 20, "n_clusters": 5}
    assert (mbn.plan(modest, **known).peak_bytes < mbn.plan(modest.shape, **known).peak_bytes)


def test_pandas(fitted, rows, small):
    pandas = pytest.importorskip("pandas")
    names = [f"c{i}" for i in range(rows.shape[1])]
    for kind in ("float32", "float64", "Float32", "Float64"):
        frame = pandas.DataFrame(rows, columns=names).astype(kind)
        net = mbn.MBN(**small).fit(frame)
        assert same(net.embedding_, fitted.embedding_)
        assert list(net.feature_names_in_) == names
        with pytest.raises(ValueError, match="same order"):
            net.transform(frame[names[::-1]])
        with pytest.warns(UserWarning, match="does not have valid feature names"):
            net.transform(rows)
    with pytest.raises(ValueError, match="is NaN"):
        mbn.MBN(**small).fit(frame.mask(frame > 0))


@pytest.mark.parametrize("kind", [mbn.MBN, mbn.MBNMap])
def test_names_are_in_the_file(kind, rows, small, tmp_path):
    """Before: a loaded network took columns in any order."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows).add_prefix("größe ")
    kind(**small).fit(frame).save(tmp_path / "net.mbn")
    net = kind.load(tmp_path / "net.mbn")
    assert list(net.feature_names_in_) == list(frame.columns)
    names = list(frame.columns)
    with pytest.raises(ValueError, match=r"same order.*\n.*feature_names_in_"):
        net.transform(frame[names[::-1]])
    with pytest.raises(ValueError, match="yet now missing:\n- größe 0"):
        net.transform(frame[names[1:]])
    kind(**small).fit(rows).save(tmp_path / "bare.mbn")
    assert not hasattr(kind.load(tmp_path / "bare.mbn"), "feature_names_in_")


def test_a_student_knows_the_names(rows, small):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows).add_prefix("c")
    student = mbn.MBN(**small).fit(frame).compress(frame, hidden=[8], epochs=1)
    assert student.info["column_names"] == list(frame.columns)
    with pytest.raises(ValueError, match="same order"):
        student.transform(frame[list(frame.columns)[::-1]])
    assert mbn.MBN(**small).fit(rows).compress(rows, hidden=[8], epochs=1).transform(frame).shape[0] == len(rows)


def test_names_are_forgotten_with_the_next_fit(rows, small):
    pandas = pytest.importorskip("pandas")
    net = mbn.MBN(**small).fit(pandas.DataFrame(rows).add_prefix("c"))
    assert hasattr(net, "feature_names_in_")
    assert not hasattr(net.fit(rows), "feature_names_in_")


def test_polars(fitted, rows, small):
    polars = pytest.importorskip("polars")
    names = [f"c{i}" for i in range(rows.shape[1])]
    for kind in (polars.Float32, polars.Float64):
        frame = polars.DataFrame(np.array(rows), schema=names, orient="row").cast(kind)
        net = mbn.MBN(**small).fit(frame)
        assert same(net.embedding_, fitted.embedding_)
        assert list(net.feature_names_in_) == names
        assert same(net.transform(frame[:7]), fitted.embedding_[:7])


def test_uint8_frames_stay_bytes(small):
    pandas = pytest.importorskip("pandas")
    pixels = np.random.default_rng(1).integers(0, 255, (60, 8)).astype(np.uint8)
    frame = pandas.DataFrame(pixels, columns=list("abcdefgh"))
    assert same(mbn.MBN(**small).fit_transform(frame), mbn.MBN(**small).fit_transform(pixels))


@pytest.mark.parametrize("value, word", [(np.nan, "NaN"), (np.inf, "inf"), (-np.inf, "-inf")])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_not_finite(value, word, dtype, rows, net, small):
    broken = rows.astype(dtype)
    broken[7, 3] = value
    for call in (mbn.MBN(**small).fit, net.transform, net.predict, net.apply):
        with pytest.raises(ValueError, match=f"row 8, column 4 .* is {word}; .* finite"):
            call(broken)


def test_missing_values_are_told_the_way_out(rows, net):
    broken = rows.copy()
    broken[7, 3] = np.nan
    with pytest.raises(ValueError, match="remove such rows or fill them in, .* missing='drop' or missing='mean'"):
        net.transform(broken)


def test_too_large_for_float32(rows, small):
    broken = rows.astype(np.float64)
    broken[0, 0] = 1e300
    with pytest.raises(ValueError, match="too large for dtype"):
        mbn.MBN(**small).fit(broken)


def test_one_row(rows, net, small):
    with pytest.raises(ValueError, match=r"1 sample\(s\).*minimum of 2 is required by MBN"):
        mbn.MBN(**small).fit(rows[:1])
    assert net.transform(rows[:1]).shape == (1, 3)
    assert net.predict(rows[:1]).shape == (1,)


def test_two_rows(rows, small):
    assert mbn.MBN(**small).fit_transform(rows[:2]).shape == (2, 2)


def test_one_feature(rows, small):
    column = rows[:, :1]
    net = mbn.MBNClustering(2, **small).fit(column)
    assert same(net.transform(column[3:9]), net.embedding_[3:9])
    assert same(mbn.MBNClustering(2, **small).fit(column.copy()).embedding_, net.embedding_)


@pytest.mark.parametrize("shape", [(5,), (5, 4, 3), (0, 4), (5, 0)])
def test_wrong_shapes(shape, small):
    with pytest.raises(ValueError):
        mbn.MBN(**small).fit(np.zeros(shape))


def test_wrong_kinds(rows, net, small):
    with pytest.raises(ValueError, match="Complex"):
        mbn.MBN(**small).fit(rows + 1j)
    with pytest.raises(ValueError, match="could not convert"):
        mbn.MBN(**small).fit([["a", "b"], ["c", "d"]])
    with pytest.raises(TypeError, match="not numbers"):
        mbn.MBN(**small).fit(rows.astype("datetime64[s]"))
    with pytest.raises(ValueError, match="X has 5 features, but MBNClustering is expecting 12"):
        net.transform(rows[:, :5])
