# SPDX-License-Identifier: Apache-2.0
"""`mbn report`, and `--report` of `cluster` and `map`: what stands in the page. How the page looks is in tests/page."""

import base64
import gzip
import json
import re
import struct
import subprocess

import numpy as np
import pytest

TYPES = {"u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "f32": np.float32}


class Page:
    """A page, read back as web/README.md says."""

    def __init__(self, path):
        self.text = path.read_text()
        packed = re.search(r'<script id="mbn-data" type="text/plain">([^<]*)</script>', self.text).group(1)
        data = gzip.decompress(base64.b64decode(packed))
        assert data[:8] == b"MBNPAGE1"
        (length,) = struct.unpack_from("<I", data, 8)
        self.header = json.loads(data[16:16 + length])
        self._arrays = data[(16 + length + 7) // 8 * 8:]

    def __getitem__(self, name):
        entry = self.header["arrays"][name]
        first = entry["offset"]
        if entry["type"] == "json":
            return json.loads(self._arrays[first:first + entry["length"]])
        return np.frombuffer(self._arrays, TYPES[entry["type"]], entry["length"], first)


def complaint(mbn, *arguments):
    """What the tool says on standard error, whether it fails or not."""
    return subprocess.run(mbn.command(*arguments), capture_output=True, text=True).stderr


@pytest.fixture(scope="module", autouse=True)
def needs_page(mbn, shared, tmp_path_factory):
    if "has no page" in complaint(mbn, "report", shared.model, shared.rows, "-o",
                                  tmp_path_factory.mktemp("page") / "p.html"):
        pytest.skip("this build has no page")


def test_a_page_of_a_model_and_its_rows(mbn, shared, tmp_path):
    told = mbn("report", shared.model, shared.rows, "--truth", shared.labels, "-o", tmp_path / "p.html")
    page = Page(tmp_path / "p.html")
    assert "open it in a browser" in told.stderr
    assert page.header["title"] == "moons.npy"
    assert page.header["rows"] == 160
    labels = mbn("predict", shared.model, shared.rows).stdout.split()[1:]
    assert page["cluster"].tolist() == [int(label) for label in labels]
    assert page["label"].tolist() == shared.truth.tolist()
    assert page.header["scores"][0][0] == "NMI"
    named = dict(page.header["provenance"])
    assert named["command"].startswith("mbn report ")


def test_codes_and_places_are_those_of_the_tools_files(mbn, shared, small, tmp_path):
    mbn("map", shared.rows, *small, "--clusters", 2, "-o", tmp_path / "map.npy", "--model", tmp_path / "net.mbn",
        "--report", tmp_path / "p.html")
    mbn("transform", tmp_path / "net.mbn", shared.rows, "--codes", "-o", tmp_path / "codes.npy")
    page, places = Page(tmp_path / "p.html"), np.load(tmp_path / "map.npy")
    for axis, name in enumerate(("x", "y")):
        low, high = page.header["map"][name]
        found = low + (high - low) * page[f"map_{name}"] / 65535
        assert np.abs(found - places[:, axis]).max() <= 0.51 * (high - low) / 65535
    codes = page["codes"].reshape(page.header["codes"]["clusterings"], -1).T
    assert (codes == np.load(tmp_path / "codes.npy")[page["sample"]]).all()


def test_cluster_writes_the_page_of_its_own_fit(mbn, shared, small, tmp_path):
    mbn("cluster", shared.rows, "--clusters", 2, *small, "-o", tmp_path / "l.npy", "--report", tmp_path / "p.html",
        "--title", "two moons")
    page = Page(tmp_path / "p.html")
    assert page.header["title"] == "two moons"
    assert (page["cluster"] == np.load(tmp_path / "l.npy")).all()
    assert all(layer["seconds"] >= 0 for layer in page.header["layers"])


@pytest.mark.parametrize("threads", [1, 3])
def test_same_bytes_with_any_number_of_threads(mbn, shared, tmp_path, threads):
    mbn("report", shared.model, shared.rows, "-o", tmp_path / "page.html", "--threads", 2)
    mbn("report", shared.model, shared.rows, "-o", tmp_path / "other.html", "--threads", threads)
    first, other = Page(tmp_path / "page.html"), Page(tmp_path / "other.html")
    assert first._arrays == other._arrays


def test_names_ids_captions_and_pictures(mbn, text, tmp_path):
    random = np.random.default_rng(0)
    cells = random.integers(0, 256, (40, 6))
    lines = ["id,a,b,c,d,e,\"<f>\""] + [f"row{i}," + ",".join(map(str, row)) for i, row in enumerate(cells)]
    data = text("\n".join(lines) + "\n", "rows.csv")
    captions = text("\n".join(f"caption {i} <script>" for i in range(40)) + "\n", "captions.txt")
    mbn("cluster", data, "--id-column", "id", "--clusters", 2, "--clusterings", 20, "-o", tmp_path / "l.csv",
        "--report", tmp_path / "p.html", "--captions", captions)
    page = Page(tmp_path / "p.html")
    assert page["ids"][7] == "row7"
    assert page["texts"][7] == "caption 7 <script>"
    assert [value["name"] for value in page.header["values"]][-1] == "<f>"
    assert page[page.header["values"][-1]["array"]].tolist() == cells[:, -1].tolist()
    assert "<script>" not in page.header["title"]
    mbn("cluster", data, "--id-column", "id", "--clusters", 2, "--clusterings", 20, "-o", tmp_path / "l.csv",
        "--report", tmp_path / "q.html", "--pictures", "2x3", "--force")
    pictured = Page(tmp_path / "q.html")
    assert pictured.header["pictures"] == {"width": 3, "height": 2, "channels": 1, "all": True}
    assert len(pictured["pictures"]) == 240


def test_pictures_of_an_array_of_pictures(mbn, save, tmp_path):
    cells = np.random.default_rng(0).integers(0, 256, (30, 4, 5), dtype=np.uint8)
    mbn("cluster", save(cells), "--clusters", 2, "--clusterings", 20, "-o", tmp_path / "l.csv",
        "--report", tmp_path / "p.html")
    page = Page(tmp_path / "p.html")
    assert page.header["pictures"]["height"] == 4
    assert (page["pictures"] == cells.ravel()).all()


def test_what_is_refused(mbn, shared, tmp_path):
    for arguments, told in [
            (["-o", tmp_path / "p.svg"], "does not end like a page"),
            (["-o", tmp_path / "p.html", "--pictures", "28"], "is not like 28x28"),
            (["-o", tmp_path / "p.html", "--pictures", "3x5"], "take 15 dense columns, but the rows have 2"),
            (["-o", tmp_path / "p.html", "--captions", shared.csv], "column"),
    ]:
        assert told in complaint(mbn, "report", shared.model, shared.rows, *arguments)
        assert not (tmp_path / "p.html").exists()
    assert "add --report" in mbn("cluster", shared.rows, "--clusters", 2, "--pictures", "1x2", code=2).stderr
    assert "--title is for" in mbn("map", shared.rows, "--title", "x", code=2).stderr


@pytest.mark.parametrize("part", [[], ["--part", "1/2"]])
def test_texts_of_an_index_are_read_as_they_were_asked_for(mbn, text, tmp_path, part):
    lines = [json.dumps({"body": f"cars and engines number {i}" if i % 2 else f"purring kittens number {i}"})
             for i in range(40)]
    texts = text("\n".join(lines) + "\n", "texts.jsonl")
    mbn("index", texts, "--text-column", "body", "--clusters", 2, "--clusterings", 20, "-o", tmp_path / "i.mbn")
    mbn("report", tmp_path / "i.mbn", texts, "--texts", "--text-column", "body", *part, "-o", tmp_path / "p.html")
    page = Page(tmp_path / "p.html")
    assert len(page["texts"]) == page.header["rows"] == (20 if part else 40)
    assert {"engines", "kittens"} <= {value["name"] for value in page.header["values"]}
    for row, shown in enumerate(page["texts"]):
        same = [place for place, other in enumerate(page["texts"]) if ("cars" in other) == ("cars" in shown)]
        assert {int(page["cluster"][place]) for place in same} == {int(page["cluster"][row])}
