# SPDX-License-Identifier: Apache-2.0
"""Runs as a table of Markdown."""

HEADER = "| data | classes | found | runners-up (first seed) | NMI | decay, scale |\n|---|---|---|---|---|---|"


def line(runs):
    """Of all runs of one set."""
    found = ", ".join(str(run.clusters) for run in runs)
    others = ", ".join(map(str, runs[0].runners_up)) or "-"
    settings = ", ".join(dict.fromkeys(f"{run.decay:g} {run.scale}" for run in runs))
    nmi = sum(run.nmi for run in runs) / len(runs)
    return f"| {runs[0].name} | {runs[0].classes} | {found} | {others} | {nmi:.1f} | {settings} |"


def summary(all_runs):
    """How often the number was right, and the mean NMI over sets."""
    count = len(all_runs)
    right = sum(run.is_right for run in all_runs)
    shown = sum(run.is_shown for run in all_runs)
    nmi = sum(run.nmi for run in all_runs) / count
    return (f"{right} of {count} runs have the right number (within 20 %, or one), {shown} show it; "
            f"mean NMI {nmi:.1f}; {sum(run.seconds for run in all_runs):.0f} s")
