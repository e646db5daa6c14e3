# SPDX-License-Identifier: Apache-2.0
"""A small network that does what a model does, faster, and that runs anywhere as ONNX."""

import os
import warnings
from typing import Any, Dict, List, NamedTuple, Optional, Union

import numpy as np

from . import _core
from ._frames import coded_as
from ._run import run_with, seed_of

KEYWORDS = {option["keyword"]: option["name"] for option in _core.compress_options()}


class Fidelity(NamedTuple):
    """How well a student follows its teacher on some rows."""

    rows: int
    r2: float
    """1 is a perfect copy, 0 no better than always saying the mean."""
    labels: Optional[float]
    """Share of the rows that get the teacher's cluster; None when the teacher has no clusters."""


class Student:
    """What :meth:`mbn.MBN.compress` returns and :func:`mbn.load_student` reads.

    >>> import mbn
    >>> rows, _ = mbn.generate("gaussians", rows=300, columns=8, random_state=1)
    >>> net = mbn.MBNClustering(3, n_clusterings=50).fit(rows)
    >>> student = net.compress(rows, hidden=[32, 32], epochs=40, batch_rows=32)
    >>> student.validation.r2 > 0.8, student.transform(rows).shape, student.predict(rows).shape
    (True, (300, 3), (300,))
    """

    def __init__(self, core: _core.Student):
        self._core = core
        self.training_loss: List[float] = []
        self.validation_loss: List[float] = []

    @property
    def info(self) -> Dict[str, Any]:
        """Sizes, options, fidelity, and the teacher's options and checksum."""
        return self._core.info

    @property
    def validation(self) -> Fidelity:
        """Fidelity on rows that were kept aside."""
        return Fidelity(**self.info["validation"])

    @property
    def training(self) -> Optional[Fidelity]:
        """Fidelity on rows it learned from; None when training was interrupted."""
        found = self.info["training"]
        return None if found is None else Fidelity(**found)

    @property
    def n_features_in_(self) -> int:
        """Columns that rows must have."""
        return self._core.columns

    def transform(self, X: Any, *, n_jobs: Optional[int] = None) -> np.ndarray:
        """The embedding, or one probability per cluster with the target "clusters"."""
        rows = self._rows(X)
        return run_with(n_jobs, None, 0, None, "Student",
                        lambda run: self._core.transform(rows, run))

    def predict(self, X: Any, *, n_jobs: Optional[int] = None) -> np.ndarray:
        """The cluster of each row, int32."""
        rows = self._rows(X)
        return run_with(n_jobs, None, 0, None, "Student", lambda run: self._core.predict(rows, run))

    def save(self, path: Union[str, "os.PathLike[str]"], overwrite: bool = False) -> None:
        """Writes an ONNX file, which any ONNX runtime and the tool can run."""
        self._core.save(os.fspath(path), overwrite)

    def to_bytes(self) -> bytes:
        """The bytes of such a file."""
        return self._core.to_bytes()

    def __reduce__(self):
        return student_from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        sizes = " -> ".join(str(size) for size in self.info["sizes"])
        return f"<mbn.Student {sizes}, R^2 {self.validation.r2:.4f}>"

    def _rows(self, X):
        info = self.info
        names = [column.name for column in info["coding"]] or info["column_names"]
        known = np.asarray(names, dtype=object) if info["column_names"] else None
        rows, _ = coded_as(X, info["coding"], info["column_means"], known, "Student")
        if rows.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {rows.shape[1]} features, but Student is expecting "
                             f"{self.n_features_in_} features as input.")
        return rows


def student_from_bytes(data: bytes) -> Student:
    """Pickles hold the bytes of an ONNX file and this name."""
    return Student(_core.Student.from_bytes(data))


def load_student(path: Union[str, "os.PathLike[str]"]) -> Student:
    """Reads an ONNX file that :meth:`mbn.Student.save` or the tool wrote."""
    return Student(_core.Student.load(os.fspath(path)))


def teach(model, rows, parameters, run):
    """Trains a student; Ctrl-C keeps the best so far."""
    options = {KEYWORDS[key]: value for key, value in parameters.items()}
    options["seed"] = seed_of(options["seed"])
    result = run(lambda how: _core.compress(model, rows, options, how))
    student = Student(result["student"])
    student.training_loss = result["training_loss"]
    student.validation_loss = result["validation_loss"]
    if result["stopped"]:
        warnings.warn("interrupted; this is the best student so far", RuntimeWarning, stacklevel=3)
    return student
