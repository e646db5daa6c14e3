# SPDX-License-Identifier: Apache-2.0
"""Images with 30 % of their pixels missing at random: `--missing partial` beside whole images and means.

MBN_DATA    the folder of data sets
"""

import json

import numpy as np
import pytest

SEEDS = 3


@pytest.mark.slow
def test_nearly_as_good_as_whole_images_and_better_than_means(mbn, real_data, tmp_path):
    folder = real_data("mnist5k")
    whole = np.load(folder / "X.npy")

    def nmi(rows, seed, *options):
        np.save(tmp_path / "x.npy", rows)
        report = mbn("cluster", tmp_path / "x.npy", "--clusters", 10, "--truth", folder / "y.npy", "--seed", seed,
                     *options, "--json", "--quiet", timeout=1800).stdout
        return 100 * json.loads(report)["nmi"]

    complete, partial, means = [], [], []
    for seed in range(SEEDS):
        gaps = whole.astype(np.float32)
        gaps[np.random.default_rng(seed).random(gaps.shape) < 0.3] = np.nan
        complete.append(nmi(whole, seed))
        partial.append(nmi(gaps, seed, "--missing", "partial"))
        means.append(nmi(gaps, seed, "--missing", "mean"))
    found = f"NMI: whole {np.round(complete, 1)}, partial {np.round(partial, 1)}, means {np.round(means, 1)}"
    assert np.mean(partial) > np.mean(complete) - 5, found
    assert np.mean(partial) > np.mean(means), found
