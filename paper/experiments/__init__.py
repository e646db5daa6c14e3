# SPDX-License-Identifier: Apache-2.0
"""One module for each experiment, with

    ID, TITLE          its name for --only, and its heading
    tasks(setting)     what has to be done
    section(results, pictures)    its part of the page, as a list of paragraphs
    losses(results)    where MBN does worse than a baseline, as a list of sentences (optional)

The order here is that of the pages: the paper's experiments are on one, and maps, which the paper has not, on
another.
"""

from . import (a_v, aml, clustering, clustering_full, compressive, delta, maps, mnist_layers, mnist_map,
               outlier, retrieval, subsets, time_v, toy)

ALL = {module.ID: module for module in (toy, outlier, aml, mnist_map, mnist_layers, maps, clustering,
                                        clustering_full, subsets, delta, a_v, retrieval, compressive, time_v)}

PAGES = {"results.md": [name for name in ALL if name != maps.ID], "maps.md": [maps.ID]}

# Hours more; only when asked for by name.
ON_REQUEST = (clustering_full.ID, maps.ID)
