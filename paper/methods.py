# SPDX-License-Identifier: Apache-2.0
"""From a problem to an embedding and to labels, by MBN or by a baseline. No labels are known here."""

import hashlib
import json
import os
import time
from dataclasses import replace

import numpy as np

from . import baselines

OWN = ("mbn", "mbn-auto", "mbn-defaults")
DEFAULTS = "mbn-defaults"  # the tool as it is; all others of our own have the paper's setting
MAPS = {"mbn-map": ["map"], "mbn-components": ["embed", "--components", 2]}  # verbs that draw, with all defaults


def options(settings):
    """{"feature_fraction": 1} as ["--feature-fraction", 1]; a list becomes several words."""
    words = []
    for key, value in settings.items():
        words += [f"--{key.replace('_', '-')}", *(value if isinstance(value, (list, tuple)) else [value])]
    return words


def network_options(setting, problem, settings, run, method="mbn"):
    """Of one of our own methods. What is written wins over --paper. The defaults for counts of words have the
    weighting that the documentation gives for them."""
    metric = {"metric": problem.metric} if problem.metric != "euclidean" else {}
    chosen = options({"clusters": problem.clusters, **metric, **_weighting(problem, method == DEFAULTS),
                      **setting.profile.network, **settings, "seed": run})
    return chosen if method == DEFAULTS else ["--paper", *chosen]


def _weighting(problem, wanted=True):
    return {"weighting": problem.weighting} if wanted and problem.weighting else {}


def k_means(setting, rows, clusters, run, labels):
    """The paper's: 50 starts, the one with the best objective. The same for every method."""
    return setting.mbn("cluster", rows, "--raw", "--clusters", clusters, "--restarts",
                       setting.profile.restarts, "--seed", run, "-o", labels)["seconds"]


def _save(path, array):
    """Whole or not at all: others read it while a run may end at any moment."""
    unfinished = path.parent / f"{path.name}.part"
    with open(unfinished, "wb") as file:
        np.save(file, np.ascontiguousarray(array, dtype=np.float32))
    os.replace(unfinished, path)


def _compute(problem, method, settings, seed, components, out):
    rows = problem.load()
    baselines.warm_up(method, rows)
    start = time.monotonic()
    embedding = baselines.METHODS[method](rows, components, seed, **settings)
    seconds = time.monotonic() - start
    _save(out, embedding)
    return seconds


def _made_once(setting, problem, method, settings, components):
    """(file, seconds) of an embedding without randomness, kept for the other runs."""
    told = json.dumps([problem.rows.stat().st_size, method, settings, components], sort_keys=True)
    stem = f"{problem.name}-{method}-{hashlib.sha256(told.encode()).hexdigest()[:8]}"
    file, clock = (setting.out / "cache" / f"{stem}.{ending}" for ending in ("npy", "json"))
    file.parent.mkdir(parents=True, exist_ok=True)
    if not clock.exists():
        seconds = _compute(problem, method, settings, 0, components, file)
        clock.write_text(json.dumps(seconds))
    return file, json.loads(clock.read_text())


def embed(setting, problem, method, settings, run, components, out):
    """Writes an embedding; (its file, what to report). Files made once are not at `out`."""
    if method in OWN:
        command = ["embed", problem.rows, *network_options(setting, problem, settings, run, method),
                   "--components", components, "-o", out]
        seconds = setting.mbn(*command)["seconds"]
        return out, {"seconds": seconds, "command": setting.show(["mbn", *command])}
    if method in baselines.REPEATABLE:
        file, seconds = _made_once(setting, problem, method, settings, components)
        return file, {"seconds": seconds}
    return out, {"seconds": _compute(problem, method, settings, run, components, out)}


def draw(setting, problem, prepared, method, run, out):
    """Writes a map of two columns; what to report. Our own verbs take the rows as they are and do to them what the
    metric and the weighting say; the others take the prepared rows (prepared.py), and the seconds of preparing them
    are theirs. Nobody is told the number of classes."""
    if method in MAPS:
        metric = {"metric": problem.metric} if problem.metric != "euclidean" else {}
        verb, *more = MAPS[method]
        command = [verb, problem.rows, *more, *options({**metric, **_weighting(problem), "seed": run}), "-o", out]
        return {"seconds": setting.mbn(*command)["seconds"], "command": setting.show(["mbn", *command])}
    ready = replace(problem, rows=prepared.rows, metric="euclidean", weighting="")
    return {"seconds": prepared.seconds + _compute(ready, method, {}, run, 2, out)}


def _k_means_of_sparse(setting, problem, run, labels):
    """The tool's k-means wants dense rows; scikit-learn's does the same on sparse ones."""
    from sklearn.cluster import KMeans
    rows = baselines.raw(problem.load(), None, None)
    start = time.monotonic()
    found = KMeans(problem.clusters, init="random", n_init=setting.profile.restarts, random_state=run).fit(rows)
    np.save(labels, found.labels_.astype(np.int32))
    return {"seconds": time.monotonic() - start}


def cluster(setting, problem, method, settings, run, files):
    """Writes labels.npy (and embedding.npy when asked to keep it) of one method."""
    labels, embedding = files("labels.npy"), files("embedding.npy")
    if method in OWN:
        command = ["cluster", problem.rows, *network_options(setting, problem, settings, run, method)]
        kept = ["--embedding", embedding] if setting.keep_embeddings else []
        told = setting.mbn(*command, "--restarts", setting.profile.restarts, *kept, "-o", labels)
        return {"seconds": told["seconds"], "command": setting.show(["mbn", *command]),
                **({"decay": told["selection"]["decay"]} if "selection" in told else {})}
    if method == "raw":
        if problem.sparse:
            return _k_means_of_sparse(setting, problem, run, labels)
        return {"seconds": k_means(setting, problem.rows, problem.clusters, run, labels)}
    file, told = embed(setting, problem, method, settings, run, problem.clusters, embedding)
    told["seconds"] += k_means(setting, file, problem.clusters, run, labels)
    if file == embedding and not setting.keep_embeddings:
        embedding.unlink()
    return told
