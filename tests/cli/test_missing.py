# SPDX-License-Identifier: Apache-2.0
"""Tables with cells that have no value: refused, filled, or left out with their rows."""

import json

import numpy as np
import pytest


def csv_of(rows, holes=(), names="abc", sign="NA", kinds=None):
    """CSV with ids in front; `holes` are (row, column)."""
    lines = [",".join(["id", *names] + (["kind"] if kinds is not None else []))]
    for i, row in enumerate(rows):
        cells = [sign if (i, j) in holes else f"{value:.3f}" for j, value in enumerate(row)]
        lines.append(",".join([f"r{i}", *cells] + ([f"k{kinds[i]}"] if kinds is not None else [])))
    return "".join(line + "\n" for line in lines)


@pytest.fixture(scope="module")
def groups():
    """Three groups, and three holes in two rows and two columns."""
    random = np.random.default_rng(5)
    kinds = np.arange(60) % 3
    rows = np.round(np.outer(kinds, [100.0, -400.0, 50.0]) + random.normal(size=(60, 3)), 3)
    return rows, kinds, {(4, 0), (7, 0), (7, 2)}


READ = ["--id-column", "id", "--label-column", "kind"]


@pytest.fixture
def data(text, groups):
    rows, kinds, holes = groups
    return text(csv_of(rows, holes, kinds=kinds), "holes.csv")


def means_of(groups):
    rows, _, holes = groups
    rows = rows.astype(np.float32).astype(float)
    for hole in holes:
        rows[hole] = np.nan
    return np.nanmean(rows, axis=0)


def test_refused_with_the_way_out(mbn, data, small):
    result = mbn("cluster", data, *READ, *small, code=1)
    assert "2 columns have missing values: column 'a' (2) (line 6: the value is missing ('NA'), and 1 more), " \
        "column 'c' (4) (line 9" in result.stderr
    assert "--missing mean fills them" in result.stderr and "--missing drop leaves out such rows" in result.stderr


def test_filled_as_by_hand(mbn, data, groups, small, text):
    rows, kinds, holes = groups
    filled = rows.copy()
    for row, column in holes:
        filled[row, column] = means_of(groups)[column]
    lines = csv_of(filled, kinds=kinds)
    for row, column in holes:  # more digits than the others have
        lines = lines.replace(f"{filled[row, column]:.3f}", repr(float(means_of(groups)[column])))
    by_hand = text(lines, "by-hand.csv")
    result = mbn("cluster", data, *READ, "--clusters", 3, *small, "--missing", "mean")
    assert result.stdout == mbn("cluster", by_hand, *READ, "--clusters", 3, *small).stdout
    assert "were filled with the means of their columns: 3 cells in 2 columns (a: 2, c: 1)" in result.stderr


def test_rows_left_out_with_their_ids_and_labels(mbn, data, groups, small, text, tmp_path):
    rows, kinds, _ = groups
    keep = [i for i in range(60) if i not in (4, 7)]
    truth = text("".join(f"{kind}\n" for kind in kinds), "truth.csv")
    how = ["--clusters", 3, "--feature-fraction", 1, *small, "--missing", "drop"]
    result = mbn("cluster", data, *READ, *how, "-o", tmp_path / "out.csv", "--append", tmp_path / "all.csv", "--json")
    report = json.loads(result.stdout)
    assert report["accuracy"] > 0.9 and "2 of 60 rows were left out" in report["notes"][0]
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in lines[1:]] == [f"r{i}" for i in keep]
    lines = (tmp_path / "all.csv").read_text().splitlines()
    assert len(lines) == 61 and lines[5].endswith(',k1' + ',""' * 4) and '""' not in lines[6]
    for truth_of in (["--truth", truth], ["--truth", truth, "--part", "1/2"]):
        told = mbn("cluster", data, "--id-column", "id", "--drop", "kind", *how, *truth_of, "-o", "-", "--json")
        assert json.loads(told.stdout)["accuracy"] > 0.9


@pytest.mark.parametrize("verb", [["predict"], ["transform"]])
def test_new_rows_get_the_means_of_the_training_rows(mbn, data, groups, small, text, tmp_path, verb):
    model, student = tmp_path / "m.mbn", tmp_path / "s.onnx"
    mbn("cluster", data, *READ, "--clusters", 3, *small, "--missing", "mean", "--model", model, "-o", tmp_path / "l.csv")
    mbn("compress", model, data, *READ, "--missing", "mean", "-o", student, "--size", "small", "--epochs", 1)
    mean = means_of(groups)[0]
    # In another order, and with other means of their own.
    new = text("c,b,a\n1,2,NA\n300,-400,500\n", "new.csv")
    full = text(f"a,b,c\n{float(mean)!r},2,1\n500,-400,300\n", "full.csv")
    for trained in (model, student):
        # What was trained with means keeps them, and needs not be told again.
        for told in ([], ["--missing", "mean"]):
            result = mbn(*verb, trained, new, *told)
            assert result.stdout == mbn(*verb, trained, full).stdout
            assert "the means of the training rows" in result.stderr
    assert mbn(*verb, model, new, "--missing", "drop").stdout.count("\n") < result.stdout.count("\n")


def test_the_means_of_a_part_are_those_of_its_rows(mbn, text, small, tmp_path):
    values = np.arange(40.0)
    data = text("a,b\n" + "".join(f"{v},{'' if i == 3 else v * v}\n" for i, v in enumerate(values)), "x.csv")
    for part in ("1/2", "2/2"):
        mbn("fit", data, "--missing", "mean", "--part", part, *small, "-o", tmp_path / f"{part[0]}.mbn")
    heads = [(tmp_path / f"{part}.mbn").read_bytes().split(b"column_means")[1][:40] for part in "12"]
    assert heads[0] != heads[1]


def test_a_model_without_means_refuses_holes(mbn, shared, save, tmp_path):
    rows = shared.array[:5].astype(np.float32)
    rows[2, 1] = np.nan
    result = mbn("transform", shared.model, save(rows), "--missing", "mean", "-o", tmp_path / "x.npy", code=2)
    assert "1 cell in 1 column (column 2: 1)" in result.stderr and "are not in the model" in result.stderr
    assert "--missing mean, or leave out such rows with --missing drop" in result.stderr


def test_arrays(mbn, save, groups, small):
    rows, _, holes = groups
    rows = rows.astype(np.float32)
    for hole in holes:
        rows[hole] = np.nan
    left = save(rows[~np.isnan(rows).any(axis=1)], "left.npy")
    result = mbn("embed", save(rows, "holes.npy"), *small, "--missing", "drop")
    assert result.stdout == mbn("embed", left, *small).stdout and "2 of 60 rows" in result.stderr


def test_compared_on_what_both_have(mbn, data, groups, small, text, tmp_path):
    """Nothing is filled in, and new rows may have gaps without being told again."""
    model = tmp_path / "m.mbn"
    how = ["--clusters", 3, "--feature-fraction", 1, "--seed", 1, *small]
    result = mbn("cluster", data, *READ, *how, "--missing", "partial", "--model", model, "-o", tmp_path / "l.csv",
                 "--outliers", tmp_path / "o.csv", "--append", tmp_path / "all.csv", "--json")
    report = json.loads(result.stdout)
    assert report["accuracy"] > 0.95
    assert "compared on the values that they have" in report["notes"][0] and "3 cells in 2 columns" in report["notes"][0]
    labels = (tmp_path / "l.csv").read_text()
    assert mbn("predict", model, data, *READ, "-o", "-").stdout == labels
    assert mbn("predict", model, data, *READ, "--missing", "partial", "-o", "-").stdout == labels
    assert "NaN" not in (tmp_path / "o.csv").read_text() and "nan" not in (tmp_path / "o.csv").read_text()
    # A file of one row may lack a whole column.
    new = text("c,b,a\n,-800,200\n", "new.csv")
    assert mbn("predict", model, new, "-o", "-").stdout.split() == ["label", labels.split()[3].split(",")[1]]
    assert '"missing":"partial"' in model.read_bytes()[:20000].decode("latin1").replace("\\", "")
    assert mbn("predict", model, text("a,b,c\n,,\n1,2,3\n", "empty.csv"), code=2).stderr.count("row 1 (counted from 1) has no value")


@pytest.mark.parametrize("verb", [["describe"], ["transform", "--map"], ["report", "-o", "page.html"]])
def test_every_verb_takes_gaps(mbn, data, small, tmp_path, verb):
    mbn("map", data, *READ, *small, "--clusters", 3, "--missing", "partial", "--model", tmp_path / "m.mbn", "-o", tmp_path / "x.csv")
    verb = [tmp_path / part if part == "page.html" else part for part in verb]
    result = mbn(verb[0], tmp_path / "m.mbn", data, *READ, *verb[1:])
    assert "nan" not in result.stdout.lower()


def test_a_plan_of_rows_with_gaps(mbn, data, small):
    assert "about" in mbn("plan", data, *READ, *small, "--missing", "partial").stdout


def test_empty_columns_and_rows_are_refused_by_name(mbn, text, small):
    column = text("a,b\n" + "".join(f"{i},NA\n" for i in range(20)), "column.csv")
    result = mbn("fit", column, *small, "--missing", "partial", "-o", "x.mbn", code=1)
    assert "b has no value in any row; leave the column out with --drop b" in result.stderr
    row = text("a,b\n" + "".join(f"{i},{i}\n" for i in range(20)) + "NA,NA\n", "row.csv")
    result = mbn("fit", row, *small, "--missing", "partial", "-o", "x.mbn", code=1)
    assert "row 21 (counted from 1) has no value at all" in result.stderr


@pytest.mark.parametrize("options, message", [
    (["--metric", "cosine"], "--missing partial compares rows by Euclidean distance, and --metric is cosine"),
    (["--weighting", "log"], "--missing partial is for values as they are, and --weighting is log"),
    (["--raw"], "--raw is k-means on whole rows")])
def test_what_does_not_go_with_gaps(mbn, data, small, options, message):
    result = mbn("cluster", data, *READ, "--clusters", 3, *small, "--missing", "partial", *options, code=2)
    assert message in result.stderr


def test_sparse_rows_have_no_gaps(mbn, text, small):
    rows = text("".join(f"0 {i % 5 + 1}:1\n" for i in range(30)), "x.svm")
    result = mbn("fit", rows, *small, "--missing", "partial", "-o", "x.mbn", code=2)
    assert "in sparse rows a cell that is not there is zero" in result.stderr
