# SPDX-License-Identifier: Apache-2.0
"""From a problem to an embedding and to labels, by MBN or by a baseline. No labels are known here."""

import hashlib
import json
import os
import time

import numpy as np

from . import baselines

OWN = ("mbn", "mbn-auto")


def options(settings):
    """{"feature_fraction": 1} as ["--feature-fraction", 1]; a list becomes several words."""
    words = []
    for key, value in settings.items():
        words += [f"--{key.replace('_', '-')}", *(value if isinstance(value, (list, tuple)) else [value])]
    return words


def network_options(setting, problem, settings, run):
    metric = {"metric": problem.metric} if problem.metric != "euclidean" else {}
    return options({"clusters": problem.clusters, **metric, **setting.profile.network, **settings,
                    "seed": run})


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
        command = ["embed", problem.rows, *network_options(setting, problem, settings, run),
                   "--components", components, "-o", out]
        seconds = setting.mbn(*command)["seconds"]
        return out, {"seconds": seconds, "command": setting.show(["mbn", *command])}
    if method in baselines.REPEATABLE:
        file, seconds = _made_once(setting, problem, method, settings, components)
        return file, {"seconds": seconds}
    return out, {"seconds": _compute(problem, method, settings, run, components, out)}


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
        command = ["cluster", problem.rows, *network_options(setting, problem, settings, run)]
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
