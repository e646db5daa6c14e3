# SPDX-License-Identifier: Apache-2.0
"""Why a score of MBN is below the paper's, by data set and column. An experiment supports each reason."""

from .results import mean_of


def _other_draws(results):
    """Accuracy of the best decay over the draws of the experiment `subsets`, and how many are below the one drawn."""
    own = results.best(results.select("clustering", "mnist5k", "mbn"), "accuracy").mean("accuracy").mean
    best = [results.best(results.select("subsets", name), "accuracy") for name in results.data_names("subsets")]
    found = [cell.mean("accuracy").mean for cell in best if cell]
    if not found:
        return "`--only subsets` looks for the reason and has not been run."
    return (f"The likely cause is the draw of images, which the paper does not name: over {len(found)} other draws of "
            f"as many images of each digit, one fit each, the best decay has {mean_of(found).percent()} % accuracy "
            f"({100 * min(found):.1f} to {100 * max(found):.1f}), and {sum(score < own for score in found)} of them "
            f"have less than the {100 * own:.1f} % of this one; `--only subsets` below.")


EXPLANATIONS = {("mnist5k", "mbn-best"): _other_draws}


def explain(results, name, column):
    told = EXPLANATIONS.get((name, column))
    return told(results) if told else "Not explained yet."
