# SPDX-License-Identifier: Apache-2.0
"""One function that opens every file of ours."""

import os
from typing import Any, Union

from . import _core


def load(path: Union[str, "os.PathLike[str]"]) -> Any:
    """Opens anything that this library or its tool wrote, as what it is.

    A network becomes an :class:`mbn.MBNClustering` when it has clusters, an :class:`mbn.MBNMap`
    when it has a map and its components were left to the rule, else an :class:`mbn.MBN`. (All
    three read any network that has what they need: `MBN.load(path)`.) A student becomes an
    :class:`mbn.Student`, an index an :class:`mbn.Index`, a latent semantic analysis an
    :class:`mbn.Lsa`, a vocabulary a :class:`mbn.Vectorizer`.

    >>> import mbn
    >>> rows, _ = mbn.generate("gaussians", rows=200, columns=8, random_state=1)
    >>> mbn.MBNClustering(3, n_clusterings=50).fit(rows).save("three.mbn", overwrite=True)
    >>> net = mbn.load("three.mbn")
    >>> type(net).__name__, net.labels_.shape
    ('MBNClustering', (200,))
    """
    path = os.fspath(path)
    kind = _core.file_kind(path)
    if kind == "model":
        return _network(path)
    if kind == "student":
        from .student import load_student
        return load_student(path)
    if kind in ("index", "vocabulary"):
        from .text import Index, Vectorizer
        return (Index if kind == "index" else Vectorizer).load(path)
    if kind == "lsa":
        from .lsa import Lsa
        return Lsa.load(path)
    if kind == "checkpoint":
        raise ValueError(f"{path} is a checkpoint of an unfinished fit; the same fit with "
                         f"checkpoint={path!r} goes on from it")
    raise ValueError(f"{path} is not a file of mbn; mbn.read reads data")


def _network(path):
    from .estimators import MBN, MBNClustering, MBNMap
    model = _core.Model.load(path)
    if len(model.cluster_centres):
        return MBNClustering._from_model(model)
    if model.options["map"] and model.options["components"] is None:
        return MBNMap._from_model(model)
    return MBN._from_model(model)
