# SPDX-License-Identifier: Apache-2.0
"""mbn beside its peers: fresh process per measurement, interleaved, resumable.

command_line -> peers, kinds, growth, plan   which cases there are
             -> data, sources         the rows, from a folder or a package, as files
             -> session               one case after another, each recorded at once
             -> ..process             a pinned, limited, watched process: worker (peers) or mbn_worker
             -> scores                the same scores for every method: `mbn evaluate`
             -> records               results.jsonl: what is done, what is out of reach
             -> summary, report       medians, compare.json, the blocks of docs/performance.md

Only `worker`, `methods` and `weighting` need packages from PyPI; all else is the standard library, so that the
driver stays small in memory and runs with any Python from 3.9.
"""
