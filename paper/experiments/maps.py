# SPDX-License-Identifier: Apache-2.0
"""Maps in two dimensions beside those of today's methods, scored near by, at large, and by the classes."""

from .. import data, methods, scores
from ..baselines import TITLES
from ..prepared import CELL_DIRECTIONS, WORD_DIRECTIONS, prepare
from ..results import percent, seconds, table
from ..tasks import Task
from . import common

ID = "maps"
TITLE = "All data sets"
OWN = "mbn-map"
PEERS = ("umap", "pacmap", "localmap", "opentsne")
SCORES = {"nmi": "NMI of k-means", "one_nn": "1-NN", "trustworthiness": "trustworthiness",
          "continuity": "continuity", "random_triplets": "random triplets", "centroid_triplets": "centroid triplets"}
BESIDE = "umap"  # whom the summary counts against
# Of the others the numbers say enough.
PICTURED = ("mnist", "fashion-mnist", "coil100", "20news", "glove", "bladder", "mnist5k", "digits", "texts", "cells")
# Labels were looked at while the rules of the map were made.
DEVELOPED_ON = ("mnist", "fashion-mnist", "orl", "umist", "isolet1", "jain", "pathbased", "compound", "wine", "new_thyroid",
                "dermatology", "letter", "mnist5k", "aml_all", "bladder", "coil100", "reuters21578")


def _work(setting, task, files):
    found = data.find(setting, task.data)
    prepared = prepare(setting, found.problem)
    told = methods.draw(setting, found.problem, prepared, task.method, task.run, files("map.npy"))
    return {**told, **scores.of_map_and_classes(setting, files("map.npy"), prepared.rows, found.truth)}


def tasks(setting):
    return [Task(ID, found.name, method, {}, run, _work) for found in data.find_all(setting, setting.profile.maps)
            for run in common.runs(setting, ID) for method in (*methods.MAPS, *common.peers(PEERS))]


def _table(cells):
    return table(["map", *SCORES.values(), "runs", "seconds"],
                 [[common.title(cell), *(percent(cell, score) for score in SCORES), len(cell.good), seconds(cell)]
                  for cell in cells])


def _names(results):
    """Data of which our map and at least one of a peer are there."""
    return [name for name in results.data_names(ID)
            if {OWN} < {cell.method for cell in results.select(ID, name) if cell.good}]


def _summary(results, score):
    methods_shown = (OWN, *PEERS)
    rows = []
    for name in _names(results):
        cells = [results.one(ID, name, method) for method in methods_shown]
        best = results.best([cell for cell in cells if cell], score)
        rows.append([data.title(name) + "*" * (name in DEVELOPED_ON),
                     *(_marked(cell, score, cell is best) if cell and cell.good else "" for cell in cells)])
    return table(["data", *(TITLES[method] for method in methods_shown)], rows)


def _marked(cell, score, is_best):
    return f"**{percent(cell, score)}**" if is_best else percent(cell, score)


def _count(results, score, slack=0.01):
    """How often our mean is above UMAP's, and where it is below by more than a point."""
    pairs = {name: tuple(cell.mean(score).mean for cell in (results.one(ID, name, OWN), results.one(ID, name, BESIDE)))
             for name in _names(results) if _has(results.one(ID, name, BESIDE), score)}
    if not pairs:
        return ""
    above = sum(ours > theirs for ours, theirs in pairs.values())
    below = [f"{data.title(name)} (by {100 * (theirs - ours):.1f})" for name, (ours, theirs) in pairs.items()
             if ours < theirs - slack]
    return (f"MBN is above {TITLES[BESIDE]} on {above} of {len(pairs)} data sets, and below by more than a point on "
            f"{', '.join(below) or 'none'}.")


def _has(cell, score):
    return cell is not None and cell.mean(score) is not None


def section(results, pictures):
    shown = [part for score in ("nmi", "one_nn", "trustworthiness")
             for part in (f"### {SCORES[score]}", _count(results, score), _summary(results, score))]
    return [*_words(), *shown, *_data_sets(results, pictures)]


def _words():
    return ["Two dimensions, in percent. Near by: trustworthiness (neighbours on the map are near in the data) and "
            "continuity (the other way round), of 15 neighbours. At large: the share of triplets whose nearer pair "
            "is the same in the data and on the map, of random rows (chance is 50) and of the centroids of the "
            f"classes. These ask {scores.MAP_SAMPLE:,} rows. Of the classes: NMI of k-means with 10 starts, as many "
            "clusters as classes, and 1-NN, of all rows. `mbn evaluate` scores all maps alike, against the rows "
            "that the peers were given, which favours them where MBN was given others: of words the peers get tf-idf in "
            f"{WORD_DIRECTIONS} singular directions with norm 1, of cells counts of equal sizes, log(1 + x), in "
            f"{CELL_DIRECTIONS} principal components, of word vectors rows of norm 1, and their seconds "
            "include preparing these. MBN gets the counts and vectors with `--weighting` and `--metric`. All have "
            "their defaults; t-SNE has all cores, and nobody is told the number of classes. Seconds are by the clock, whatever else the machine did.",
            "The best of a line is bold; a cell without ± is one run. *: labels of this set were looked at while the map's rules "
            "were made, so it is development data."]


def _data_sets(results, pictures):
    paragraphs = []
    for name in results.data_names(ID):
        cells = [cell for cell in results.select(ID, name) if cell.good]
        if cells:
            paragraphs += [f"### Maps of {data.title(name)}", _table(cells), _picture(results, pictures, cells, name),
                           common.command_of(cells)]
    return paragraphs


def _picture(results, pictures, cells, name):
    if name not in PICTURED:
        return ""
    return pictures.maps(f"{ID}-{name}", f"Maps of {data.title(name)}", common.panels(results, cells, name), columns=3)


def losses(results):
    """Where one of today's methods has the better mean than our map."""
    return [sentence for name in results.data_names(ID) for score in SCORES
            for sentence in _behind(results, name, score)]


def _behind(results, name, score):
    own = results.one(ID, name, OWN)
    ours = own.mean(score) if own else None
    if ours is None:
        return []
    found = [(common.title(cell), cell.mean(score)) for cell in results.select(ID, name) if cell.method in PEERS]
    ahead = [f"{title} {mean.short}" for title, mean in
             sorted(((title, mean) for title, mean in found if mean), key=lambda pair: -pair[1].mean)
             if mean.mean > ours.mean]
    if not ahead:
        return []
    return [f"{data.title(name)}, map, {SCORES[score]}: {common.title(own)} {ours.short}, below {', '.join(ahead)}."]
