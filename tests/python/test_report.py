# SPDX-License-Identifier: Apache-2.0
"""`net.report(X)`: the same page as the tool's, in a file or in a notebook."""

import base64
import gzip
import json
import re

import numpy as np
import pytest

import mbn
from mbn import _core

pytestmark = pytest.mark.skipif(not _core.has_report_page(), reason="this build has no page")


def header_of(page):
    packed = re.search(r'<script id="mbn-data" type="text/plain">([^<]*)</script>', page).group(1)
    data = gzip.decompress(base64.b64decode(packed))
    return json.loads(data[16:16 + int.from_bytes(data[8:12], "little")])


@pytest.fixture(scope="module")
def fitted():
    rows, truth = mbn.generate("compound", rows=200, random_state=1)
    return mbn.MBNClustering(3, n_clusterings=20, feature_fraction=1).fit(rows), rows, truth


def test_labels_ids_and_texts(fitted):
    net, rows, truth = fitted
    words = np.array(["zero", "one", "two", "three", "four", "five"])[truth]
    report = net.report(rows, words, ids=range(200), texts=[f"text {i}" for i in range(200)], title="<shapes>")
    header = header_of(report.html)
    assert header["title"] == "<shapes>"
    assert header["label"]["names"] == sorted(set(words))
    assert header["ids"] and header["texts"]
    assert len(header["clusters"]) == 3
    assert "MBNClustering(" in dict(header["provenance"])["made by"]


def test_a_file_appears_whole_and_is_not_replaced_unasked(fitted, tmp_path):
    net, rows, _ = fitted
    report = net.report(rows)
    path = report.save(tmp_path / "report.html")
    assert open(path, encoding="utf-8").read() == report.html
    with pytest.raises(FileExistsError, match="overwrite=True"):
        report.save(path)
    report.save(path, overwrite=True)
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


def test_a_notebook_gets_a_frame_of_its_own(fitted):
    net, rows, _ = fitted
    shown = net.report(rows, title='"><script>')._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert 'title="&quot;&gt;&lt;script&gt;"' in shown
    assert "<script" not in shown.split('title="')[1]


def test_a_frame_lends_its_names_and_index():
    pandas = pytest.importorskip("pandas")
    random = np.random.default_rng(0)
    frame = pandas.DataFrame(random.normal(size=(60, 4)), columns=list("abcd"),
                             index=[f"r{i}" for i in range(60)])
    net = mbn.MBN(n_clusterings=20, map=2).fit(frame)
    header = header_of(net.report(frame).html)
    assert header["ids"]
    assert [value["name"] for value in header["values"]][-4:] == list("abcd")


def test_pictures(fitted):
    rows = np.random.default_rng(0).integers(0, 256, (50, 12), dtype=np.uint8)
    net = mbn.MBNMap(n_clusterings=20).fit(rows)
    assert header_of(net.report(rows, pictures=(3, 4)).html)["pictures"]["height"] == 3
    assert header_of(net.report(rows, pictures=(2, 2, 3)).html)["pictures"]["channels"] == 3
    with pytest.raises(ValueError, match="height, width"):
        net.report(rows, pictures=(12,))
    with pytest.raises(ValueError, match="15 dense columns"):
        net.report(rows, pictures=(3, 5))


def test_wrong_lengths_are_refused(fitted):
    net, rows, _ = fitted
    with pytest.raises(ValueError, match="3 ids for 200 rows"):
        net.report(rows, ids=["a", "b", "c"])
