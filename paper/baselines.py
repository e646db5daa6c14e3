# SPDX-License-Identifier: Apache-2.0
"""The methods that MBN is compared with. Each takes rows and gives an embedding; none sees labels.

rows: a NumPy array, or a SciPy matrix of counts, whose rows are scaled to norm 1 (cosine).
"""

import numpy as np


def _unit_rows(rows):
    from sklearn.preprocessing import normalize
    return normalize(rows)


def _is_sparse(rows):
    return not isinstance(rows, np.ndarray)


def raw(rows, components, seed):
    return _unit_rows(rows) if _is_sparse(rows) else rows


def pca(rows, components, seed, share=0.98, whiten=False):
    """As many principal components as hold that share of the variance; 100 of texts, as in the paper."""
    from sklearn.decomposition import PCA
    if _is_sparse(rows):
        kept = min(100, min(rows.shape) // 2)
        return PCA(kept, svd_solver="arpack", whiten=whiten, random_state=0).fit_transform(_unit_rows(rows))
    return PCA(share, svd_solver="full", whiten=whiten).fit_transform(rows.astype(np.float64))


def pca_map(rows, components, seed):
    from sklearn.decomposition import PCA
    return PCA(components, svd_solver="full").fit_transform(rows.astype(np.float64))


def _leading_eigenvectors(affinity, count):
    """Of D^-1/2 W D^-1/2. Narrow kernels make many eigenvalues equal; then only the dense solver converges."""
    np.fill_diagonal(affinity, 0)
    scale = 1 / np.sqrt(np.maximum(affinity.sum(axis=1), 1e-150))
    affinity *= scale[:, None]
    affinity *= scale
    size = len(affinity)
    if size > 2000:
        from scipy.sparse.linalg import ArpackNoConvergence, eigsh
        try:
            return eigsh(affinity, k=count, which="LA", v0=np.ones(size), ncv=max(3 * count, 60), tol=1e-6,
                         maxiter=4)[1]
        except ArpackNoConvergence:
            pass
    from scipy.linalg import eigh
    return eigh(affinity, subset_by_index=[size - count, size - 1], overwrite_a=True, check_finite=False)[1]


def _leading_eigenvectors_of_products(rows, count):
    """The same for W = X X^T of unit rows without its diagonal. W itself is never computed."""
    from scipy.sparse.linalg import LinearOperator, eigsh
    scale = 1 / np.sqrt(np.maximum(rows @ (rows.T @ np.ones(rows.shape[0])) - 1, 1e-150))

    def multiply(vector):
        scaled = scale * vector.ravel()
        return scale * (rows @ (rows.T @ scaled) - scaled)

    size = rows.shape[0]
    operator = LinearOperator((size, size), matvec=multiply, dtype=np.float64)
    return eigsh(operator, k=count, which="LA", v0=np.ones(size))[1]


def _unit_or_zero(rows):
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.where(length > 1e-12, rows / np.maximum(length, 1e-12), 0)


def spectral(rows, components, seed, width=1 / 16):
    """Ng, Jordan and Weiss. W = exp(-d^2 / (2 s^2)), s = width * the mean distance; texts: W = cosine."""
    if _is_sparse(rows):
        return _unit_or_zero(_leading_eigenvectors_of_products(_unit_rows(rows), components))
    from sklearn.metrics import pairwise_distances
    distances = pairwise_distances(rows.astype(np.float64))
    mean = distances.sum() / (len(rows) * (len(rows) - 1))
    affinity = np.exp(-distances**2 / (2 * (width * mean) ** 2))
    return _unit_or_zero(_leading_eigenvectors(affinity, components))


def spectral_neighbours(rows, components, seed, neighbours=10):
    """The same on a graph of nearest neighbours: what 70,000 rows leave room for."""
    from scipy.sparse import diags
    from scipy.sparse.linalg import eigsh
    from sklearn.neighbors import NearestNeighbors
    graph = NearestNeighbors(n_neighbors=neighbours, algorithm="brute").fit(
        rows.astype(np.float32)).kneighbors_graph()
    graph = graph.maximum(graph.T).astype(np.float64)
    scale = diags(1 / np.sqrt(np.asarray(graph.sum(axis=1)).ravel()))
    vectors = eigsh(scale @ graph @ scale, k=components, which="LA", v0=np.ones(graph.shape[0]))[1]
    return _unit_or_zero(vectors)


def spectral_map(rows, components, seed, neighbours=10):
    from sklearn.manifold import SpectralEmbedding
    return SpectralEmbedding(components, affinity="nearest_neighbors", n_neighbors=neighbours,
                             random_state=seed).fit_transform(rows)


def isomap(rows, components, seed, neighbours=10):
    """The dense solver: the other one starts at random, and Isomap takes no seed."""
    from sklearn.manifold import Isomap
    return Isomap(n_neighbors=neighbours, n_components=components, eigen_solver="dense").fit_transform(rows)


def lle(rows, components, seed, neighbours=10):
    from sklearn.manifold import LocallyLinearEmbedding
    return LocallyLinearEmbedding(n_neighbors=neighbours, n_components=components,
                                  random_state=seed).fit_transform(rows)


def tsne(rows, components, seed, perplexity=30):
    from sklearn.manifold import TSNE
    return TSNE(components, perplexity=perplexity, random_state=seed).fit_transform(
        rows.astype(np.float32))


def autoencoder(rows, components, seed, hidden=(500, 250), epochs=100):
    """In the place of the paper's DBN: the same shape, trained by gradients from the start."""
    from sklearn.neural_network import MLPRegressor
    low, high = float(rows.min()), float(rows.max())
    visible = ((rows - low) / (high - low)).astype(np.float32)
    network = MLPRegressor(hidden_layer_sizes=(*hidden, components, *reversed(hidden)), batch_size=100,
                           random_state=seed)
    order = np.random.default_rng(seed)
    for _ in range(epochs):
        shuffled = visible[order.permutation(len(visible))]
        network.partial_fit(shuffled, shuffled)
    return _code(network, visible, len(hidden))


def _code(network, rows, depth):
    """The units of the middle layer, before the rectifier."""
    for weights, bias in zip(network.coefs_[:depth], network.intercepts_[:depth]):
        rows = np.maximum(rows @ weights + bias, 0)
    return rows @ network.coefs_[depth] + network.intercepts_[depth]


def umap(rows, components, seed):
    """All defaults but the metric of texts: two dimensions, 15 neighbours."""
    import warnings

    import umap as package
    warnings.filterwarnings("ignore", module="umap")
    return package.UMAP(metric="cosine" if _is_sparse(rows) else "euclidean",
                        random_state=seed).fit_transform(rows)


def pacmap(rows, components, seed):
    """All defaults: two dimensions, 10 neighbours. Of texts it gets 100 principal components."""
    import pacmap as package
    dense = pca(rows, components, seed) if _is_sparse(rows) else rows
    return package.PaCMAP(random_state=seed).fit_transform(dense.astype(np.float32))


def localmap(rows, components, seed):
    """PaCMAP's successor for local detail, in the same package. All defaults."""
    import pacmap as package
    return package.LocalMAP(random_state=seed).fit_transform(rows.astype(np.float32))


def opentsne(rows, components, seed):
    """All defaults but the number of threads, which changes seconds only: perplexity 30, started at PCA."""
    import openTSNE as package
    return np.asarray(package.TSNE(random_state=seed, n_jobs=-1).fit(rows.astype(np.float32)))


METHODS = {"raw": raw, "pca": pca, "pca-whitened": pca, "pca-map": pca_map, "spectral": spectral,
           "spectral-neighbours": spectral_neighbours, "spectral-map": spectral_map, "isomap": isomap,
           "lle": lle, "tsne": tsne, "autoencoder": autoencoder, "umap": umap, "pacmap": pacmap,
           "localmap": localmap, "opentsne": opentsne}

# The module of a method that scikit-learn does not have.
MODULES = {"umap": "umap", "pacmap": "pacmap", "localmap": "pacmap", "opentsne": "openTSNE"}

# The same embedding in every run: it is made once, and runs differ in the seed of k-means.
REPEATABLE = {"raw", "pca", "pca-whitened", "pca-map", "spectral", "spectral-neighbours", "spectral-map", "isomap", "lle"}

TITLES = {"raw": "raw features", "pca": "PCA", "pca-map": "PCA", "pca-whitened": "PCA, whitened",
          "spectral": "Spectral", "spectral-neighbours": "Spectral, 10 neighbours",
          "spectral-map": "Spectral", "isomap": "Isomap", "lle": "LLE", "tsne": "t-SNE", "autoencoder": "autoencoder",
          "umap": "UMAP", "pacmap": "PaCMAP", "localmap": "LocalMAP", "opentsne": "t-SNE (openTSNE)", "mbn": "MBN",
          "mbn-auto": "MBN, decay chosen by itself", "mbn-defaults": "MBN, defaults", "mbn-map": "MBN map",
          "mbn-components": "MBN, first two components"}

# These compile themselves when they are first called, UMAP other parts for more rows than this.
COMPILED = {"umap", "pacmap", "localmap"}
UMAP_SEARCHES_ABOVE = 4096


def warm_up(method, rows):
    """Lets a method compile before it is timed, on as few rows of the same kind as take the same way."""
    searches = method == "umap" and rows.shape[0] > UMAP_SEARCHES_ABOVE
    kind = (method, searches, _is_sparse(rows))
    if method in COMPILED and kind not in _warm:
        _warm.add(kind)
        METHODS[method](rows[:UMAP_SEARCHES_ABOVE + 4 if searches else 100], 2, 0)


_warm = set()
