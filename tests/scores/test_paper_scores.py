# SPDX-License-Identifier: Apache-2.0
"""Scores against the paper's tables, with its defaults and decay 0.5.

MBN_DATA    the folder of data sets
MBN_SEEDS   how many seeds are averaged (10)
"""

import json
import os

import numpy as np
import pytest

# name: clusters, then mean and standard deviation of NMI and of accuracy in the paper, in percent
PAPER = {
    "wine": (3, (55.49, 4.07), (81.91, 2.61)),
    "new_thyroid": (3, (68.80, 5.03), (93.02, 1.60)),
    "dermatology": (6, (82.40, 2.24), (82.81, 7.67)),
    "umist": (20, (74.48, 1.91), (56.96, 3.73)),
    "orl": (40, (79.22, 0.84), (59.68, 1.58)),
    "isolet1": (26, (77.89, 0.81), (61.13, 2.52)),
    "mnist5k": (10, (77.12, 0.35), (82.36, 0.46)),
}


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
@pytest.mark.parametrize("name", PAPER)
def test_no_worse_than_the_paper(name, mbn, real_data, table):
    folder = real_data(name)
    clusters, nmi_paper, accuracy_paper = PAPER[name]
    seeds = int(os.environ.get("MBN_SEEDS", 10))
    runs = [json.loads(mbn("cluster", folder / "X.npy", "--clusters", clusters, "--truth",
                           folder / "y.npy", "--seed", seed, "--decay", 0.5, "--json", "--quiet",
                           timeout=1800).stdout)
            for seed in range(seeds)]
    nmi = np.array([100 * run["nmi"] for run in runs])
    accuracy = np.array([100 * run["accuracy"] for run in runs])
    seconds = np.mean([run["seconds"] for run in runs])
    table.append(f"| {name} | {nmi.mean():.2f} +- {nmi.std():.2f} "
                 f"| {nmi_paper[0]} +- {nmi_paper[1]} | {accuracy.mean():.2f} +- {accuracy.std():.2f} "
                 f"| {accuracy_paper[0]} +- {accuracy_paper[1]} | {seconds:.1f} |")
    for score, measured, (mean, deviation) in (("NMI", nmi, nmi_paper),
                                               ("accuracy", accuracy, accuracy_paper)):
        assert measured.mean() >= mean - 2 * deviation, (
            f"{name}: {score} {measured.mean():.2f} over {seeds} seeds; the paper has {mean} +- "
            f"{deviation}")
