# SPDX-License-Identifier: Apache-2.0
"""A table of files as people have them. Each is read correctly, or answered with advice that, copied and
followed, solves it: an option, or a line for the shell, which the test runs.

A case is a function that writes the file and returns its path with the rows that it should give, the ids
(or None), and how many pieces of advice the tool needs to give. When the tool learns to read one by
itself, its number becomes 0.
"""

import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any, List, NamedTuple, Optional

import numpy as np
import pytest

import mbn as package

h5py = pytest.importorskip("h5py")
pandas = pytest.importorskip("pandas")
pytest.importorskip("openpyxl")
pytest.importorskip("pyarrow")
sparse = pytest.importorskip("scipy.sparse")
Image = pytest.importorskip("PIL.Image")

NAMES = ["Anna", "Bert", "Cara", "Dora", "Emil", "Fred"]
HEIGHT = [1.5, 1.75, 1.625, 1.5, 2.0, 1.875]
WEIGHT = [60.25, 80.5, 70.75, 61.0, 99.5, 84.0]
BODIES = np.array([HEIGHT, WEIGHT], dtype=np.float32).T
COUNTS = np.random.default_rng(1).poisson(0.7, (30, 12)).astype(np.float32)


class Case(NamedTuple):
    path: Path
    rows: Any
    ids: Optional[List[str]] = None
    advice: int = 0
    verb_options: tuple = ()
    weighting: str = "counts"


def text(folder, name, content, encoding="utf-8"):
    path = folder / name
    path.write_bytes(content.encode(encoding))
    return path


def lines(separator=",", number=str, header="height,weight", end="\n"):
    head = [header.replace(",", separator)] if header else []
    return end.join(head + [separator.join(map(number, row)) for row in BODIES.tolist()]) + end


def plain_csv(folder):
    return Case(text(folder, "plain.csv", lines()), BODIES)


def windows_csv_with_a_mark_and_empty_last_lines(folder):
    return Case(text(folder, "windows.csv", "\ufeff" + lines(end="\r\n") + "\r\n\r\n"), BODIES)


def semicolons(folder):
    return Case(text(folder, "semicolons.csv", lines(";")), BODIES)


def decimal_commas(folder):
    german = lines(";", lambda number: str(number).replace(".", ","))
    return Case(text(folder, "german.csv", german), BODIES, advice=1)


def thousands_marks(folder):
    rows = BODIES * [1, 1000]
    content = "height,weight\n" + "".join(f'{a},"{b:,.1f}"\n' for a, b in rows)
    return Case(text(folder, "thousands.csv", content), rows, advice=1)


def bars(folder):
    return Case(text(folder, "bars.txt", lines("|")), BODIES)


def utf16_of_excel(folder):
    return Case(text(folder, "unicode.txt", lines("\t"), "utf-16"), BODIES)


def packed_csv(folder):
    path = folder / "packed.csv.gz"
    path.write_bytes(gzip.compress(lines().encode()))
    return Case(path, BODIES)


def index_of_pandas(folder):
    path = folder / "frame.csv"
    pandas.DataFrame({"height": HEIGHT, "weight": WEIGHT}).to_csv(path)
    return Case(path, BODIES, [str(i) for i in range(6)])


def quoted_newlines_in_ids(folder):
    content = "name,height,weight\n" + "".join(
        f'"{name}\nof ""us"", all",{a},{b}\n' for name, a, b in zip(NAMES, HEIGHT, WEIGHT))
    return Case(text(folder, "quotes.csv", content), BODIES, [f'{name}\nof "us", all' for name in NAMES],
                verb_options=("--id-column", "name"))


def holes(folder):
    content = "height,weight\n" + "".join(
        f"{'NA' if i == 2 else a},{'' if i == 4 else b}\n" for i, (a, b) in enumerate(zip(HEIGHT, WEIGHT)))
    rows = BODIES.copy()
    rows[2, 0] = np.delete(rows[:, 0], 2).astype(float).mean()
    rows[4, 1] = np.delete(rows[:, 1], 4).astype(float).mean()
    return Case(text(folder, "holes.csv", content), rows, advice=1)


def words_dates_and_truths(folder):
    content = "name,height,weight,born,sporty\n" + "".join(
        f"{name},{a},{b},2001-02-0{i + 1},{i % 2 == 0}\n"
        for i, (name, a, b) in enumerate(zip(NAMES, HEIGHT, WEIGHT)))
    first_of_february = 11354  # in days since 1970
    kinds = [[first_of_february + i, i % 2 == 0] for i in range(len(NAMES))]
    return Case(text(folder, "mixed.csv", content), np.hstack([BODIES, kinds]))


def svmlight(folder):
    content = "".join(f"{i % 2} 1:{a} 2:{b}\n" for i, (a, b) in enumerate(zip(HEIGHT, WEIGHT)))
    return Case(text(folder, "words.svm", content), BODIES)


def anndata_of_counts(folder):
    import anndata
    path = folder / "cells.h5ad"
    cells = [f"cell {i}" for i in range(30)]
    frame = anndata.AnnData(sparse.csr_matrix(COUNTS), obs=pandas.DataFrame({"type": ["T"] * 30}, index=cells),
                            var=pandas.DataFrame(index=[f"gene {j}" for j in range(12)]))
    frame.write_h5ad(path, compression="gzip")
    return Case(path, COUNTS, cells, weighting="cells")


def ten_x_folder(folder):
    import scipy.io
    path = folder / "filtered_feature_bc_matrix"
    path.mkdir()
    matrix = io.BytesIO()
    scipy.io.mmwrite(matrix, sparse.coo_matrix(COUNTS.T.astype(int)))
    cells = [f"AAA{i}-1" for i in range(30)]
    genes = "".join(f"ENSG{j}\tG{j}\tGene Expression\n" for j in range(12))
    for name, content in (("matrix.mtx", matrix.getvalue()), ("features.tsv", genes.encode()),
                          ("barcodes.tsv", "\n".join(cells).encode())):
        (path / f"{name}.gz").write_bytes(gzip.compress(content))
    return Case(path, COUNTS, cells, weighting="cells")


def ten_x_file(folder):
    path = folder / "filtered_feature_bc_matrix.h5"
    cells = [f"AAA{i}-1" for i in range(30)]
    with h5py.File(path, "w") as file:
        by_cell = sparse.csr_matrix(COUNTS.astype(np.int32))
        for part in ("data", "indices", "indptr"):
            file.create_dataset(f"matrix/{part}", data=getattr(by_cell, part), compression="gzip")
        file["matrix/shape"] = np.array([12, 30], dtype=np.int32)
        file["matrix/barcodes"] = np.array(cells, dtype="S16")
        file["matrix/features/id"] = np.array([f"ENSG{j}" for j in range(12)], dtype="S16")
        file["matrix/features/name"] = np.array([f"G{j}" for j in range(12)], dtype="S16")
    return Case(path, COUNTS, cells, weighting="cells")


def matlab(folder):
    import scipy.io
    path = folder / "data.mat"
    scipy.io.savemat(path, {"X": BODIES.astype(float), "y": np.arange(6), "about": "people"}, do_compression=True)
    return Case(path, BODIES)


def matlab_with_odd_names(folder):
    import scipy.io
    path = folder / "odd.mat"
    scipy.io.savemat(path, {"bodies": BODIES.astype(float), "y": np.arange(6)})
    return Case(path, BODIES, verb_options=("--array", "bodies"))


def fvecs(folder):
    path = folder / "sift.fvecs"
    path.write_bytes(b"".join(np.int32(2).tobytes() + row.tobytes() for row in BODIES))
    return Case(path, BODIES)


def excel(folder):
    path = folder / "the sheet's name.xlsx"
    pandas.DataFrame({"height": HEIGHT, "weight": WEIGHT}).to_excel(path, index=False)
    return Case(path, BODIES, advice=1)


def parquet(folder):
    path = folder / "table.parquet"
    pandas.DataFrame({"height": HEIGHT, "weight": WEIGHT}).to_parquet(path)
    return Case(path, BODIES, advice=1)


def feather(folder):
    path = folder / "table.feather"
    pandas.DataFrame({"height": HEIGHT, "weight": WEIGHT}).to_feather(path)
    return Case(path, BODIES, advice=1)


def folder_of_images(folder):
    path = folder / "photos"
    path.mkdir()
    rows = np.random.default_rng(2).integers(0, 256, (4, 32, 32), dtype=np.uint8)
    for i, cells in enumerate(rows):
        Image.fromarray(cells).save(path / f"{i}.{'png' if i < 3 else 'webp'}", **({"lossless": True} if i == 3 else {}))
    (path / "Thumbs.db").write_bytes(b"\0\1\2")
    return Case(path, rows.reshape(4, -1), ["0.png", "1.png", "2.png", "3.webp"])


def folder_of_texts(folder):
    path = folder / "texts"
    path.mkdir()
    (path / "a.txt").write_text("cats sleep, cats purr")
    (path / "b.txt").write_text("dogs bark, dogs bark, dogs")
    (path / "c.txt").write_text("cats and dogs sleep")
    return path


CASES = [plain_csv, windows_csv_with_a_mark_and_empty_last_lines, semicolons, decimal_commas, thousands_marks, bars,
         utf16_of_excel, packed_csv, index_of_pandas, quoted_newlines_in_ids, holes, words_dates_and_truths, svmlight,
         anndata_of_counts, ten_x_folder, ten_x_file, matlab, matlab_with_odd_names, fvecs, excel, parquet, feather,
         folder_of_images]

OPTION = re.compile(r"(--(?:decimal|missing|drop|array)) ([^\s,;]+(?:,[^\s,;]+)*)")


def run_line(line, tool, folder):
    """Runs a line of a message in a shell, as it is, and returns the file that it made."""
    before = set(folder.iterdir())
    places = [str(folder / "bin"), os.path.dirname(sys.executable), os.environ["PATH"]]
    (folder / "bin").mkdir(exist_ok=True)
    shutil.copy(tool.path, folder / "bin" / "mbn")
    done = subprocess.run(line, shell=True, cwd=folder, env={**os.environ, "PATH": os.pathsep.join(places)},
                          capture_output=True, text=True)
    assert done.returncode == 0, f"{line}\n{done.stderr}"
    made = {path for path in set(folder.iterdir()) - before if path.suffix in (".csv", ".npz")}
    assert len(made) == 1, f"{line} made {made}"
    return made.pop()


def follow_advice(tool, case, folder):
    """What the tool reads in the end, with which options, and after how many pieces of advice."""
    path, options = case.path, list(case.verb_options)
    for steps in range(4):
        command = tool.command("embed", path, "--clusterings", 4, "-o", folder / "embedding.npy", "--force", "--json",
                               *options)
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode == 0:
            return path, options, steps, json.loads(done.stdout)
        line = re.search(r"(python3 -c .+|mbn vectorize .+)$", done.stderr.strip())
        option = OPTION.search(done.stderr)
        assert line or option, f"no advice in: {done.stderr}"
        if line:
            path = run_line(line[1], tool, folder)
        else:
            options += [option[1], option[2]]
    raise AssertionError(f"still not read: {done.stderr}")


def in_python(path, options, **more):
    words = {name[2:].replace("-", "_"): value.split(",") if name in ("--drop", "--id-column") else value
             for name, value in zip(options[::2], options[1::2])}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", package.MBNNote)
        return package.read(path, **words, **more)


def check(table, case):
    rows = table.rows.toarray() if sparse.issparse(table.rows) else table.rows
    if case.rows is not None:
        np.testing.assert_array_equal(rows, np.asarray(case.rows, dtype=rows.dtype))
    assert table.ids == case.ids
    assert table.weighting == case.weighting


def test_there_are_at_least_twenty():
    assert len(CASES) >= 20


@pytest.mark.parametrize("make", CASES, ids=lambda make: make.__name__)
def test_it_is_read_or_the_advice_helps(tool, make, tmp_path):
    case = make(tmp_path)
    path, options, steps, made = follow_advice(tool, case, tmp_path)
    assert steps == case.advice
    table = in_python(path, options)
    check(table, case)
    assert (made["rows"], made["columns"]) == table.rows.shape
    cells = any("weighting cells" in note for note in made.get("notes", []))
    assert cells == (case.weighting == "cells")


@pytest.mark.parametrize("make", [excel, parquet, feather], ids=lambda make: make.__name__)
def test_python_reads_tables_of_other_programs(make, tmp_path):
    case = make(tmp_path)
    table = in_python(case.path, [])
    check(table, case)
    assert table.columns == ["height", "weight"]


def test_python_tells_of_raw_counts(tmp_path):
    case = anndata_of_counts(tmp_path)
    with pytest.warns(package.MBNNote, match="weighting='cells'"):
        table = package.read(case.path)
    net = package.MBN(n_clusterings=8, weighting=table.weighting).fit(table.rows)
    assert net.transform(table.rows).shape[0] == 30


def test_a_picture_alone_is_told_to_bring_its_folder(tool, tmp_path):
    Image.new("L", (4, 4)).save(tmp_path / "a.png")
    assert "give the folder that it is in" in tool("plan", tmp_path / "a.png", code=1).stderr
    Image.new("L", (4, 4), 99).save(tmp_path / "b.png")
    tool("plan", tmp_path)


def test_a_folder_of_texts_is_counted_by_the_tool(tool, tmp_path):
    """At the first try; in Python the error says how to count the words."""
    path = folder_of_texts(tmp_path)
    assert json.loads(tool("plan", path, "--json").stdout)["rows"] == 3
    with pytest.raises(IsADirectoryError, match="texts are counted by: mbn vectorize"):
        package.read(path)


def test_texts_are_not_made_of_pictures(tool, tmp_path):
    Image.new("L", (4, 4)).save(tmp_path / "a.png")
    result = tool("index", tmp_path, "-o", tmp_path / "index.mbn", code=1)
    assert "PNG picture, not a text" in result.stderr and not (tmp_path / "index.mbn").exists()
