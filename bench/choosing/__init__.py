# SPDX-License-Identifier: Apache-2.0
"""What the tool chooses without labels, on sets that have them: bench/choose --help.

command_line -> sets    the split: sets that may be looked at, and sets that are opened once
             -> runs    the tool on each set, scored against the labels
             -> table   one line for each set, and how many are right
peers                   HDBSCAN on UMAP, and EVoC, on the same sets

Needs NumPy and scikit-learn (and SciPy for sparse sets).
"""
