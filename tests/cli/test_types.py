# SPDX-License-Identifier: Apache-2.0
"""Tables with words, booleans and dates: told from the cells, shown by plan, kept in the model."""

import base64
import csv
import gzip
import io
import json

import numpy as np
import pytest


def header_of(page):
    """What the page says about its data."""
    packed = page.split('<script id="mbn-data" type="text/plain">')[1].split("<")[0]
    data = gzip.decompress(base64.b64decode(packed))
    return json.loads(data[16:16 + int.from_bytes(data[8:12], "little")])


def mixed(rows=240, seed=3, header=True):
    """Three groups that colour, age and joining date tell apart, beside words and noise."""
    random = np.random.default_rng(seed)
    group = np.arange(rows) % 3
    colours = [["red", "green", "blue"][(g + (random.random() < 0.05)) % 3] for g in group]
    ages = np.round(20 + 20 * group + random.normal(size=rows), 2)
    joined = [f"202{g}-0{1 + int(random.integers(9))}-1{int(random.integers(9))}" for g in group]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if header:
        writer.writerow(["who", "colour", "age", "member", "joined", "group"])
    for i in range(rows):
        writer.writerow([f"person {i}", colours[i], ages[i], ["no", "yes"][int(random.integers(2))],
                         joined[i], f"g{group[i]}"])
    return out.getvalue()


@pytest.fixture
def data(text):
    return text(mixed(), "mixed.csv")


READ = ["--label-column", "group"]


def test_clusters_in_one_call(mbn, data):
    result = mbn("cluster", data, *READ, "--clusters", 3, "--json")
    report = json.loads(result.stdout)
    assert report["accuracy"] > 0.95
    told = " ".join(report["notes"])
    assert "categories colour (3); booleans member; dates joined; left out as text: who" in told
    assert "--id-column who takes them as row ids" in told
    assert "--scale standard" in told and "--scale none" in told
    assert report["columns"] == 6


def test_scale_is_only_chosen_where_kinds_differ(mbn, data, text, small):
    def notes(*arguments):
        return json.loads(mbn("cluster", *arguments, "--clusters", 3, *small, "--json").stdout).get("notes", [])

    assert not any("several kinds" in note for note in notes(data, *READ, "--scale", "none"))
    assert not any("several kinds" in note for note in notes(data, *READ, "--paper"))
    numbers = text("a,b\n" + "".join(f"{i},{i % 7}\n" for i in range(50)), "numbers.csv")
    assert not any("several kinds" in note for note in notes(numbers))


def test_plan_shows_the_table(mbn, text):
    lines = mixed().splitlines()
    lines[5] = ",".join(["person 4", "", "", *lines[5].split(",")[3:]])
    data = text("\n".join(lines) + "\n", "holes.csv")
    shown = mbn("plan", data, *READ).stdout
    assert "column" in shown and "what happens" in shown
    table = {line.split()[0]: line for line in shown.splitlines() if line}
    assert "category" in table["colour"] and " 1 " in table["colour"] and "3 levels" in table["colour"]
    assert "refused, see --missing" in table["age"]
    assert "days since 1970" in table["joined"] and "text" in table["who"] and " - " in table["who"]
    report = json.loads(mbn("plan", data, *READ, "--missing", "mean", "--json").stdout)
    assert [column["kind"] for column in report["table"]] == ["text", "category", "number", "boolean", "date"]
    assert report["table"][2]["missing"] == 1 and "the mean" in report["table"][2]["happens"]
    assert "table" in json.loads(mbn("plan", data, *READ, "--columns", "age", "--json").stdout)


def test_heavy_tails_are_noted(mbn, text, small):
    random = np.random.default_rng(1)
    rows = "".join(f"{word},{income:.0f}\n" for word, income in
                   zip(["a", "b"] * 100, np.exp(random.normal(8, 1.5, 200))))
    data = text("kind,income\n" + rows, "income.csv")
    assert "--types income=log takes logarithms" in mbn("cluster", data, "--clusters", 2, *small).stderr
    report = json.loads(mbn("plan", data, "--json").stdout)
    assert report["table"][1]["heavy_tailed"] is True
    plain = json.loads(mbn("plan", data, "--types", "income=log", "--json").stdout)
    assert plain["table"][1]["kind"] == "log" and "heavy_tailed" not in plain["table"][1]


def test_models_code_new_rows(mbn, data, text, tmp_path, small):
    model = tmp_path / "m.mbn"
    mbn("cluster", data, *READ, "--clusters", 3, *small, "--model", model, "-o", tmp_path / "labels.csv")
    rows = mixed().splitlines()[1:]
    labels = (tmp_path / "labels.csv").read_text()
    # The same rows in another order of columns, without the texts, and a colour that is not known.
    turned = ["age,joined,colour,member"]
    for row in rows:
        _, colour, age, member, joined, _ = row.split(",")
        turned.append(",".join([age, joined, colour, member]))
    new = text("\n".join(turned) + "\n", "turned.csv")
    result = mbn("predict", model, new, "-o", tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_text() == labels
    assert "came in another order" in result.stderr
    odd = text("age,joined,colour,member\n20,2020-01-01,pink,yes\n", "odd.csv")
    result = mbn("predict", model, odd)
    assert "categories that the training rows did not have" in result.stderr and "'pink'" in result.stderr
    assert result.stdout.splitlines()[1] in {"0", "1", "2"}
    one = text("x,red,20,yes,2020-01-01\n", "one.csv")
    assert mbn("predict", model, one).stdout.splitlines()[1] == labels.splitlines()[1]
    for wrong, said in [("age,joined,colour\n1,2020-01-01,red\n", "missing: member"),
                        ("age,joined,colour,member,size\n1,2020-01-01,red,no,2\n", "--drop size"),
                        ("age,joined,colour,member\n1,soon,red,no\n", "'soon'")]:
        code = 1 if "soon" in wrong else 2
        assert said in mbn("predict", model, text(wrong, "wrong.csv"), code=code).stderr
    assert "--types is for training" in mbn("predict", model, new, "--types", "age=log", code=2).stderr


def test_every_verb_takes_them(mbn, data, tmp_path, small):
    model = tmp_path / "m.mbn"
    mbn("cluster", data, *READ, "--clusters", 3, *small, "--model", model, "--report", tmp_path / "r.html",
        "--append", tmp_path / "more.csv", "--map", 2, "-o", tmp_path / "labels.npy")
    assert (tmp_path / "more.csv").read_text().splitlines()[0].startswith("who,colour,age,member,joined,group,cluster")
    mbn("transform", model, data, *READ, "-o", tmp_path / "e.npy")
    mbn("transform", model, data, *READ, "--map", "-o", tmp_path / "map.npy")
    mbn("report", model, data, *READ, "-o", tmp_path / "again.html")
    told = mbn("describe", model, data, *READ).stdout
    assert "colour = red (" in told and " %, others " in told
    assert "early joined (2020-" in told and "late joined (2022-" in told
    sentences = [cluster["sentence"] for cluster in header_of((tmp_path / "r.html").read_text())["clusters"]]
    assert any("colour = red (" in sentence for sentence in sentences)
    mbn("compress", model, data, *READ, "--hidden", "16", "--epochs", 2, "-o", tmp_path / "s.onnx")
    mbn("predict", tmp_path / "s.onnx", data, *READ)


def test_checkpoints_go_on(mbn, data, tmp_path, small):
    arguments = ["cluster", data, *READ, "--clusters", 3, *small, "-o", "-"]
    plain = mbn(*arguments).stdout
    assert mbn(*arguments, "--checkpoint", tmp_path / "c").stdout == plain


def test_the_same_bytes_on_any_number_of_threads(mbn, data, tmp_path, small):
    models = []
    for threads in (1, 2, 5):
        path = tmp_path / f"{threads}.mbn"
        mbn("cluster", data, *READ, "--clusters", 3, *small, "--model", path, "--threads", threads,
            "-o", tmp_path / f"{threads}.npy")
        models.append(path.read_bytes())
    assert models[0] == models[1] == models[2]


def test_missing_words_are_no_level(mbn, text, tmp_path, small):
    lines = mixed().splitlines()
    lines[7] = ",".join(["x", "", *lines[7].split(",")[2:]])
    data = text("\n".join(lines) + "\n", "holes.csv")
    refused = mbn("cluster", data, *READ, "--clusters", 3, *small, code=1).stderr
    assert ":8: column 'colour' (2): the cell is empty; --missing mean" in refused
    assert mbn("cluster", data, *READ, "--clusters", 3, *small, "--missing", "mean", "-o", "-")
    dropped = mbn("cluster", data, *READ, "--clusters", 3, *small, "--missing", "drop", "-o", "-").stdout
    assert len(dropped.splitlines()) == 1 + 239


def test_other_files_have_no_types(mbn, save):
    path = save(np.zeros((10, 2), np.float32))
    assert "--types 1=log is for CSV and TSV" in mbn("plan", path, "--types", "1=log", code=2).stderr


@pytest.mark.parametrize("missing", ["mean", "partial"])
def test_gaps_beside_words(mbn, text, tmp_path, small, missing):
    """Rows with gaps in a table of several kinds: the labels of the fit come back from the model, for all rows and
    for one, and updating on the training rows changes none."""
    lines = mixed().splitlines()
    for at in (5, 17, 60):
        cells = lines[at].split(",")
        cells[2] = ""  # age
        lines[at] = ",".join(cells)
    table = text("\n".join(lines) + "\n", "gaps.csv")
    told = [*READ, "--missing", missing]
    mbn("cluster", table, *told, "--clusters", 3, *small, "--model", tmp_path / "m.mbn", "-o", tmp_path / "fit.csv")
    mbn("predict", tmp_path / "m.mbn", table, *told, "-o", tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_text() == (tmp_path / "fit.csv").read_text()
    one = text("\n".join([lines[0], lines[17]]) + "\n", "one.csv")
    label = mbn("predict", tmp_path / "m.mbn", one, *told, "-o", "-").stdout.splitlines()[-1]
    assert label == (tmp_path / "fit.csv").read_text().splitlines()[17]
    mbn("update", tmp_path / "m.mbn", table, *told, "-o", tmp_path / "new.mbn")
    mbn("predict", tmp_path / "new.mbn", table, *told, "-o", tmp_path / "updated.csv")
    assert (tmp_path / "updated.csv").read_text() == (tmp_path / "fit.csv").read_text()


def complaints(rows=240, seed=4):
    """Three groups that only the words of a comment tell apart; amount and weight are noise."""
    random = np.random.default_rng(seed)
    subjects = [["parcel", "late", "delivery", "courier", "waiting"], ["soup", "cold", "waiter", "table", "menu"],
                ["screen", "battery", "charger", "phone", "broken"]]
    common = ["urgent", "really", "today", "yesterday", "please", "sorry", "money", "back"]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["amount", "comment", "weight", "kind"])
    for i in range(rows):
        words = [*random.choice(subjects[i % 3], 3, replace=False), *random.choice(common, 3, replace=False)]
        writer.writerow([round(float(random.normal()), 3), " ".join(random.permutation(words)),
                         round(float(random.normal()), 3), f"g{i % 3}"])
    return out.getvalue()


def test_texts_on_request(mbn, text, tmp_path):
    """A text is left out unless it is asked for; then its words decide, also for new rows, one alone too."""
    data = text(complaints(), "complaints.csv")
    read = ["--label-column", "kind", "--clusters", 3]
    without = json.loads(mbn("cluster", data, *read, "--json").stdout)
    assert without["columns"] == 2 and without["accuracy"] < 0.6
    with_text = json.loads(mbn("cluster", data, *read, "--types", "comment=text", "--json", "-o", tmp_path / "labels.csv",
                               "--model", tmp_path / "net.mbn").stdout)
    assert with_text["columns"] == 12 and with_text["accuracy"] > 0.95
    assert "texts comment (23 words)" in " ".join(with_text["notes"])
    assert mbn("predict", tmp_path / "net.mbn", data, "--drop", "kind").stdout == (tmp_path / "labels.csv").read_text()
    lines = complaints().splitlines()
    for row in (0, 100):
        one = text("\n".join([lines[0], lines[row + 1]]) + "\n", "one.csv")
        label = (tmp_path / "labels.csv").read_text().splitlines()[row + 1]
        assert mbn("predict", tmp_path / "net.mbn", one, "--drop", "kind").stdout.splitlines()[-1] == label
    told = mbn("describe", tmp_path / "net.mbn", data, "--drop", "kind").stdout
    assert "comment: " in told
    again = mbn("cluster", data, *read, "--types", "comment=text", "--threads", 1, "-o", "-").stdout
    assert again == (tmp_path / "labels.csv").read_text()


def test_plan_shows_texts(mbn, text):
    data = text(complaints(), "complaints.csv")
    assert "left out; --types NAME=text takes its words, NAME=category all of it" in mbn("plan", data, "--drop", "kind").stdout
    told = mbn("plan", data, "--drop", "kind", "--types", "comment=text").stdout
    assert "10 columns from 23 words" in told
