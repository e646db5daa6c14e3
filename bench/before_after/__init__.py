# SPDX-License-Identifier: Apache-2.0
"""Two builds of the tool on the same fits, in turns: bench/before-after OLD NEW.

command_line -> cases     one fit for each way through the library, and the rows that they read
             -> rounds    both tools on every case, one after the other, round after round
             -> table     medians, their ratio, peak memory, and whether the answers are the same bytes
"""
