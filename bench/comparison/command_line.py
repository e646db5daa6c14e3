# SPDX-License-Identifier: Apache-2.0
"""bench/compare peers | kinds | quick | growth | million | plan | report"""

import argparse
import os
import signal
import sys
from pathlib import Path

from .. import ROOT, environment, process
from . import data, growth, kinds, peers, plan, report
from .catalogue import METHODS, PACKAGES
from .records import Records
from .session import Session, say

DESCRIPTION = """Measures mbn beside its peers on this machine. Every measurement is a process of its own,
pinned to its cores, and recorded in OUTPUT/results.jsonl at once: repeat a command that was
interrupted and it does what is missing. docs/performance.md explains the columns."""


def numbers(text):
    return [int(part) for part in text.split(",")]


def names(allowed):
    def parse(text):
        chosen = text.split(",")
        for name in chosen:
            if name not in allowed:
                raise argparse.ArgumentTypeError(f"'{name}' is none of {', '.join(allowed)}")
        return chosen
    return parse


def thread_counts(text):
    counts = numbers(text)
    if not all(1 <= count <= len(process.cores()) for count in counts):
        raise argparse.ArgumentTypeError(f"this machine has {len(process.cores())} cores, not {text}")
    return counts


def default_threads():
    return sorted({1, len(process.cores())})


def size(text):
    units = {"K": 10**3, "M": 10**6, "G": 10**9}
    text = text.upper().rstrip("B")
    return int(float(text[:-1]) * units[text[-1]]) if text[-1] in units else int(text)


def _common(parser, repeats=3, timeout=900, threads=None):
    threads = threads or default_threads()
    parser.add_argument("-o", "--output", default=ROOT / "build/compare", type=Path,
                        help="folder of results (build/compare)")
    parser.add_argument("--tool", type=Path, default=os.environ.get("MBN_TOOL", ROOT / "build/release/mbn"),
                        help="the mbn tool (MBN_TOOL, else build/release/mbn)")
    parser.add_argument("--repeats", type=int, default=repeats, help=f"runs of every case ({repeats})")
    parser.add_argument("--threads", type=thread_counts, default=threads,
                        help=f"thread counts, as 1,2 ({','.join(map(str, threads))})")
    parser.add_argument("--timeout", type=float, default=timeout,
                        help=f"seconds that a process may take ({timeout})")
    parser.add_argument("--process-memory", type=size, default=0, metavar="BYTES",
                        help="a process above it is ended, as 8G (90 %% of what is free)")
    parser.add_argument("--retry", action="store_true",
                        help="try again what failed or did not finish, say with a longer --timeout")


def _python(parser):
    parser.add_argument("--python", type=Path,
                        help="a Python that has the peers (else one is made in build/compare-venv)")


def _peers_verb(verbs):
    verb = verbs.add_parser("peers", help="mbn beside UMAP, openTSNE, PaCMAP, HDBSCAN, scikit-learn")
    _common(verb)
    methods = [name for name, entry in METHODS.items() if not entry.vectors]
    verb.add_argument("--data", type=names(data.IMAGES), default=["fashion-mnist"],
                      help=f"of {', '.join(data.IMAGES)} (fashion-mnist)")
    verb.add_argument("--rows", type=int, default=70000, help="rows, a random choice if fewer (70000)")
    verb.add_argument("--methods", type=names(methods), default=methods,
                      help=f"of {', '.join(methods)} (all)")
    verb.add_argument("--job", choices=["fit", "transform", "both"], default="both",
                      help="fit on all rows, or on six sevenths and embed the rest (both)")
    _python(verb)


def _kinds_verbs(verbs):
    verb = verbs.add_parser("kinds", help="many kinds of data: mbn beside UMAP, PaCMAP, openTSNE, EVoC")
    _common(verb, timeout=3600, threads=[len(process.cores())])
    heavy = [name for name, kind in kinds.KINDS.items() if kind.heavy]
    verb.add_argument("--only", type=names(kinds.KINDS), default=kinds.usual(), metavar="LINES",
                      help=f"lines of the table, of {', '.join(kinds.KINDS)} (all but {' and '.join(heavy)})")
    verb.add_argument("--methods", type=names(kinds.METHODS), default=list(kinds.METHODS),
                      help=f"of {', '.join(kinds.METHODS)} (all)")
    _python(verb)

    verb = verbs.add_parser("quick", help="scores of mbn's default engine beside exact search")
    _common(verb, repeats=5, timeout=3600, threads=[len(process.cores())])
    verb.add_argument("--only", type=names(kinds.QUICK), default=list(kinds.QUICK), metavar="LINES",
                      help=f"of {', '.join(kinds.QUICK)} (all)")


def _growth_verbs(verbs):
    verb = verbs.add_parser("growth", help="seconds of mbn against rows and threads")
    _common(verb)
    choices = [name for name, facts in data.SETS.items() if not facts.counts]
    verb.add_argument("--data", choices=choices, default="fashion-mnist", metavar="NAME",
                      help=f"of {', '.join(choices)} (fashion-mnist)")
    verb.add_argument("--sizes", type=numbers, help="rows (10000,20000,40000 and 70000, or of wink 80000,160000)")
    verb.add_argument("--pool", type=int, help="pool of mbn, 0 is all rows (10000, of wink 0)")

    verb = verbs.add_parser("million", help="a million rows of 50 columns below a memory limit")
    _common(verb, repeats=1, timeout=7200)
    verb.add_argument("--sizes", type=numbers, default=[100000, 1000000])
    verb.add_argument("--pool", type=int, default=50000)
    verb.add_argument("--memory-limit", default="4GB", help="given to mbn (4GB)")


def _report_verbs(verbs):
    verb = verbs.add_parser("plan", help="what mbn plan predicted, against what was measured")
    _common(verb)

    verb = verbs.add_parser("report", help="medians as JSON and Markdown")
    verb.add_argument("-o", "--output", default=ROOT / "build/compare", type=Path)
    verb.add_argument("--page", type=Path, default=ROOT / "docs/performance.md",
                      help="page whose blocks are replaced (docs/performance.md)")
    verb.add_argument("--no-page", dest="page", action="store_const", const=None)


def _arguments(argv):
    parser = argparse.ArgumentParser(prog="bench/compare", description=DESCRIPTION)
    verbs = parser.add_subparsers(dest="verb", required=True)
    for declare in (_peers_verb, _kinds_verbs, _growth_verbs, _report_verbs):
        declare(verbs)
    return parser.parse_args(argv)


def _session(options, python=None):
    if not Path(options.tool).is_file():
        sys.exit(f"no tool at {options.tool}: build it (./test.sh), or name it with --tool")
    return Session(options.output, options.tool, python, options.timeout, options.process_memory,
                   options.retry)


def _session_with_peers(options):
    python = options.python
    if python is None and options.methods != ["mbn"]:
        python = environment.ensure(ROOT / "build/compare-venv", PACKAGES)
    return _session(options, python)


def _run_peers(options):
    session = _session_with_peers(options)
    jobs = ["fit", "transform"] if options.job == "both" else [options.job]
    for case in peers.cases(options.data, options.rows, options.methods, jobs, options.threads,
                            options.repeats):
        session.run(case)


def _run_kinds(options):
    session = _session_with_peers(options)
    for case in kinds.cases(options.only, options.methods, options.threads, options.repeats):
        session.run(case)


def _run_quick(options):
    session = _session(options)
    for case in kinds.quick_cases(options.only, max(options.threads), options.repeats):
        session.run(case)


def _run_growth(options):
    session = _session(options)
    for case in growth.growth_cases(options.data, options.sizes, options.pool, options.threads,
                                    options.repeats):
        session.run(case)


def _run_million(options):
    session = _session(options)
    for case in growth.million_cases(options.sizes, options.pool, options.memory_limit,
                                     max(options.threads), options.repeats):
        session.run(case)


def _run_plan(options):
    if plan.run(_session(options)) == 0:
        sys.exit("no fit of mbn is in the results yet: run peers, growth or million first")


def _run_report(options):
    records = Records(options.output / "results.jsonl").all
    if not records:
        sys.exit(f"no results in {options.output}")
    made = report.write(records, options.output, options.page)
    say(f"wrote {options.output / 'compare.json'}, compare.md"
        + (f" and the blocks {', '.join(made)} of {options.page}" if options.page else ""))


def main(argv=None):
    options = _arguments(argv)
    # An end that is asked for takes the same way as Ctrl-C: the running process is ended with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    run = {"peers": _run_peers, "kinds": _run_kinds, "quick": _run_quick, "growth": _run_growth,
           "million": _run_million, "plan": _run_plan, "report": _run_report}[options.verb]
    try:
        run(options)
    except KeyboardInterrupt:
        say("interrupted; the same command goes on from here")
        return 130
    return 0
