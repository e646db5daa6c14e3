# SPDX-License-Identifier: Apache-2.0
"""Scores against the paper's tables, in its setting (--paper, decay 0.5).

MBN_DATA    the folder of data sets
MBN_SEEDS   how many seeds are averaged (10)
"""

import json
import os

import numpy as np
import pytest

from paper.figures_of_the_paper import figure

# name: clusters; of the paper's data sets those that take seconds
CLUSTERS = {"wine": 3, "new_thyroid": 3, "dermatology": 6, "umist": 20, "orl": 40, "isolet1": 26, "mnist5k": 10}


@pytest.fixture(scope="module")
def table(request):
    """Lines of the table, printed when the module is done, also when output is captured."""
    lines = []
    yield lines
    if not lines:
        return
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print("\n\n| data | NMI | paper | accuracy | paper | seconds per fit |\n"
              "|---|---|---|---|---|---|")
        print("\n".join(lines))


@pytest.mark.slow
@pytest.mark.parametrize("name", CLUSTERS)
def test_no_worse_than_the_paper(name, mbn, real_data, table):
    folder = real_data(name)
    nmi_paper, accuracy_paper = (figure(score, name, "mbn") for score in ("nmi", "accuracy"))
    seeds = int(os.environ.get("MBN_SEEDS", 10))
    runs = [json.loads(mbn("cluster", folder / "X.npy", "--clusters", CLUSTERS[name], "--truth",
                           folder / "y.npy", "--seed", seed, "--paper", "--json", "--quiet",
                           timeout=1800).stdout)
            for seed in range(seeds)]
    nmi = np.array([100 * run["nmi"] for run in runs])
    accuracy = np.array([100 * run["accuracy"] for run in runs])
    seconds = np.mean([run["seconds"] for run in runs])
    table.append(f"| {name} | {nmi.mean():.2f} +- {nmi.std():.2f} | {nmi_paper} "
                 f"| {accuracy.mean():.2f} +- {accuracy.std():.2f} | {accuracy_paper} | {seconds:.1f} |")
    for score, measured, paper in (("NMI", nmi, nmi_paper), ("accuracy", accuracy, accuracy_paper)):
        assert paper.distance(measured.mean() / 100) >= -2, (
            f"{name}: {score} {measured.mean():.2f} over {seeds} seeds; the paper has {paper}")
