# SPDX-License-Identifier: Apache-2.0
"""Tasks that several experiments are made of, and sentences that several sections end with."""

import numpy as np

from .. import data, methods, scores
from ..baselines import MODULES, TITLES
from ..environment import has
from ..pictures import MapPanel
from ..results import percent, seconds, table
from ..tasks import Task


def runs(setting, experiment):
    return range(min(setting.runs, setting.profile.runs.get(experiment, 10)))


def peers(methods=("umap", "pacmap")):
    """Those of today that are installed; a smoke run does without."""
    return [method for method in methods if has(MODULES[method])]


def cluster_and_score(setting, task, files):
    """Labels by the task's method, then their scores. The method never sees the truth."""
    found = data.find(setting, task.data)
    told = methods.cluster(setting, found.problem, task.method, task.settings, task.run, files)
    return {**told, **scores.of_labels(setting, files("labels.npy"), found.truth)}


def _keep(source, target):
    if source != target:
        np.save(target, np.load(source))


def map_and_score(setting, task, files):
    """A map in two dimensions, k-means on it, and the scores of both."""
    found = data.find(setting, task.data)
    made, told = methods.embed(setting, found.problem, task.method, task.settings, task.run, 2,
                               files("map.npy"))
    _keep(made, files("map.npy"))
    return {**told, **score_map(setting, found, files("map.npy"), files("labels.npy"), task.run)}


def score_map(setting, found, embedding, labels, run):
    methods.k_means(setting, embedding, found.problem.clusters, run, labels)
    return {**scores.of_labels(setting, labels, found.truth), **scores.nearest_neighbour(embedding, found.truth),
            **scores.of_map(setting, embedding, found.problem.rows)}


def map_tasks(setting, experiment, name, choices):
    """choices: (method, settings). None where the data are not there."""
    if data.find(setting, name) is None:
        return []
    return [Task(experiment, name, method, settings, run, map_and_score)
            for run in runs(setting, experiment) for method, settings in choices]


def truth_of(results, name):
    return np.load(data.find(results.setting, name).truth)


def panels(results, cells, name):
    """Panels for Pictures.maps: the map of run 0 of each cell."""
    labels = truth_of(results, name)
    for cell in cells:
        file = results.file(cell, "map.npy")
        if file is not None:
            yield MapPanel(title(cell), np.load(file), labels)


def title(cell):
    """The method, with the settings that make it another line of a table."""
    shown = {"neighbours": "{} neighbours", "perplexity": "perplexity {}", "decay": "decay {}",
             "width": "width {:g} A"}
    words = [shown[key].format(value) for key, value in cell.settings.items() if key in shown]
    return ", ".join([TITLES.get(cell.method, cell.method), *words])


def best_of_each(results, cells, score):
    """One cell for each method: where a method was tuned, its best."""
    by_method = {}
    for cell in cells:
        by_method.setdefault(cell.method, []).append(cell)
    return [found for found in (results.best(group, score) for group in by_method.values()) if found]


MAP_SCORES = {"nmi": "NMI of k-means on the map of two dimensions", "one_nn": "1-NN on the map",
              "trustworthiness": "trustworthiness of the map"}


def losses_of_maps(results, experiment, chosen=tuple(MAP_SCORES)):
    """Sentences for the maps in which a baseline has the better score."""
    return [sentence for name in results.data_names(experiment) for score in chosen
            for sentence in _loss_of_map(results, experiment, name, score)]


def _loss_of_map(results, experiment, name, score):
    cells = results.select(experiment, name)
    own = results.best([cell for cell in cells if cell.method == "mbn"], score)
    if own is None:
        return []
    others = [cell for cell in best_of_each(results, cells, score) if cell.method not in methods.OWN]
    ahead = [f"{title(cell)} {cell.mean(score).short}" for cell in
             sorted(others, key=lambda cell: -cell.mean(score).mean)
             if cell.mean(score).mean > own.mean(score).mean]
    if not ahead:
        return []
    return [f"{data.title(name)}, {MAP_SCORES[score]}: MBN {own.mean(score).short}, below {', '.join(ahead)}."]


def map_table(cells):
    return table(["map", "NMI of k-means", "accuracy", "1-NN", "trustworthiness", "runs", "seconds"],
                 [[title(cell), *(percent(cell, score) for score in ("nmi", "accuracy", "one_nn", "trustworthiness")),
                   len(cell.good), seconds(cell)] for cell in cells])


def section_of_maps(results, pictures, experiment, words, picture, columns=3):
    """What was done in words, a table with the best setting of each method, and the maps."""
    cells = best_of_each(results, results.select(experiment), "nmi")
    shown = panels(results, cells, results.data_names(experiment)[0])
    return [words, map_table(cells),
            pictures.maps(experiment, picture, shown, columns=columns), command_of(cells)]


def command_of(cells):
    """The command of the first of our own networks, as a block."""
    command = next((cell.command for cell in cells if cell.command), "")
    return f"```sh\n{command}\n```" if command else ""
