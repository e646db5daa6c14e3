# SPDX-License-Identifier: Apache-2.0
"""Compressive MBN: a student in the network's place, on digits and on documents."""

import numpy as np

from .. import data, methods, scores
from ..figures_of_the_paper import PREDICTION_SECONDS
from ..pictures import MapPanel
from ..results import table
from ..tasks import Task
from . import common, retrieval

ID = "compressive"
TITLE = "Compressive MBN"


def _teach(setting, task, files, rows, part=()):
    """Trains the student of the model at files("mbn"); (command, what the tool reported)."""
    learning = methods.options(task.settings["student"])
    command = ["compress", files("mbn"), rows, *part, *learning, "--seed", task.run, "-o", files("onnx")]
    return command, setting.mbn(*command)


def _both(setting, files, rows, ending, part=()):
    """Embeds rows by the model and by the student: {who: seconds}, and files <who>-<ending>.npy."""
    return {who: setting.mbn("transform", files(model), rows, *part, "-o", files(f"{who}-{ending}.npy"))["seconds"]
            for who, model in (("model", "mbn"), ("student", "onnx"))}


def _forget(files, *endings):
    for ending in endings:
        files(ending).unlink()


def _digits(setting, task, files):
    train, test = data.split(setting, task.data, task.settings["trained"])
    fit = ["fit", train.problem.rows, *methods.network_options(setting, train.problem, {"decay": 0.5}, task.run),
           "--components", task.settings["components"], "-o", files("mbn")]
    fitted = setting.mbn(*fit)
    compress, taught = _teach(setting, task, files, train.problem.rows)
    result = {"seconds": fitted["seconds"], "student_seconds": taught["seconds"],
              "command": "\n".join(setting.show(["mbn", *command]) for command in (fit, compress))}
    for ending, part in (("train", train), ("test", test)):
        result[f"{ending}_prediction_seconds"] = _both(setting, files, part.problem.rows, ending)
        result[f"{ending}_r2"] = scores.correlation_of_determination(files(f"model-{ending}.npy"),
                                                                    files(f"student-{ending}.npy"))
    for who in ("model", "student"):
        methods.k_means(setting, files(f"{who}-test.npy"), test.problem.clusters, task.run, files("labels.npy"))
        result[who] = scores.of_labels(setting, files("labels.npy"), test.truth)
    _forget(files, "mbn", "onnx")
    return result


def _documents(setting, task, files):
    found, counts = retrieval.prepare(setting, task.data)
    method = retrieval.methods(setting, found, counts, setting.out)[task.settings["network"]]
    fit = [files("mbn") if word == method.model else word for word in retrieval.training(method, task.run)]
    fitted = setting.mbn(*fit)
    compress, taught = _teach(setting, task, files, counts, ["--part", "1/2"])
    seconds = _both(setting, files, counts, "test", ["--part", "2/2"])
    result = {"seconds": fitted["seconds"], "student_seconds": taught["seconds"],
              "command": "\n".join(setting.show(["mbn", *command]) for command in (fit, compress)),
              "test_prediction_seconds": seconds,
              "train_r2": taught["training"]["r2"],
              "test_r2": scores.correlation_of_determination(files("model-test.npy"), files("student-test.npy")),
              **{who: retrieval.curve(setting, found, files(f"{who}-test.npy")) for who in ("model", "student")}}
    _forget(files, "mbn", "onnx", "model-test.npy", "student-test.npy")
    return result


def tasks(setting):
    profile, made = setting.profile, []
    for run in common.runs(setting, ID):
        name, trained = profile.layers["data"], profile.layers["trained"]
        if data.find(setting, name):
            made += [Task(ID, name, "digits", {"trained": trained, "components": components,
                                               "student": profile.student}, run, _digits) for components in (2, 10)]
        network = f"mbn-{profile.drawn[-1]}-{profile.text_components[0]}"
        made += [Task(ID, found.name, "documents", {"network": network, "words": profile.words,
                                                    "student": profile.text_student}, run, _documents)
                 for found in data.find_all(setting, profile.texts[:1])]
    return made


def _speed(record):
    seconds = record["test_prediction_seconds"]
    return f"{seconds['model']:.2f}", f"{seconds['student']:.2f}"


def _digits_rows(cells):
    for cell in cells:
        for record in cell.good:
            yield [cell.settings["components"], f"{record['train_r2']:.3f}", f"{record['test_r2']:.3f}",
                   *(f"{100 * record[who][score]:.1f}" for score in ("nmi", "accuracy")
                     for who in ("model", "student")),
                   *_speed(record), f"{record['student_seconds']:.0f}"]


def _maps(results, cells):
    cell = next((cell for cell in cells if cell.settings["components"] == 2 and cell.good), None)
    if cell is None:
        return
    labels, trained = common.truth_of(results, cell.data), cell.settings["trained"]
    for ending, words, truth in (("train", "training rows", labels[:trained]),
                                 ("test", "unseen rows", labels[trained:])):
        for who in ("model", "student"):
            yield MapPanel(f"{who}, {words}", np.load(results.file(cell, f"{who}-{ending}.npy")), truth)


def _documents_rows(record):
    depths = [depth for depth in retrieval.DEPTHS if depth in record["model"]["retrieved"]]
    for who in ("model", "student"):
        told = record[who]
        yield [who, *(f"{100 * told['curve'][told['retrieved'].index(depth)]:.1f}" if depth in depths else ""
                      for depth in retrieval.DEPTHS), f"{record['test_prediction_seconds'][who]:.2f}"]


def section(results, pictures):
    digits, documents = results.select(ID, method="digits"), results.select(ID, method="documents")
    paper = PREDICTION_SECONDS["mnist"]
    student = next(iter(digits or documents)).settings["student"]
    size = ", ".join(f"{key} {value}" for key, value in student.items())
    paragraphs = [f"A student ({size}) learns the network's map. R² is of its coordinates; NMI and accuracy are "
                  "of k-means on the unseen rows. The paper's "
                  f"student shows nearly the same map; there the prediction of 10,000 digits took {paper.network:,.0f} s by "
                  f"the network and {paper.student:.2f} s by the student."]
    if any(cell.good for cell in digits):
        paragraphs += [table(["dimensions", "R², training rows", "R², unseen", "NMI, network", "student",
                              "accuracy, network", "student", "seconds for the unseen, network", "student",
                              "seconds of training it"], _digits_rows(digits)),
                       pictures.maps(ID, "Digits by the network and by its student", _maps(results, digits)),
                       common.command_of(digits)]
    for cell in documents:
        for record in cell.good:
            paragraphs += [f"### Retrieval by the student, {data.title(cell.data)}",
                           f"R² {record['train_r2']:.3f} on training documents, {record['test_r2']:.3f} on the "
                           "others. The paper's student has almost the same curve as its network.",
                           table(["retrieved", *retrieval.DEPTHS, "seconds"], _documents_rows(record)),
                           common.command_of([cell])]
    return paragraphs


def losses(results):
    """Of the student against the network that it stands in for."""
    sentences = [f"{data.title(cell.data)}, student in {cell.settings['components']} dimensions, unseen rows: NMI "
                 f"{100 * record['student']['nmi']:.1f} %, its network {100 * record['model']['nmi']:.1f} %."
                 for cell in results.select(ID, method="digits") for record in cell.good
                 if record["student"]["nmi"] < record["model"]["nmi"] - 0.01]
    for cell in results.select(ID, method="documents"):
        for record in cell.good:
            own, student = (record[who]["curve"][0] for who in ("model", "student"))
            if student < own - 0.01:
                sentences.append(f"Retrieval of {data.title(cell.data)}: the student has {100 * student:.1f} % at "
                                 f"the first hit, its network {100 * own:.1f} %; the paper saw no difference.")
    return sentences
