# SPDX-License-Identifier: Apache-2.0
"""Files as people have them: each silent wrong that was found, and tables with more than numbers."""

import gzip
import json

import numpy as np
import pytest


def table_of(columns, index=None, header=True):
    """CSV of named columns; `index` is written in front of them without a name, as pandas does."""
    names = list(columns)
    lines = [([""] if index is not None else []) + names] if header else []
    for i in range(len(columns[names[0]])):
        lines.append(([str(index[i])] if index is not None else []) + [str(columns[name][i]) for name in names])
    return "".join(",".join(line) + "\n" for line in lines)


@pytest.fixture(scope="module")
def groups():
    """Three groups that differ in `a` and `b`; `c` is noise."""
    random = np.random.default_rng(3)
    group = np.arange(90) % 3
    return {"a": np.round(group * 10 + random.normal(size=90), 3), "b": np.round(group * -40.0 + random.normal(size=90), 3),
            "c": np.round(random.normal(size=90), 3)}


@pytest.fixture(scope="module")
def trained(mbn, groups, small, tmp_path_factory):
    """A model of the table, and its labels."""
    folder = tmp_path_factory.mktemp("trained")
    (folder / "rows.csv").write_text(table_of(groups))
    mbn("cluster", folder / "rows.csv", "--clusters", 3, "--feature-fraction", 1, *small, "--model", folder / "m.mbn",
        "-o", folder / "labels.csv", "--map", 2)
    return folder


def test_columns_in_another_order_are_put_in_order(mbn, trained, groups, text):
    """Before: other labels, and exit 0."""
    right = mbn("predict", trained / "m.mbn", trained / "rows.csv").stdout
    turned = text(table_of({name: groups[name] for name in "cab"}), "turned.csv")
    result = mbn("predict", trained / "m.mbn", turned)
    assert result.stdout == right
    assert "another order" in result.stderr and str(turned) in result.stderr
    assert "another order" in json.loads(mbn("predict", trained / "m.mbn", turned, "--json").stdout)["notes"][0]
    for verb in (["transform"], ["transform", "--map"], ["transform", "--codes"]):
        there = mbn(verb[0], trained / "m.mbn", trained / "rows.csv", *verb[1:]).stdout
        assert mbn(verb[0], trained / "m.mbn", turned, *verb[1:]).stdout == there


def test_a_student_knows_the_names_too(mbn, trained, groups, text, tmp_path):
    student = tmp_path / "s.onnx"
    mbn("compress", trained / "m.mbn", trained / "rows.csv", "-o", student, "--size", "small", "--epochs", 2)
    turned = text(table_of({name: groups[name] for name in "bca"}), "turned.csv")
    result = mbn("transform", student, turned)
    assert result.stdout == mbn("transform", student, trained / "rows.csv").stdout
    assert "another order" in result.stderr


def test_other_columns_are_refused_by_name(mbn, trained, groups, text):
    lacks = text(table_of({"a": groups["a"], "c": groups["c"], "height": groups["b"]}), "lacks.csv")
    result = mbn("predict", trained / "m.mbn", lacks, code=2)
    assert "missing: b" in result.stderr and "height" in result.stderr and "--drop height" in result.stderr
    more = text(table_of({**groups, "size": groups["a"]}), "more.csv")
    result = mbn("predict", trained / "m.mbn", more, code=2)
    assert "missing" not in result.stderr and "--drop size" in result.stderr
    assert mbn("predict", trained / "m.mbn", more, "--drop", "size").stdout


def test_columns_without_names_go_by_position(mbn, trained, groups, text):
    bare = text(table_of(groups, header=False), "bare.csv")
    result = mbn("predict", trained / "m.mbn", bare)
    assert result.stdout == mbn("predict", trained / "m.mbn", trained / "rows.csv").stdout
    assert "note" not in result.stderr


def test_the_index_of_pandas_is_ids(mbn, groups, text, small, trained):
    """Before: a column 0, 1, 2, ... like any other."""
    data = text(table_of(groups, index=range(90)), "frame.csv")
    result = mbn("cluster", data, "--clusters", 3, "--feature-fraction", 1, *small)
    assert "90 rows x 3 columns" in result.stderr and "no name and is taken as row ids" in result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == "id,label" and lines[5].split(",")[0] == "4"
    assert [line.split(",")[1] for line in lines[1:]] == (trained / "labels.csv").read_text().splitlines()[1:]
    forced = mbn("cluster", data, "--clusters", 3, *small, "--columns", "1-4")
    assert "90 rows x 4 columns" in forced.stderr and "taken as row ids" not in forced.stderr


@pytest.fixture(scope="module", params=["", ".gz"])
def cells(request, tmp_path_factory):
    """A folder as Cell Ranger writes it: 60 genes in 40 cells of two kinds."""
    folder = tmp_path_factory.mktemp("cells")
    random = np.random.default_rng(4)
    counts = random.poisson(0.2, (60, 40))
    counts[:20, ::2] += random.poisson(3, (20, 20))
    counts[20:40, 1::2] += random.poisson(3, (20, 20))
    places = np.argwhere(counts)
    matrix = (f"%%MatrixMarket matrix coordinate integer general\n%made up\n60 40 {len(places)}\n" +
              "".join(f"{i + 1} {j + 1} {counts[i, j]}\n" for i, j in places))
    files = {"matrix.mtx": matrix, "barcodes.tsv": "".join(f"CELL{i}-1\n" for i in range(40)),
             "features.tsv": "".join(f"ENSG{i}\tGENE{i}\tGene Expression\n" for i in range(60))}
    for name, content in files.items():
        data = content.encode()
        (folder / (name + request.param)).write_bytes(gzip.compress(data) if request.param else data)
    return folder


def test_a_10x_folder_is_clustered_by_cell(mbn, cells, small):
    """Before: clusters of genes."""
    matrix = next(cells.glob("matrix.mtx*"))
    for data in (cells, matrix):
        result = mbn("cluster", data, "--clusters", 2, "--weighting", "cells", *small)
        assert "40 rows x 60 columns" in result.stderr and "cells are rows" in result.stderr
        lines = result.stdout.splitlines()
        assert lines[0] == "barcode,label" and lines[1].startswith("CELL0-1,") and len(lines) == 41
        labels = [line.split(",")[1] for line in lines[1:]]
        assert len(set(labels[::2])) == len(set(labels[1::2])) == 1 and labels[0] != labels[1]
    assert "60 rows x 40 columns" in mbn("embed", cells, "--transpose", *small).stderr


def test_genes_have_names_in_the_model(mbn, cells, small, tmp_path):
    mbn("fit", cells, *small, "--drop", "GENE5*", "-o", tmp_path / "m.mbn")
    assert "missing" not in mbn("transform", tmp_path / "m.mbn", cells, "--drop", "GENE5*").stderr
    assert "GENE50" in mbn("transform", tmp_path / "m.mbn", cells, code=2).stderr


def test_a_tall_matrix_market_file_is_noted(mbn, small, tmp_path):
    lines = "".join(f"{i + 1} {i % 3 + 1} {i % 5 + 1}\n" for i in range(60))
    (tmp_path / "tall.mtx").write_text(f"%%MatrixMarket matrix coordinate integer general\n60 3 60\n{lines}")
    assert "--transpose" in mbn("embed", tmp_path / "tall.mtx", *small).stderr


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\0\0\0\0"


def test_pictures_are_no_texts(mbn, tmp_path):
    """Before: an index of their bytes."""
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for i in range(20):
        (pictures / f"{i}.png").write_bytes(PNG + bytes([i]))
    result = mbn("index", pictures, "-o", tmp_path / "i.mbn", code=1)
    assert "0.png: this is a PNG picture, not a text" in result.stderr
    assert not (tmp_path / "i.mbn").exists()
    for name, content in {"a.txt": b"some\0bytes\n", "b.txt": b"%PDF-1.4\n", "c.csv": PNG}.items():
        (tmp_path / name).write_bytes(content)
        assert "not a text" in mbn("index", tmp_path / name, "-o", tmp_path / "i.mbn", code=1).stderr


@pytest.mark.parametrize("name, content, word", [
    ("p.png", PNG, "PNG picture"), ("d.pdf", b"%PDF-1.7\n", "PDF"), ("t.parquet", b"PAR1\x15\x04", "read_parquet"),
    ("c.feather", b"ARROW1\0\0", "read_feather"), ("x.xlsx", b"PK\x03\x04\x14\0\x06\0", "read_excel"),
    ("m.mat", b"MATLAB 5.0 MAT-file, Platform", "MATLAB file ends inside its header"), ("r.bz2", b"BZh91AY&SY", "bunzip2")])
def test_other_files_are_recognised(mbn, tmp_path, name, content, word):
    (tmp_path / name).write_bytes(content)
    result = mbn("cluster", tmp_path / name, code=1)
    assert word in result.stderr and str(tmp_path / name) in result.stderr


def test_one_cluster_still_has_a_picture(mbn, tmp_path):
    """Before: one component, and so a strip of arbitrary height."""
    rows = np.random.RandomState(3).rand(600, 2).astype(np.float32)
    np.save(tmp_path / "noise.npy", rows)
    result = mbn("cluster", tmp_path / "noise.npy", "--feature-fraction", 1, "--clusterings", 50, "--restarts", 5, "-o",
                 tmp_path / "l.npy", "--embedding", tmp_path / "e.npy")
    assert "no clusters" in result.stderr and "--clusters N forces another number" in result.stderr
    embedding = np.load(tmp_path / "e.npy")
    assert embedding.shape == (600, 2) and (embedding.std(axis=0) > 0).all()
    assert set(np.load(tmp_path / "l.npy")) == {0}


MIXED = "id,colour,a,b,c\n" + "".join(f"r{i},{'red' if i % 2 else 'blue'},{i % 3 * 9 + i / 100},{i % 3 * -5},{i % 7}\n"
                                       for i in range(60))


def test_columns_are_chosen(mbn, text, small):
    data = text(MIXED)
    for choice in (["--columns", "a,b"], ["--columns", "3-4"], ["--columns", "a:b"], ["--drop", "id,colour,c"],
                   ["--drop", "1-2", "--drop", "c"], ["--columns", "*", "--drop", "id,co*,-1"]):
        assert "60 rows x 2 columns" in mbn("cluster", data, "--clusters", 3, *small, *choice).stderr, choice


def test_all_columns_that_are_no_numbers_are_named_at_once(mbn, text, small, tmp_path):
    """By a model of numbers; other tables may have such columns."""
    model = tmp_path / "m.mbn"
    mbn("cluster", text(MIXED), "--clusters", 3, *small, "--drop", "id,colour", "--model", model)
    result = mbn("predict", model, text(MIXED), code=1)
    assert "'id' (1)" in result.stderr and "'colour' (2)" in result.stderr and "--drop id,colour" in result.stderr
    # The line that is said solves it.
    assert mbn("predict", model, text(MIXED), "--drop", "id,colour").stdout


def test_several_ids_go_to_every_output(mbn, text, small, tmp_path):
    outputs = {"labels.csv": "-o", "embedding.csv": "--embedding", "sure.csv": "--confidence",
               "likely.csv": "--probabilities", "far.csv": "--outliers"}
    mbn("cluster", text(MIXED), "--clusters", 3, *small, "--id-column", "id,colour", "--model", tmp_path / "m.mbn",
        *(word for name, option in outputs.items() for word in (option, tmp_path / name)))
    for name in outputs:
        lines = (tmp_path / name).read_text().splitlines()
        assert lines[0].startswith("id,colour,") and lines[2].startswith("r1,red,"), name
    lines = mbn("predict", tmp_path / "m.mbn", text(MIXED), "--id-column", "id", "--drop", "colour").stdout.splitlines()
    assert lines[0] == "id,label" and lines[1].startswith("r0,")
    lines = mbn("lsa", text(MIXED), "--id-column", "id", "--drop", "colour", "--components", 2).stdout.splitlines()
    assert lines[0] == "id,component1,component2"


def test_append_keeps_the_file_and_adds_columns(mbn, text, small, tmp_path):
    content = MIXED.replace("r3,", '"r, 3",')
    data = text(content.replace("\n", "\r\n"))
    model = tmp_path / "m.mbn"
    how = ["--id-column", "id", "--drop", "colour"]
    mbn("cluster", data, "--clusters", 3, *small, *how, "-o", tmp_path / "l.csv", "--append", tmp_path / "new.csv",
        "--model", model)
    lines = (tmp_path / "new.csv").read_text().splitlines()
    assert lines[0] == "id,colour,a,b,c,cluster,confidence,x,y"
    labels = [line.rsplit(",", 1)[1] for line in (tmp_path / "l.csv").read_text().splitlines()[1:]]
    for before, after, label in zip(content.splitlines()[1:], lines[1:], labels, strict=True):
        assert after.startswith(f"{before},{label},") and len(after.split(",")) == len(before.split(",")) + 4
    mbn("predict", model, data, *how, "--append", tmp_path / "again.csv", "-o", tmp_path / "l2.csv")
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "new.csv").read_bytes()
    # The new file is read as well, and its names do not clash.
    mbn("map", tmp_path / "new.csv", *how, "--drop", "confidence", *small, "--append", tmp_path / "third.csv", "-o",
        tmp_path / "places.csv")
    assert (tmp_path / "third.csv").read_text().splitlines()[0].endswith(",x,y,mbn_x,mbn_y")


def test_numbers_with_ids_colour_a_picture(mbn, trained, groups, text, tmp_path):
    data = text(table_of(groups, index=range(90)), "frame.csv")
    mbn("predict", trained / "m.mbn", data, "-o", tmp_path / "l.csv", "--confidence", tmp_path / "c.csv")
    assert (tmp_path / "c.csv").read_text().startswith("id,confidence\n0,")
    mbn("transform", trained / "m.mbn", data, "-o", tmp_path / "e.csv", "--plot", tmp_path / "p.svg", "--values",
        tmp_path / "c.csv")
    # An embedding with ids is a collection with ids.
    mbn("index", "--embedding", tmp_path / "e.csv", "-o", tmp_path / "plain.index")
    mbn("transform", trained / "m.mbn", data, "-o", tmp_path / "e2.csv")
    (tmp_path / "named.csv").write_text((tmp_path / "e2.csv").read_text().replace("id,", ",", 1))
    mbn("index", "--embedding", tmp_path / "named.csv", "--model", trained / "m.mbn", "-o", tmp_path / "i.index")
    turned = text(table_of({name: groups[name][:2] for name in "cab"}), "turned.csv")
    result = mbn("search", tmp_path / "i.index", "--rows", turned, "--top", 1, "--json")
    assert "another order" in result.stderr
    straight = text(table_of({name: groups[name][:2] for name in "abc"}), "straight.csv")
    hits = [query["hits"] for query in json.loads(result.stdout)["queries"]]
    same = json.loads(mbn("search", tmp_path / "i.index", "--rows", straight, "--top", 1, "--json").stdout)["queries"]
    assert hits == [query["hits"] for query in same]


def test_a_folder_of_something_else_is_refused(mbn, tmp_path):
    assert "matrix.mtx" in mbn("cluster", tmp_path, code=1).stderr


def test_append_needs_a_text_file(mbn, shared, small, tmp_path):
    result = mbn("cluster", shared.rows, "--clusters", 2, *small, "--append", tmp_path / "new.csv", code=2)
    assert "CSV" in result.stderr
    result = mbn("cluster", "-", "--clusters", 2, "--append", tmp_path / "new.csv", input="1,2\n", code=2)
    assert "standard input" in result.stderr


NUMBERS = [[1234.5, -0.25], [2000, 7.125], [1e-3, 12], [3, 4], [5, 6], [99999.5, 0]]


def written(thousands, point, separator):
    """The numbers with marks between thousands."""
    def word(number):
        return f"{number:,.3f}".translate({ord(","): thousands, ord("."): point})
    lines = [separator.join(['"' + word(cell) + '"' if separator == "," else word(cell) for cell in row]) for row in NUMBERS]
    return separator.join(["a", "b"]) + "\n" + "\n".join(lines) + "\n"


@pytest.mark.parametrize("thousands, point, separator, decimal", [
    (".", ",", ";", "comma"), ("", ",", ";", "comma"), ("", ",", "\t", "comma"), (" ", ",", "|", "comma"),
    (",", ".", ";", "point"), (",", ".", ",", "point"), ("'", ".", "|", "point"), ("", ".", "|", "plain")])
def test_numbers_as_other_countries_write_them(mbn, text, small, thousands, point, separator, decimal):
    plain = mbn("embed", text(written("", ".", ";"), "plain.csv"), *small, "--clusters", 2).stdout
    data = text(written(thousands, point, separator), "data.csv")
    if decimal != "plain":
        refused = mbn("embed", data, *small, "--clusters", 2, code=1).stderr
        assert f"--decimal {decimal}" in refused
    assert mbn("embed", data, *small, "--clusters", 2, "--decimal", decimal).stdout == plain


def test_a_mark_in_a_wrong_place_is_no_number(mbn, text):
    for cell in ("1,23.5", "12,34", "1,2345", ",5", "1,,234", "1.5,000"):
        assert "not a number" in mbn("embed", text(f"a;b\n1;2\n{cell};3\n"), "--decimal", "point", code=1).stderr


@pytest.mark.parametrize("coding", ["utf-16-le", "utf-16-be"])
def test_utf16_is_read(mbn, small, tmp_path, coding):
    content = table_of({"größe": np.arange(20) % 3, "b \U0001f40e": np.arange(20) * 1.5})
    (tmp_path / "plain.csv").write_text(content)
    (tmp_path / "wide.csv").write_bytes(("\ufeff" + content).encode(coding))
    mbn("fit", tmp_path / "plain.csv", *small, "-o", tmp_path / "plain.mbn")
    mbn("fit", tmp_path / "wide.csv", *small, "-o", tmp_path / "wide.mbn")
    assert (tmp_path / "plain.mbn").read_bytes() == (tmp_path / "wide.mbn").read_bytes()
    (tmp_path / "cut.csv").write_bytes(("\ufeff" + content).encode(coding)[:-1])
    assert "half a letter" in mbn("fit", tmp_path / "cut.csv", "-o", tmp_path / "cut.mbn", code=1).stderr
