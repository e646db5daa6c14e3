# SPDX-License-Identifier: Apache-2.0
"""Texts end to end: vectorize, lsa, index, search, evaluate --retrieval."""

import gzip
import json
import os

import numpy as np
import pytest

TOPICS = {"cat": "cats purr, sleep and chase mice", "dog": "dogs bark at every passing car",
          "fish": "fish swim in cold deep water"}


def json_of(result):
    assert result.stdout.count("\n") == 1
    return json.loads(result.stdout)


def dense(path):
    """What scipy.sparse.load_npz would read, with the arrays and types it asks for."""
    with np.load(path) as arrays:
        assert set(arrays.files) == {"data", "indices", "indptr", "shape", "format"}
        assert arrays["format"].item() == b"csr"
        assert arrays["indices"].dtype == arrays["indptr"].dtype == np.int32
        assert arrays["data"].dtype == np.float32 and arrays["shape"].dtype == np.int64
        rows = np.zeros(arrays["shape"], np.float32)
        for i, (start, end) in enumerate(zip(arrays["indptr"], arrays["indptr"][1:])):
            rows[i, arrays["indices"][start:end]] = arrays["data"][start:end]
    return rows


def save_csr(path, rows):
    rows = np.asarray(rows)
    np.savez(path, data=rows[rows != 0].astype(np.uint8), indices=np.nonzero(rows)[1].astype(np.int32),
             indptr=np.concatenate([[0], np.cumsum((rows != 0).sum(1))]).astype(np.int64),
             shape=np.array(rows.shape), format=np.array(b"csr"))


@pytest.fixture
def jsonl(tmp_path):
    path = tmp_path / "pets.jsonl"
    lines = [{"name": f"{topic}{i}", "text": f"{text} number{i % 4}"}
             for i in range(20) for topic, text in TOPICS.items()]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_vectorize_lines(mbn, text, tmp_path):
    docs = text("The cats sleep\n\nA CAT and a dog\n", "docs.txt")
    result = mbn("vectorize", docs, "-o", tmp_path / "x.npz")
    assert "3 documents x 3 words" in result.stderr and "1 documents have no known word" in result.stderr
    assert (dense(tmp_path / "x.npz") == [[1, 0, 1], [0, 0, 0], [1, 1, 0]]).all()
    words = json.loads((tmp_path / "x.vocabulary.json").read_text())
    assert words["words"] == ["cat", "dog", "sleep"] and words["document_counts"] == [2, 1, 1]


def test_new_documents_meet_the_same_columns(mbn, text, tmp_path):
    mbn("vectorize", text("cat dog\ncat\n", "a.txt"), "-o", tmp_path / "a.npz")
    new = gzip.compress(b"zebra\ndogs dogs cats\n")
    (tmp_path / "new.txt.gz").write_bytes(new)
    result = mbn("vectorize", tmp_path / "new.txt.gz", "--vocabulary", tmp_path / "a.vocabulary.json",
                 "-o", tmp_path / "b.npz", "--ids", tmp_path / "ids.txt", "--json")
    assert (dense(tmp_path / "b.npz") == [[0, 0], [1, 2]]).all()
    assert not (tmp_path / "b.vocabulary.json").exists()
    assert json_of(result)["empty_documents"] == 1
    assert (tmp_path / "ids.txt").read_text() == "1\n2\n"


def test_csv_jsonl_folder_and_stdin_give_the_same_counts(mbn, text, tmp_path):
    texts = ["one fish", "two, fish", "red \"fish\""]
    text("id,body\n" + "".join(f'{i},"{t.replace(chr(34), chr(34) * 2)}"\n' for i, t in enumerate(texts)),
         "d.csv")
    text("".join(json.dumps({"body": t}) + "\n" for t in texts), "d.jsonl")
    (tmp_path / "folder").mkdir()
    for i, t in enumerate(texts):
        (tmp_path / "folder" / f"{i}.txt").write_text(t)
    common = ["--text-column", "body", "--force", "-q"]
    mbn("vectorize", tmp_path / "d.csv", "-o", tmp_path / "csv.npz", *common)
    mbn("vectorize", tmp_path / "d.jsonl", "-o", tmp_path / "jsonl.npz", *common)
    mbn("vectorize", tmp_path / "folder", "-o", tmp_path / "folder.npz", "-q")
    mbn("vectorize", "-", "-o", tmp_path / "stdin.npz", "-q", input="\n".join(texts))
    wanted = (tmp_path / "csv.npz").read_bytes()
    assert dense(tmp_path / "csv.npz").shape == (3, 4)
    for other in ("jsonl", "folder", "stdin"):
        assert (tmp_path / f"{other}.npz").read_bytes() == wanted, other


def test_hard_texts_have_defined_answers(mbn, tmp_path):
    docs = tmp_path / "hard.txt"
    docs.write_bytes(b"caf\xe9 noir \xff\n" + b"x" * 10_000_000 + b"\n\nnoir\n")
    mbn("vectorize", docs, "-o", tmp_path / "x.npz", "--threads", 2)
    assert json.loads((tmp_path / "x.vocabulary.json").read_text())["words"] == ["caf", "noir"]
    assert (dense(tmp_path / "x.npz") == [[1, 1], [0, 0], [0, 0], [0, 1]]).all()


@pytest.mark.parametrize("arguments, code, words", [
    (["docs.txt", "-o", "x.csv"], 2, "'x.csv'; give it that ending"),
    (["nothing.txt", "-o", "x.npz"], 1, "nothing.txt"),
    (["empty.txt", "-o", "x.npz"], 2, "no documents"),
    (["stop.txt", "-o", "x.npz"], 2, "no word is left"),
    (["docs.txt", "-o", "x.npz", "--language", "klingon"], 2, "klingon"),
    (["docs.txt", "-o", "x.npz", "--words", "-3"], 2, "-3"),
    (["docs.txt", "-o", "x.npz", "--vocabulary", "docs.txt"], 1, "not a vocabulary"),
    (["docs.txt", "-o", "x.npz", "--vocabulary", "docs.txt", "--words", "5"], 2, "--words"),
    (["bad.jsonl", "-o", "x.npz"], 1, "bad.jsonl:2"),
    (["d.csv", "-o", "x.npz"], 2, "--text-column text: "),
    (["docs.txt", "-o", "there.npz"], 1, "exists already"),
])
def test_vectorize_says_what_is_wrong(mbn, text, tmp_path, arguments, code, words):
    text("some words\n", "docs.txt")
    text("", "empty.txt")
    text("the of\nand\n", "stop.txt")
    text('{"text": "a"}\n{"text"\n', "bad.jsonl")
    text("id,body\n1,a\n", "d.csv")
    text("", "there.npz")
    result = mbn("vectorize", *arguments, code=code, cwd=tmp_path)
    assert words in result.stderr
    assert not (tmp_path / "x.npz").exists()


def test_lsa_is_a_truncated_svd(mbn, jsonl, tmp_path):
    mbn("vectorize", jsonl, "-o", tmp_path / "x.npz")
    report = json_of(mbn("lsa", tmp_path / "x.npz", "--components", 3, "-o", tmp_path / "e.npy",
                         "--model", tmp_path / "lsa.mbn", "--json"))
    rows, embedding = dense(tmp_path / "x.npz"), np.load(tmp_path / "e.npy")
    values = np.linalg.svd(rows, compute_uv=False)
    assert np.allclose(report["singular_values"], values[:3], rtol=1e-5)
    assert np.allclose(np.linalg.norm(embedding, axis=0), values[:3], rtol=1e-4)
    mbn("lsa", tmp_path / "x.npz", "--apply", tmp_path / "lsa.mbn", "-o", tmp_path / "again.npy")
    assert (tmp_path / "again.npy").read_bytes() == (tmp_path / "e.npy").read_bytes()
    other = mbn("lsa", tmp_path / "x.npz", "--apply", jsonl, code=1)
    assert "not an mbn model" in other.stderr


def hits_of(shown):
    """The lines of documents; indented lines say what of them answers."""
    return [line.split("\t") for line in shown.splitlines() if line and not line.startswith("\t")]


@pytest.mark.parametrize("method", ["fusion", "bm25", "lsa", "mbn"])
def test_index_and_search(mbn, jsonl, tmp_path, method):
    index = tmp_path / "pets.index"
    report = json_of(mbn("index", jsonl, "--id-column", "name", "--method", method, "--components", 4,
                         "--clusterings", 30, "-o", index, "--json"))
    assert report["rows"] == 60 and report["method"] == method and report["language"] == "english"
    shown = mbn("search", index, "Do dogs bark?", "--top", 3)
    lines = hits_of(shown.stdout)
    assert len(lines) == 3 and all(name.startswith("dog") for _, name, _ in lines)
    assert lines[0][2].startswith("dogs bark at every passing car")
    assert "\t*dogs* *bark* at every passing car" in shown.stdout and "\t[dogs, bark]\n" in shown.stdout
    result = mbn("search", index, "sleeping cats", "zebra", "--top", 2, "--json", code=1)
    first, second = json_of(result)["queries"]
    assert [hit["id"][:3] for hit in first["hits"]] == ["cat", "cat"] and second["hits"] == []
    best = first["hits"][0]
    assert best["score"] >= first["hits"][1]["score"] and best["words"] == ["sleeping", "cats"]
    assert [best["passage"][begin:end] for begin, end in best["marks"]] == ["cats", "sleep"]
    piped = hits_of(mbn("search", index, "--top", 1, input="bark\nswim\n").stdout)
    assert piped[0][1].startswith("dog") and piped[1][1].startswith("fish")


def test_the_default_is_fusion_and_one_index_has_all_methods(mbn, jsonl, tmp_path):
    index = tmp_path / "pets.index"
    report = json_of(mbn("index", jsonl, "--id-column", "name", "--clusters", 3, "--clusterings", 30, "-o", index, "--json"))
    assert report["method"] == "fusion" and report["all_words"] >= report["words"]
    for method in ("fusion", "bm25", "lsa", "mbn"):
        hits = json_of(mbn("search", index, "barking", "--method", method, "--top", 5, "--json"))["queries"][0]["hits"]
        assert hits[0]["id"].startswith("dog") and hits[0]["cluster"] in (0, 1, 2)
    assert "; cluster " in mbn("search", index, "barking dogs", "--top", 1).stdout
    like = json_of(mbn("search", index, "--like", "fish3", "--top", 5, "--json"))["queries"][0]["hits"]
    assert all(hit["id"].startswith("fish") and hit["id"] != "fish3" for hit in like)
    assert "called 'fish99'" in mbn("search", index, "--like", "fish99", code=2).stderr
    assert "not several" in mbn("search", index, "words", "--like", "fish3", code=2).stderr
    mbn("index", jsonl, "--method", "bm25", "-o", tmp_path / "words.index")
    refused = mbn("search", tmp_path / "words.index", "dogs", "--method", "lsa", code=2).stderr
    assert "--method lsa is not in this index, which has bm25" in refused


def test_a_question_without_an_answer_is_no_answer(mbn, jsonl, tmp_path):
    mbn("index", jsonl, "--components", 4, "-o", tmp_path / "i")
    for question in ("zebra", "", "the of"):
        result = mbn("search", tmp_path / "i", question, code=1)
        assert result.stdout == "" and "knows none of its words" in result.stderr
    assert hits_of(mbn("search", tmp_path / "i", "zebra", "cats", "--top", 1, code=1).stdout)[0][2].startswith("cats")


def test_documents_are_added_and_removed(mbn, jsonl, text, tmp_path):
    index = tmp_path / "pets.index"
    mbn("index", jsonl, "--id-column", "name", "--components", 4, "-o", index)
    more = text('{"name": "owl", "text": "owls hoot at night"}\n', "more.jsonl")
    told = json_of(mbn("index", index, "--add", more, "--id-column", "name", "--remove", "dog1", "--json"))
    assert told["added"] == 1 and told["removed"] == 1 and told["rows"] == 60
    assert hits_of(mbn("search", index, "hooting owl", "--top", 1).stdout)[0][1] == "owl"
    assert "called 'dog1'" in mbn("search", index, "--like", "dog1", code=2).stderr
    kept = index.read_bytes()
    assert "'owl' is in the index already" in mbn("index", index, "--add", more, "--id-column", "name", code=2).stderr
    assert "called 'x'" in mbn("index", index, "--remove", "x", code=2).stderr
    assert index.read_bytes() == kept
    mbn("index", index, "--remove", "owl", "-o", tmp_path / "other.index")
    assert index.read_bytes() == kept
    mbn("search", tmp_path / "other.index", "hooting", code=1)
    assert "name it" in mbn("index", "--add", more, code=2).stderr
    lines = text("owls hoot\n", "lines.txt")
    mbn("index", lines, "-o", tmp_path / "lines.index")
    mbn("index", tmp_path / "lines.index", "--add", lines)
    assert [hit[1] for hit in hits_of(mbn("search", tmp_path / "lines.index", "owls").stdout)] == ["1", "2"]


def test_known_items(mbn, text, tmp_path):
    table = text("name\ttitle\tbody\n"
                 "c\tsleeping pet\tcats purr and sleep\nd\tbarking pet\tdogs bark at cars\n"
                 "f\tit swims\tfish swim in cold water\n", "pets.tsv")
    index = tmp_path / "pets.index"
    mbn("index", table, "--id-column", "name", "--text-column", "body", "--components", 2, "-o", index)
    asked = ["--known-items", table, "--id-column", "name", "--text-column", "title"]
    report = json_of(mbn("evaluate", index, *asked, "--json"))
    assert report["questions"] == 3 and [m["method"] for m in report["methods"]] == ["fusion", "bm25", "lsa"]
    assert report["methods"][0]["mean_reciprocal_rank"] == 1 and report["methods"][1]["recall_at_10"] == 1
    shown = mbn("evaluate", index, *asked, "--method", "bm25").stdout.splitlines()
    assert shown[0].startswith("method") and shown[1].split() == ["bm25", "1.0000", "1.0000", "1.0000"]
    assert "not in the index" in mbn("evaluate", index, "--known-items", table, "--text-column", "title", code=2).stderr
    assert "--known-items" in mbn("evaluate", index, "--method", "bm25", code=2).stderr


def test_titles_accents_and_languages(mbn, text, tmp_path):
    docs = text(json.dumps({"t": "Café Müller", "text": "Der Kaffee ist nicht kalt und die Häuser sind alt"}) + "\n" +
                json.dumps({"t": "Zoo", "text": "Die Tiere und der Wald im Regen"}) + "\n", "docs.jsonl")
    report = json_of(mbn("index", docs, "--title-column", "t", "--components", 2, "-o", tmp_path / "i", "--json"))
    assert report["language"] == "german"
    for question in ("cafe", "CAFÉ", "muller", "haus"):
        assert hits_of(mbn("search", tmp_path / "i", question, "--top", 1).stdout)[0][2] == "Café Müller"
    mbn("search", tmp_path / "i", "und der", code=1)


def test_a_folder_of_texts_is_clustered_as_it_is(mbn, tmp_path):
    folder = tmp_path / "texts"
    for topic, words in TOPICS.items():
        (folder / topic).mkdir(parents=True)
        for i in range(20):
            (folder / topic / f"{i}.txt").write_text(f"{words} number{i % 4}\n")
    truth = tmp_path / "truth.txt"
    truth.write_text("".join(f"{topic}\n" for topic in sorted(TOPICS) for _ in range(20)))
    result = mbn("cluster", folder, "--clusters", 3, "--clusterings", 50, "--truth", truth, "-o", tmp_path / "l.csv",
                 "--model", tmp_path / "m.mbn")
    assert "60 texts as rows" in result.stderr and "NMI 100.0 %" in result.stderr
    assert "--weighting log-tfidf" in result.stderr and "--metric cosine" in result.stderr
    assert (tmp_path / "l.csv").read_text().splitlines()[1].startswith("cat/0.txt,")
    (tmp_path / "new.txt").write_text("a barking dog\n")
    mbn("vectorize", tmp_path / "new.txt", "--vocabulary", tmp_path / "m.vocabulary.json", "-o", tmp_path / "new.npz")
    mbn("predict", tmp_path / "m.mbn", tmp_path / "new.npz")


def test_index_of_a_ready_embedding(mbn, jsonl, text, tmp_path):
    mbn("vectorize", jsonl, "-o", tmp_path / "x.npz")
    mbn("lsa", tmp_path / "x.npz", "--components", 3, "-o", tmp_path / "e.npy", "--model",
        tmp_path / "lsa.mbn")
    ids = text("".join(f"row {i}\n" for i in range(60)), "ids.txt")
    bare, full = tmp_path / "bare.index", tmp_path / "full.index"
    mbn("index", "--embedding", tmp_path / "e.npy", "--ids", ids, "-o", bare)
    mbn("index", "--embedding", tmp_path / "e.npy", "--lsa", tmp_path / "lsa.mbn", "--vocabulary",
        tmp_path / "x.vocabulary.json", "-o", full)
    by_row = json_of(mbn("search", bare, "--rows", tmp_path / "e.npy", "--top", 1, "--json"))
    assert len(by_row["queries"]) == 60
    assert all(query["hits"][0]["score"] > 0.9999 for query in by_row["queries"])
    by_counts = json_of(mbn("search", full, "--rows", tmp_path / "x.npz", "--top", 1, "--json"))
    assert [q["hits"][0]["row"] for q in by_counts["queries"]] == \
        [q["hits"][0]["row"] for q in by_row["queries"]]
    assert "no vocabulary" in mbn("search", bare, "words", code=2).stderr
    assert "--embedding" in mbn("index", jsonl, "--ids", ids, "-o", tmp_path / "n", code=2).stderr
    assert "nothing to index" in mbn("index", "-o", tmp_path / "n", code=2).stderr


def test_search_refuses_other_files(mbn, shared, tmp_path):
    assert "kind" in mbn("search", shared.model, "x", code=1).stderr
    damaged = tmp_path / "damaged"
    damaged.write_bytes(os.urandom(100))
    mbn("search", damaged, "x", code=1)


def curve_by_hand(embedding, labels, groups, levels):
    unit = embedding / np.linalg.norm(embedding, axis=1, keepdims=True)
    similar = unit.astype(np.float64) @ unit.T
    np.fill_diagonal(similar, -np.inf)
    similar[groups[:, None] == groups] = -np.inf
    order = np.argsort(-similar, axis=1, kind="stable")
    right = (labels @ labels.T > 0)[np.arange(len(order))[:, None], order]
    right &= np.isfinite(np.take_along_axis(similar, order, 1))
    return [right[:, :level].mean() for level in levels]


def test_retrieval_curves(mbn, save, tmp_path):
    random = np.random.default_rng(4)
    embedding = random.normal(size=(70, 6)).astype(np.float32)
    worse = random.normal(size=(70, 6)).astype(np.float32)
    labels = random.random((70, 5)) < 0.2
    labels[:10] = False
    groups = np.arange(70, dtype=np.int32) // 2
    save_csr(tmp_path / "labels.npz", labels)
    mbn_path, other = save(embedding, "mbn.npy"), save(worse, "other.npy")
    result = mbn("evaluate", mbn_path, other, "--retrieval", "--truth", tmp_path / "labels.npz",
                 "--groups", save(groups, "groups.npy"), "--deepest", 40, "--curve", tmp_path / "c.csv",
                 "--plot", tmp_path / "c.svg")
    lines = [line.split(",") for line in result.stdout.splitlines()]
    assert lines[0] == ["retrieved", "mbn", "other"]
    assert [int(line[0]) for line in lines[1:]] == [1, 3, 7, 15, 31]
    wanted = curve_by_hand(embedding, labels.astype(int), groups, [1, 3, 7, 15, 31])
    assert np.allclose([float(line[1]) for line in lines[1:]], wanted, atol=1e-6)
    assert (tmp_path / "c.csv").read_text() == result.stdout
    assert (tmp_path / "c.svg").read_text().count("<polyline") == 2 + 6  # and the grid
    refused = mbn("evaluate", mbn_path, "--retrieval", "--truth", tmp_path / "labels.npz", "--plot", tmp_path / "c.gif",
                  code=2)
    assert ".svg, .png or .pdf" in refused.stderr
    words = tmp_path / "labels.txt"
    words.write_text("".join(",".join(f"l{c}" for c in np.nonzero(row)[0]) + "\n" for row in labels))
    report = json_of(mbn("evaluate", mbn_path, "--retrieval", "--truth", words, "--groups",
                         tmp_path / "groups.npy", "--deepest", 40, "--json"))
    assert np.allclose(report["curves"][0]["accuracy"], wanted, atol=1e-6)
    assert report["curves"][0]["labelled"] == labels.any(axis=1).sum()


@pytest.mark.parametrize("option, needed", [("--part=1/2", "--retrieval"), ("--deepest=5", "--retrieval"),
                                            ("--curve=c.csv", "--retrieval"), ("--layer=1", "--correlation")])
def test_options_that_would_do_nothing_are_refused(mbn, shared, option, needed):
    told = mbn("evaluate", shared.rows, "--data", shared.rows, option, code=2).stderr
    assert option.split("=")[0] in told and needed in told


def test_retrieval_needs_labels(mbn, shared):
    assert "--truth" in mbn("evaluate", shared.rows, "--retrieval", code=2).stderr
    assert "give one" in mbn("evaluate", shared.labels, shared.labels, "--truth", shared.labels,
                             code=2).stderr


@pytest.mark.slow
def test_a_question_to_62765_documents_takes_less_than_50_ms(mbn, tmp_path):
    random = np.random.default_rng(1)
    words = np.array([f"word{i}" for i in range(3000)])
    docs = tmp_path / "docs.txt"
    docs.write_text("".join(" ".join(words[random.zipf(1.3, 20) % 3000]) + "\n" for _ in range(62765)))
    mbn("index", docs, "-o", tmp_path / "index", timeout=600)
    answer = json_of(mbn("search", tmp_path / "index", *["word7 word90 word2000"] * 20, "--json"))
    seconds = sorted(query["seconds"] for query in answer["queries"])
    assert seconds[len(seconds) // 2] < 0.05


def test_part_cuts_data_labels_and_groups_alike(mbn, save, tmp_path):
    """Train on one half, retrieve in the other: the halves never have to be files."""
    rows = np.arange(40, dtype=np.float32).reshape(20, 2) % 7
    labels = np.arange(20, dtype=np.int32) % 3
    data, truth = save(rows, "rows.npy"), save(labels, "truth.npy")
    groups = save(labels % 2, "groups.npy")
    mbn("fit", data, "--part", "1/2", "-o", tmp_path / "net.mbn", "--clusterings", 20)
    assert json_of(mbn("info", tmp_path / "net.mbn", "--json"))["training_rows"] == 10
    halves = []
    for part in ("1/2", "2/2"):
        out = tmp_path / f"map{part[0]}.npy"
        mbn("transform", tmp_path / "net.mbn", data, "--part", part, "-o", out)
        halves.append(np.load(out))
    mbn("transform", tmp_path / "net.mbn", data, "-o", tmp_path / "whole.npy")
    whole = {row.tobytes() for row in np.load(tmp_path / "whole.npy")}
    assert {row.tobytes() for half in halves for row in half} == whole
    curve = json_of(mbn("evaluate", "--retrieval", tmp_path / "map2.npy", "--truth", truth,
                        "--groups", groups, "--part", "2/2", "--json"))["curves"][0]
    assert curve["queries"] == 10
    mbn("evaluate", "--retrieval", tmp_path / "map2.npy", "--truth", truth, code=2)
    for wrong in ("0/2", "3/2", "half", "1/", "1/2/3"):
        assert "is not like 1/2" in mbn("fit", data, "--part", wrong, "-o", tmp_path / "x.mbn",
                                        code=2).stderr
