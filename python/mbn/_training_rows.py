# SPDX-License-Identifier: Apache-2.0
"""What an estimator knows of its training rows, also when it comes from a file.

`fit` leaves `embedding_`, `labels_` and their like. A `.mbn` file has none of them, but it holds the
training rows that at least one clustering drew, in their order. Where those are all training rows,
the library makes the attributes again, to the same bytes, when one is asked for. Elsewhere there is
no such attribute, and the error says which method answers for any rows.
"""


class OfTrainingRows:
    """For estimators with `model_`, `layers_` and `_run`."""

    # Attributes, with the library's words for them.
    _outputs = {"embedding_": "embedding", "map_": "map"}

    def _take_output(self, output):
        for name, key in self._outputs.items():
            self.__dict__.pop(name, None)
            if len(output[key]):
                setattr(self, name, output[key])

    def __getattr__(self, name):
        if name not in self._outputs or "model_" not in self.__dict__:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        if self._outputs[name] == "map" and not self.model_.options["map"]:
            raise AttributeError(f"there is no {name}: the network was fitted without a map")
        if not self.model_.holds_training_rows:
            method = {"embedding_": "transform", "map_": "transform_map", "labels_": "predict",
                      "confidence_": "confidence"}[name]
            raise AttributeError(f"there is no {name}: {self._lacks_rows()}; {method}(X) gives it "
                                 "for any rows")
        self._take_output(self._run(type(self).__name__, self.model_.training_output))
        if name not in self.__dict__:
            raise AttributeError(f"there is no {name}: the model's file is older than it; fit again")
        return self.__dict__[name]

    def _lacks_rows(self):
        if self.model_.updated_rows:
            return (f"this network was updated on {self.model_.updated_rows} rows, which its file "
                    "does not hold")
        return (f"the file of this network holds {self.layers_[0].kept_rows} of its "
                f"{self.model_.training_rows} training rows")
