# SPDX-License-Identifier: Apache-2.0
"""The clustering tables: raw k-means, PCA, Spectral, peers of today and MBN, with NMI and accuracy."""

from dataclasses import dataclass, field
from typing import Optional

from .. import data
from ..explanations import explain
from ..figures_of_the_paper import figure, timed_out
from ..results import Results, percent, seconds, table
from ..tasks import Task
from . import common

ID = "clustering"
TITLE = "Clustering"
SCORES = (("nmi", "NMI"), ("accuracy", "accuracy"))


@dataclass(frozen=True)
class Column:
    """A column of the tables. It shows the cell of a method with `settings`, or of all settings that were run
    the `best` one by the score that is shown. `paper`: the paper's column with the same meaning, if it has one."""

    title: str
    method: str
    settings: dict = field(default_factory=dict)
    best: bool = False
    paper: Optional[str] = None


RAW = Column("raw", "raw", paper="raw")
PCA = Column("PCA", "pca", paper="pca")
PCA_WHITENED = Column("PCA, whitened", "pca-whitened")
SPECTRAL = Column("Spectral, A/16", "spectral", {"width": 1 / 16}, paper="spectral")
SPECTRAL_NEIGHBOURS = Column("Spectral, 10 neighbours", "spectral-neighbours")
UMAP = Column("UMAP", "umap")
PACMAP = Column("PaCMAP", "pacmap")
MBN = Column("MBN, 0.5", "mbn", {"decay": 0.5}, paper="mbn")
MBN_DEFAULTS = Column("MBN, defaults", "mbn-defaults")
MBN_AUTO = Column("MBN, by itself", "mbn-auto")
SPECTRAL_BEST = Column("Spectral, best", "spectral", best=True, paper="spectral-best")
MBN_BEST = Column("MBN, best", "mbn", best=True, paper="mbn-best")

COLUMNS = (RAW, PCA, PCA_WHITENED, SPECTRAL, SPECTRAL_NEIGHBOURS, UMAP, PACMAP, MBN, MBN_DEFAULTS, MBN_AUTO,
           SPECTRAL_BEST, MBN_BEST)
BESIDE_THE_PAPER = (MBN, MBN_BEST)


@dataclass(frozen=True)
class Contest:
    """One of our columns, and those that it is fair to lose to."""

    own: Column
    rivals: tuple


UNTUNED_RIVALS = (RAW, PCA, PCA_WHITENED, SPECTRAL, SPECTRAL_NEIGHBOURS, UMAP, PACMAP)
# Untuned against untuned, our defaults also against the paper's setting, decay chosen by itself against 0.5, and
# best against best.
CONTESTS = (Contest(MBN, UNTUNED_RIVALS), Contest(MBN_DEFAULTS, (*UNTUNED_RIVALS, MBN)), Contest(MBN_AUTO, (MBN,)),
            Contest(MBN_BEST, (SPECTRAL_BEST,)))


# What a searched method has when nobody searches.
UNTUNED = {"mbn": {"decay": 0.5}, "spectral": {"width": 1 / 16}}


def choices(profile, sparse, decays):
    """(method, settings) of every cell of one data set."""
    widths = [{}] if sparse else [{"width": width} for width in profile.widths]
    return [("raw", {}), ("pca", {}), ("pca-whitened", {"whiten": True}),
            *(("spectral", settings) for settings in widths),
            *((peer, {}) for peer in common.peers()),
            *(("mbn", {"decay": decay}) for decay in decays), ("mbn-defaults", {}), ("mbn-auto", {"decay": "auto"})]


class _Runs:
    """How many runs each (method, settings) of one data set gets. Of a method that is tuned, the settings that
    are best by what has been run get all, so the list grows until the best ones have them."""

    def __init__(self, setting, found, methods):
        self.setting, self.name, self.size = setting, found.name, setting.profile.clustering[found.name]
        self.chosen = [choice for choice in choices(setting.profile, found.problem.sparse, self.size.decays)
                       if methods is None or choice[0] in methods]
        self.counts = [self._most(method) if self._is_untuned(method, settings) else self._first(method)
                       for method, settings in self.chosen]
        while self._promote():
            pass

    def _most(self, method):
        return min(self.setting.runs, self.size.most.get(method, 10))

    def _first(self, method):
        return min(self.size.search, self._most(method))

    def _is_untuned(self, method, settings):
        return not settings or UNTUNED.get(method, settings) == settings

    def tasks(self):
        return [Task(ID, self.name, method, settings, run, common.cluster_and_score)
                for (method, settings), count in zip(self.chosen, self.counts) for run in range(count)]

    def _promote(self):
        """Gives all runs to the best settings, once every setting has been tried; whether any were short."""
        results = Results(self.setting, self.tasks())
        short = set()
        for method in UNTUNED:
            cells = results.select(ID, self.name, method)
            if all(len(cell.records) >= self._first(method) for cell in cells):
                best = [results.best(cells, score) for score, _ in SCORES]
                short |= {place for place, choice in enumerate(self.chosen)
                          if any(cell and choice == (cell.method, cell.settings) for cell in best)
                          and self.counts[place] < self._most(method)}
        for place in short:
            self.counts[place] = self._most(self.chosen[place][0])
        return bool(short)


def tasks(setting, methods=None):
    return [task for found in data.find_all(setting, setting.profile.clustering)
            for task in _Runs(setting, found, methods).tasks()]


def cell_of(results, experiment, name, column, score):
    """The cell of a column of the table; of "best" columns the best by that score, as in the paper. Texts have one
    Spectral without a width: where no cell has a column's settings, it shows the method's first."""
    if column.best:
        return results.best(results.select(experiment, name, column.method), score)
    return (results.one(experiment, name, column.method, **column.settings)
            or results.one(experiment, name, column.method))


def _measured(results, experiment, name, column, score):
    cell = cell_of(results, experiment, name, column, score)
    return cell, (cell.mean(score) if cell else None)


def _in_deviations(found, paper):
    if found is None or paper is None:
        return ""
    distance = paper.distance(found.mean)
    return f"{distance:+.1f}" if distance is not None else ""


def _beside_the_paper(results, experiment, name):
    """A line for decay 0.5 and one for the best decay."""
    for column in BESIDE_THE_PAPER:
        line = [data.title(name), "best" if column.best else column.settings["decay"]]
        for score, _ in SCORES:
            cell, found = _measured(results, experiment, name, column, score)
            if cell is None:
                break
            paper = figure(score, name, column.paper)
            at = f" ({cell.settings['decay']})" if column.best else ""
            written = str(paper) if paper else "Timeout" if timed_out(name, column.paper) else ""
            line += [percent(cell, score, 2) + at, written, _in_deviations(found, paper)]
        else:
            yield line + [len(cell.good), seconds(cell)]


def _all_methods(results, experiment, names, score):
    columns = [column for column in COLUMNS if any(results.select(experiment, None, column.method))]
    rows = []
    for name in names:
        line = [data.title(name)]
        for column in columns:
            cell, _ = _measured(results, experiment, name, column, score)
            paper = figure(score, name, column.paper)
            written = f" ({paper.mean:.1f})" if paper else " (Timeout)" if timed_out(name, column.paper) else ""
            line.append(percent(cell, score) + written)
        rows.append(line)
    return table(["data", *(column.title for column in columns)], rows)


def _seconds_of_all(results, experiment, names):
    columns = [column for column in COLUMNS if not column.best and results.select(experiment, None, column.method)]
    rows = [[data.title(name), *(seconds(cell_of(results, experiment, name, column, "nmi")) for column in columns)]
            for name in names]
    return table(["data", *(column.title for column in columns)], rows)


def _runs_of_all(results, experiment):
    """How many runs stand behind the columns."""
    lines = []
    for method in dict.fromkeys(column.method for column in COLUMNS):
        counts = [len(cell.good) for cell in results.select(experiment, None, method) if cell.good]
        if counts:
            least, most = min(counts), max(counts)
            lines.append(f"{common.TITLES[method]} {least}" + f" to {most}" * (most > least))
    return "Runs: " + "; ".join(lines) + "."


def _tried(results, experiment, names):
    """The decays that "best" is the best of, as far as they have been run."""
    lines = []
    for name in names:
        cells = [cell for cell in results.select(experiment, name, "mbn") if cell.good]
        lines.append(f"{data.title(name)} {', '.join(str(cell.settings['decay']) for cell in cells)}")
    return "Decays that have been run: " + "; ".join(lines) + "."


@dataclass(frozen=True)
class Shortfall:
    """`deviations`: how many of the paper's own MBN is below it."""

    name: str
    column: Column
    score: str
    deviations: float

    def __str__(self):
        decay = "best decay" if self.column.best else f"decay {self.column.settings['decay']}"
        return (f"{data.title(self.name)}, {decay}, {dict(SCORES)[self.score]}: {self.deviations:.1f} deviations "
                "below the paper.")


def _shortfalls(results, experiment):
    """Where MBN is two deviations below the paper."""
    for name in results.data_names(experiment):
        for column in BESIDE_THE_PAPER:
            for score, _ in SCORES:
                _, found = _measured(results, experiment, name, column, score)
                paper = figure(score, name, column.paper)
                distance = paper.distance(found.mean) if found and paper else None
                if distance is not None and distance < -2:
                    yield Shortfall(name, column, score, -distance)


def _shortfall_lines(results, experiment):
    lines = [f"- {shortfall} {explain(results, shortfall.name, shortfall.column.paper)}"
             for shortfall in _shortfalls(results, experiment)]
    return "\n".join(lines) or "None."


def _chosen_decays(results, experiment, names):
    """Which decay `--decay auto` took, where the tool has it."""
    lines = []
    for name in names:
        cell = results.one(experiment, name, "mbn-auto")
        taken = sorted({record["decay"] for record in cell.good if "decay" in record}) if cell else []
        if taken:
            lines.append(f"{data.title(name)} {', '.join(map(str, taken))}")
    return "Decay that was chosen by itself: " + "; ".join(lines) + "." if lines else ""


def tables(results, experiment):
    """The paragraphs that this experiment and the one on all of MNIST have in common."""
    names = results.data_names(experiment)
    commands = [results.one(experiment, name, "mbn", decay=0.5).command for name in names]
    return ["### Beside the paper",
            "In percent, mean ± deviation over runs. The columns headed σ are the difference in the paper's own "
            "standard deviations. In lines of the best decay the decay is in brackets; as in the paper each score "
            "has its own, chosen by labels.",
            table(["data", "decay", "NMI", "paper", "σ", "accuracy", "paper", "σ", "runs", "seconds"],
                  [line for name in names for line in _beside_the_paper(results, experiment, name)]),
            _tried(results, experiment, names),
            "```sh\n" + "\n".join(command for command in commands if command) + "\n```",
            "### Shortfalls", "More than two of the paper's deviations below it:",
            _shortfall_lines(results, experiment),
            "### All methods, NMI", _all_methods(results, experiment, names, "nmi"),
            "### All methods, accuracy", _all_methods(results, experiment, names, "accuracy"),
            _runs_of_all(results, experiment),
            "### Seconds", _seconds_of_all(results, experiment, names),
            _chosen_decays(results, experiment, names)]


def section(results, pictures):
    return ["k-means with 50 starts on every embedding, the same program for all; so is the score. PCA keeps "
            "98 % of the variance (whitened: each component with variance 1); Spectral is that of Ng, Jordan and "
            "Weiss with the kernel exp(-d² / 2s²), s = A/16, and the best of A/16 to 16A, where A is the mean "
            "distance; 20-Newsgroups are counts with the cosine, PCA to 100 dimensions and a Spectral without width. "
            "UMAP and PaCMAP have their defaults. MBN has the paper's setting (`--paper`: 400 clusterings on the columns "
            "as they are), with the number of classes given as `--clusters`; \"MBN, defaults\" is without `--paper`, so "
            "that principal directions stand in the place of many columns, and 20-Newsgroups has `--weighting "
            "log-tfidf` there. The paper's mean is in brackets.", _searched(results.setting), *tables(results, ID)]


def _searched(setting):
    """Which data sets have fewer runs of decays and widths that are not shown."""
    few = {name: size.search for name, size in setting.profile.clustering.items() if size.search < setting.runs}
    if not few:
        return ""
    told = ", ".join(f"{data.title(name)} {count}" for name, count in few.items())
    return ("Every decay and width has as many runs as its column. Fewer have, where time is short, those that are "
            f"neither the best of their column nor untuned: {told}.")


def losses(results, experiment=ID):
    """Where a rival of one of our columns has the better mean."""
    return [sentence for name in results.data_names(experiment) for score, word in SCORES
            for contest in CONTESTS for sentence in _behind(results, experiment, name, score, word, contest)]


def _behind(results, experiment, name, score, word, contest):
    own = contest.own
    _, ours = _measured(results, experiment, name, own, score)
    if ours is None:
        return []
    found = [(rival.title, _measured(results, experiment, name, rival, score)[1]) for rival in contest.rivals]
    ahead = [f"{title} {mean.short}" for title, mean in
             sorted(((title, mean) for title, mean in found if mean), key=lambda pair: -pair[1].mean)
             if mean.mean > ours.mean]
    return [f"{data.title(name)}, {word}: {own.title} has {ours.short}, below {', '.join(ahead)}."] if ahead else []
