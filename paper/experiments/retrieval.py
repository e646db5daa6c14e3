# SPDX-License-Identifier: Apache-2.0
"""Document retrieval by the protocol of bench/retrieval: LSA beside MBN with k1 = 500 and 2000."""

from bench import retrieval_protocol

from .. import data
from ..figures_of_the_paper import RETRIEVAL_GAIN
from ..pictures import CurvesPanel
from ..results import mean_of, table
from ..tasks import Task
from . import common

ID = "retrieval"
TITLE = "Document retrieval"
DEPTHS = (1, 7, 31, 127, 511)


def prepare(setting, name):
    """(data set, its counts of the commonest words)."""
    found = data.find(setting, name)
    counts = setting.out / "data" / f"{name}-{setting.profile.words}-words.npz"
    if not counts.exists():
        unfinished = counts.with_name("unfinished.npz")
        retrieval_protocol.commonest_words(found.problem.rows, unfinished, setting.profile.words)
        unfinished.replace(counts)
    return found, counts


def methods(setting, found, counts, folder):
    """{name: method}, in the protocol's order."""
    listed = retrieval_protocol.methods(counts, folder, setting.profile.text_components, found.problem.clusters,
                                        setting.profile.drawn)
    return {method.name: method for method in listed}


def training(method, run):
    """Networks have the paper's setting."""
    return [*method.train, *(["--paper"] if method.name.startswith("mbn") else []), "--seed", run]


def curve(setting, found, embedding):
    told = retrieval_protocol.score(setting.tool, [embedding], found.problem.rows.parent)[0]
    return {"retrieved": told["retrieved"], "curve": told["accuracy"]}


def _work(setting, task, files):
    found, counts = prepare(setting, task.data)
    method = methods(setting, found, counts, files("").parent)[task.method]
    command = training(method, task.run)
    trained = setting.mbn(*command)
    seen = setting.mbn(*method.embed, "-o", files("map.npy"))
    result = {"seconds": trained["seconds"], "prediction_seconds": seen["seconds"],
              "command": setting.show(["mbn", *command]), **curve(setting, found, files("map.npy"))}
    files("map.npy").unlink()
    return result


def tasks(setting):
    made = []
    for found in data.find_all(setting, setting.profile.texts):
        names = list(methods(setting, found, "counts", setting.out))
        made += [Task(ID, found.name, name, {"words": setting.profile.words}, run, _work)
                 for run in common.runs(setting, ID) for name in names]
    return made


def at(cell, depth):
    """Mean accuracy at a depth, over runs."""
    return mean_of(record["curve"][record["retrieved"].index(depth)] for record in cell.good
                   if depth in record["retrieved"])


def title(method):
    kind, which, size = method.split("-")
    if kind == "lsa":
        return f"LSA{' of rows of norm 1' if which == 'cosine' else ''}, {size} dimensions"
    return f"MBN, {size} dimensions, k1 = {which}"


def curve_table(cells, titles):
    rows = []
    for cell in cells:
        found = [at(cell, depth) for depth in DEPTHS]
        if cell.good:
            rows.append([titles(cell.method), *(mean.percent() if mean else "" for mean in found), len(cell.good)])
    return table(["retrieved", *DEPTHS, "runs"], rows)


def _lines(cells, size):
    return {title(cell.method).replace(f", {size} dimensions", ""):
            [(depth, 100 * at(cell, depth).mean) for depth in cell.good[0]["retrieved"]]
            for cell in cells if cell.good and cell.method.endswith(f"-{size}")}


def section(results, pictures):
    paragraphs = ["Trained on one random half; documents of the other half retrieve each other. Accuracy in percent: "
                  "the share of the nearest documents with a label of the query. The 804,414 Reuters stories of the "
                  f"paper are not free; there MBN is {RETRIEVAL_GAIN[500]} (k1 = 500) and {RETRIEVAL_GAIN[2000]} "
                  "points (k1 = 2000) above LSA."]
    panels = []
    for name in results.data_names(ID):
        cells = results.select(ID, name)
        paragraphs += [f"### {data.title(name)}", curve_table(cells, title), _gains(cells),
                       common.command_of([cell for cell in cells if cell.method.startswith("mbn")])]
        for size in results.setting.profile.text_components:
            lines = _lines(cells, size)
            if lines:
                panels.append(CurvesPanel(f"{data.title(name)}, {size} dimensions", "retrieved", "%", lines,
                                          logarithmic=True))
    if panels:
        paragraphs.append(pictures.curves(ID, "Accuracy of retrieval", panels, columns=2))
    return paragraphs


def _gains(cells):
    """MBN less the better LSA of as many dimensions, at the first hit."""
    sentences = []
    for cell in cells:
        if cell.method.startswith("mbn") and cell.good:
            gain = at(cell, 1).mean - _best_lsa(cells, cell.method.rsplit("-", 1)[1], 1)
            sentences.append(f"{title(cell.method)}: {100 * gain:+.1f} points at the first hit")
    return "Above the better LSA of as many dimensions: " + "; ".join(sentences) + "." if sentences else ""


def _best_lsa(cells, size, depth):
    return max((at(cell, depth).mean for cell in cells
                if cell.method.startswith("lsa") and cell.method.endswith(f"-{size}") and cell.good), default=0)


def losses(results):
    sentences = []
    for name in results.data_names(ID):
        cells = results.select(ID, name)
        for cell in cells:
            if not cell.method.startswith("mbn") or not cell.good:
                continue
            size = cell.method.rsplit("-", 1)[1]
            behind = [(depth, 100 * at(cell, depth).mean, 100 * _best_lsa(cells, size, depth)) for depth in DEPTHS
                      if at(cell, depth) and at(cell, depth).mean < _best_lsa(cells, size, depth)]
            if behind:
                told = ", ".join(f"{own:.1f} against {other:.1f} at {depth}" for depth, own, other in behind)
                sentences.append(f"Retrieval of {data.title(name)}: {title(cell.method)} is below LSA: {told}.")
    return sentences
