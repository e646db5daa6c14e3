# SPDX-License-Identifier: Apache-2.0
"""The Markdown of what was measured."""

import statistics

HEAD = ("fit", "engine", "old, s", "new, s", "new / old", "old, MB", "new, MB", "same bytes")


def _spread(values):
    """Median, and in brackets the range when there was more than one round."""
    text = f"{statistics.median(values):.2f}"
    return text + (f" ({min(values):.2f} – {max(values):.2f})" if len(values) > 1 else "")


def line(name, old, new):
    if old.fault or new.fault:
        told = "; ".join(f"{title} failed" for title, found in (("old", old), ("new", new)) if found.fault)
        return [name, told, *[""] * (len(HEAD) - 2)]
    engine = new.engine if old.engine == new.engine else f"{old.engine}, now {new.engine}"
    return [name, engine, _spread(old.seconds), _spread(new.seconds),
            f"{statistics.median(new.seconds) / statistics.median(old.seconds):.2f}",
            f"{statistics.median(old.megabytes):.0f}", f"{statistics.median(new.megabytes):.0f}",
            "yes" if old.answer == new.answer else "no"]


def table(rounds):
    lines = [line(case.name, *(rounds.timings[case.name, tool.title] for tool in rounds.tools))
             for case in rounds.cases]
    return "\n".join(["| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD),
                      *("| " + " | ".join(parts) + " |" for parts in lines)])
