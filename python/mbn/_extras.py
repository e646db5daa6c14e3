# SPDX-License-Identifier: Apache-2.0
"""Packages that are used where they are installed, and what to type where they are not."""

import importlib


def needed(module, extra, what):
    """The module, or an ImportError that names the extra of `pip install 'mbn[...]'`."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        package = module.partition(".")[0]
        if error.name is None or error.name.partition(".")[0] != package:
            raise  # it is there, and lacks something itself
        name = {"sklearn": "scikit-learn", "scipy": "SciPy"}.get(package, package)
        raise ImportError(f"{what} needs {name}, which is not installed: "
                          f"pip install 'mbn[{extra}]', or {name} alone", name=package) from None
