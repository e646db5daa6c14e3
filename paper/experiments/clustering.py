# SPDX-License-Identifier: Apache-2.0
"""The clustering tables: raw k-means, PCA, Spectral, peers of today and MBN, with NMI and accuracy."""

from .. import data
from ..explanations import explain
from ..figures_of_the_paper import figure, timed_out
from ..results import Results, percent, seconds, table
from ..tasks import Task
from . import common

ID = "clustering"
TITLE = "Clustering"
SCORES = (("nmi", "NMI"), ("accuracy", "accuracy"))

# title, method, the one setting that it means (None: the best of all), and the paper's column
COLUMNS = (("raw", "raw", {}, "raw"), ("PCA", "pca", {}, "pca"),
           ("PCA, whitened", "pca-whitened", {}, ""),
           ("Spectral, A/16", "spectral", {"width": 1 / 16}, "spectral"),
           ("Spectral, 10 neighbours", "spectral-neighbours", {}, ""),
           ("UMAP", "umap", {}, ""), ("PaCMAP", "pacmap", {}, ""),
           ("MBN, 0.5", "mbn", {"decay": 0.5}, "mbn"), ("MBN, by itself", "mbn-auto", {}, ""),
           ("Spectral, best", "spectral", None, "spectral-best"), ("MBN, best", "mbn", None, "mbn-best"))


# What a searched method has when nobody searches.
UNTUNED = {"mbn": {"decay": 0.5}, "spectral": {"width": 1 / 16}}


def choices(profile, sparse, decays):
    """(method, settings) of every cell of one data set."""
    widths = [{}] if sparse else [{"width": width} for width in profile.widths]
    return [("raw", {}), ("pca", {}), ("pca-whitened", {"whiten": True}),
            *(("spectral", settings) for settings in widths),
            *((peer, {}) for peer in common.peers()),
            *(("mbn", {"decay": decay}) for decay in decays), ("mbn-auto", {"decay": "auto"})]


class _Runs:
    """How many runs each (method, settings) of one data set gets. Of a searched method the settings that
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
    """The cell of a column of the table; of "best" columns the best by that score, as in the paper."""
    _, method, settings, _ = column
    if settings is None:
        return results.best(results.select(experiment, name, method), score)
    return results.one(experiment, name, method, **settings) or results.one(experiment, name, method)


def _measured(results, experiment, name, column, score):
    cell = cell_of(results, experiment, name, column, score)
    return cell, (cell.mean(score) if cell else None)


def _own_columns():
    return [column for column in COLUMNS if column[1] == "mbn"]


def _in_deviations(found, paper):
    if found is None or paper is None:
        return ""
    distance = paper.distance(found.mean)
    return f"{distance:+.1f}" if distance is not None else ""


def _beside_the_paper(results, experiment, name):
    """A line for decay 0.5 and one for the best decay."""
    for column in _own_columns():
        line = [data.title(name), "0.5" if column[2] else ""]
        for score, _ in SCORES:
            cell, found = _measured(results, experiment, name, column, score)
            if cell is None:
                break
            paper = figure(score, name, column[3])
            at = f" ({cell.settings['decay']})" if column[2] is None else ""
            written = str(paper) if paper else "Timeout" if timed_out(name, column[3]) else ""
            line += [percent(cell, score, 2) + at, written, _in_deviations(found, paper)]
        else:
            line[1] = line[1] or "best"
            yield line + [len(cell.good), seconds(cell)]


def _all_methods(results, experiment, names, score):
    columns = [column for column in COLUMNS if any(results.select(experiment, None, column[1]))]
    rows = []
    for name in names:
        line = [data.title(name)]
        for column in columns:
            cell, _ = _measured(results, experiment, name, column, score)
            paper = figure(score, name, column[3]) if column[3] else None
            written = f" ({paper.mean:.1f})" if paper else " (Timeout)" if timed_out(name, column[3]) else ""
            line.append(percent(cell, score) + written)
        rows.append(line)
    return table(["data", *(column[0] for column in columns)], rows)


def _seconds_of_all(results, experiment, names):
    columns = [column for column in COLUMNS if column[2] is not None and results.select(experiment, None, column[1])]
    rows = [[data.title(name), *(seconds(cell_of(results, experiment, name, column, "nmi")) for column in columns)]
            for name in names]
    return table(["data", *(column[0] for column in columns)], rows)


def _runs_of_all(results, experiment):
    """How many runs stand behind the columns."""
    lines = []
    for method in dict.fromkeys(column[1] for column in COLUMNS):
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


def shortfalls(results, experiment):
    """(data, column of the paper, score, distance) where MBN is two deviations below the paper."""
    for name in results.data_names(experiment):
        for column in _own_columns():
            for score, _ in SCORES:
                _, found = _measured(results, experiment, name, column, score)
                paper = figure(score, name, column[3])
                distance = paper.distance(found.mean) if found and paper else None
                if distance is not None and distance < -2:
                    yield name, column[3], score, distance


def _shortfall_lines(results, experiment):
    words = {"mbn": "decay 0.5", "mbn-best": "best decay", "nmi": "NMI", "accuracy": "accuracy"}
    lines = [f"- {data.title(name)}, {words[column]}, {words[score]}: {-distance:.1f} deviations below the paper. "
             + explain(results, name, column)
             for name, column, score, distance in shortfalls(results, experiment)]
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
            "UMAP and PaCMAP have their defaults. MBN has its defaults, with the number of classes given as "
            "`--clusters`. The paper's mean is in brackets.", _searched(results.setting), *tables(results, ID)]


def _searched(setting):
    """Which data sets have fewer runs of decays and widths that are not shown."""
    few = {name: size.search for name, size in setting.profile.clustering.items() if size.search < setting.runs}
    if not few:
        return ""
    told = ", ".join(f"{data.title(name)} {count}" for name, count in few.items())
    return ("Every decay and width has as many runs as its column. Fewer have, where time is short, those that are "
            f"neither the best of their column nor untuned: {told}.")


def losses(results, experiment=ID):
    """Untuned against untuned, best against best, and decay chosen by itself against its default."""
    sentences = []
    for name in results.data_names(experiment):
        for score, word in SCORES:
            for own, rivals in (("MBN, 0.5", ("raw", "PCA", "PCA, whitened", "Spectral, A/16",
                                              "Spectral, 10 neighbours", "UMAP", "PaCMAP")),
                                ("MBN, by itself", ("MBN, 0.5",)), ("MBN, best", ("Spectral, best",))):
                sentences += _behind(results, experiment, name, score, word, own, rivals)
    return sentences


def _behind(results, experiment, name, score, word, own, rivals):
    by_title = {column[0]: column for column in COLUMNS}
    _, ours = _measured(results, experiment, name, by_title[own], score)
    if ours is None:
        return []
    found = {rival: _measured(results, experiment, name, by_title[rival], score)[1] for rival in rivals}
    ahead = [f"{rival} {mean.short}" for rival, mean in
             sorted(((rival, mean) for rival, mean in found.items() if mean), key=lambda pair: -pair[1].mean)
             if mean.mean > ours.mean]
    return [f"{data.title(name)}, {word}: {own} has {ours.short}, below {', '.join(ahead)}."] if ahead else []
