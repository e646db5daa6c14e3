# SPDX-License-Identifier: Apache-2.0
"""The peers, each with the defaults of its authors. Runs inside the virtual environment.

A method has load() (imports), ready(rows) (sparse counts weighed), fit(rows) -> map or None,
transform(rows) -> map, cluster(rows, map) -> labels, and predict(rows, map) -> labels of new rows.
`sparse`: takes sparse rows as they are. Where a seed would cost a library its threads (UMAP, PaCMAP,
EVoC), it is left unseeded.
"""

from . import weighting


class Method:
    """Knows the case: clusters, threads, seed, metric. k-means on the map is the same for all."""

    sparse = False

    def __init__(self, clusters, threads, seed, metric="euclidean", counts=""):
        self.clusters, self.threads, self.seed = clusters, threads, seed
        self.metric, self.counts = metric, counts
        self.model = None
        self.kmeans = None

    def load(self):
        import sklearn.cluster  # noqa: F401

    def ready(self, rows):
        return weighting.ready(rows, self.counts, self.sparse, self.seed)

    def cluster(self, rows, embedding):
        from sklearn.cluster import KMeans
        self.kmeans = KMeans(self.clusters, n_init=10, random_state=self.seed).fit(embedding)
        return self.kmeans.labels_

    def predict(self, rows, embedding):
        return self.kmeans.predict(embedding)


class Umap(Method):
    sparse = True

    def load(self):
        super().load()
        import umap  # noqa: F401

    def settings(self):
        return {}

    def fit(self, rows):
        import umap
        self.model = umap.UMAP(n_jobs=self.threads, metric=self.metric, **self.settings())
        return self.model.fit_transform(rows)

    def transform(self, rows):
        return self.model.transform(rows)


class UmapWide(Umap):
    """As many columns as mbn's embedding, and points packed as UMAP's page on clustering advises."""

    def settings(self):
        return {"n_components": self.clusters, "min_dist": 0.0}


class UmapHdbscan(Umap):
    """The settings of UMAP's page on clustering, its 500 of 70,000 rows in proportion."""

    def load(self):
        super().load()
        import hdbscan  # noqa: F401

    def settings(self):
        return {"n_neighbors": 30, "min_dist": 0.0}

    def cluster(self, rows, embedding):
        import hdbscan
        self.found = hdbscan.HDBSCAN(min_samples=10, min_cluster_size=max(10, len(embedding) // 140),
                                     core_dist_n_jobs=self.threads, prediction_data=True)
        return self.found.fit(embedding).labels_

    def predict(self, rows, embedding):
        import hdbscan
        return hdbscan.approximate_predict(self.found, embedding)[0]


class OpenTsne(Method):
    """Sparse rows would change its search of neighbours to one that compiles: it gets dense ones."""

    def load(self):
        super().load()
        import openTSNE  # noqa: F401

    def fit(self, rows):
        import openTSNE
        self.model = openTSNE.TSNE(n_jobs=self.threads, random_state=self.seed, metric=self.metric).fit(rows)
        return self.model

    def transform(self, rows):
        return self.model.transform(rows)


class Pacmap(Method):
    def load(self):
        super().load()
        import pacmap  # noqa: F401

    def fit(self, rows):
        import pacmap
        self.basis = rows
        self.model = pacmap.PaCMAP(save_tree=True, distance="angular" if self.metric == "cosine" else self.metric)
        return self.model.fit_transform(rows)

    def transform(self, rows):
        return self.model.transform(rows, basis=self.basis)


class KMeansOnRows(Method):
    def fit(self, rows):
        from sklearn.cluster import KMeans
        self.kmeans = KMeans(self.clusters, n_init=10, random_state=self.seed).fit(rows)

    def cluster(self, rows, embedding):
        return self.kmeans.labels_

    def transform(self, rows):
        self.held_labels = self.kmeans.predict(rows)

    def predict(self, rows, embedding):
        return self.held_labels


class Spectral(Method):
    """On the graph of nearest neighbours: the default affinity is a dense rows x rows matrix."""

    def fit(self, rows):
        from sklearn.cluster import SpectralClustering
        self.model = SpectralClustering(self.clusters, affinity="nearest_neighbors",
                                        random_state=self.seed, n_jobs=self.threads).fit(rows)

    def cluster(self, rows, embedding):
        return self.model.labels_


class Tsne(Method):
    def load(self):
        super().load()
        import sklearn.manifold  # noqa: F401

    def fit(self, rows):
        from sklearn.manifold import TSNE
        return TSNE(random_state=self.seed, n_jobs=self.threads).fit_transform(rows)


class Evoc(Method):
    """Clusters without a map. Told how many, as the others are; it comes near to that number."""

    def load(self):
        super().load()
        import evoc  # noqa: F401

    def fit(self, rows):
        import evoc
        self.model = evoc.EVoC(approx_n_clusters=self.clusters or None)
        self.model.fit(rows)

    def cluster(self, rows, embedding):
        return self.model.labels_


CLASSES = {"umap": Umap, "umap-wide": UmapWide, "umap-hdbscan": UmapHdbscan, "opentsne": OpenTsne,
           "pacmap": Pacmap, "kmeans": KMeansOnRows, "spectral": Spectral, "tsne": Tsne,
           "evoc": Evoc}
