# SPDX-License-Identifier: Apache-2.0
"""Why MBN falls short of the paper where it does, by data set and column. Each has an experiment behind it."""

EXPLANATIONS = {}
