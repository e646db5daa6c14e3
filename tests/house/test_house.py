# SPDX-License-Identifier: Apache-2.0
"""The house keeps its own rules: who may include whom, licence lines, formatting, documents."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"

# Which folders a folder of src/ may include from, besides itself. The order is the data flow.
# network and store know each other by one header each: a model is data (network/model_data.hpp),
# and a model can be saved (store/model_file.hpp); so do compress and store. Neighbours are found for a layer, by the metric
# that the layer decides with (layer/metric.hpp).
ALLOWED = {
    "base": set(),
    "kernels": {"base"},
    "input": {"base"},
    "text": {"base", "input"},
    "generate": {"base"},
    "prepare": {"base"},
    "neighbours": {"base", "kernels", "layer"},
    "layer": {"base", "kernels", "neighbours"},
    "project": {"base", "kernels", "prepare"},
    "cluster": {"base", "kernels"},
    "network": {"base", "neighbours", "layer", "prepare", "project", "store"},
    "choose": {"base", "network", "prepare", "project"},
    "search": {"base", "prepare"},
    "evaluate": {"base", "layer", "network", "prepare", "search"},
    "report": {"base"},
    "compress": {"base", "kernels", "prepare", "store"},
    "store": {"base", "network", "neighbours", "layer", "prepare", "project", "search", "compress"},
}
SINGLE_HEADERS = {("network", "store"): "store/model_file.hpp",
                  ("compress", "store"): "store/onnx_file.hpp",
                  ("store", "compress"): "compress/student_data.hpp",
                  ("neighbours", "layer"): "layer/metric.hpp"}


def tracked(*patterns):
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT, capture_output=True, text=True)
    if listing.returncode != 0:
        pytest.skip("not a git checkout")
    return [ROOT / line for line in listing.stdout.splitlines() if (ROOT / line).is_file()]


def includes(path):
    return re.findall(r'^#include "([^"]+)"', path.read_text(), re.MULTILINE)


def test_every_folder_has_a_rule():
    assert {p.name for p in SOURCE.iterdir() if p.is_dir()} <= set(ALLOWED)


def test_include_graph():
    wrong = []
    for path in [*SOURCE.rglob("*.hpp"), *SOURCE.rglob("*.cpp")]:
        folder = path.relative_to(SOURCE).parts[0]
        for name in includes(path):
            other = name.split("/")[0]
            if other == folder:
                continue
            if other not in ALLOWED[folder]:
                wrong.append(f"{path.relative_to(ROOT)} includes {name}")
            single = SINGLE_HEADERS.get((folder, other))
            if single and name != single:
                wrong.append(f"{path.relative_to(ROOT)} includes {name}, not {single}")
    assert not wrong, "\n".join(wrong)


def test_the_tool_and_the_package_use_only_the_public_face():
    for path in [*(ROOT / "apps").rglob("*.[ch]pp"), *(ROOT / "python/bind").glob("*.[ch]pp")]:
        for name in includes(path):
            assert (path.parent / name).exists(), f"{path.name} includes {name}"


def test_public_headers_stand_alone_and_include_no_private_ones():
    for path in (ROOT / "include").rglob("*.hpp"):
        assert not includes(path), path


def test_licence_lines():
    for path in tracked("*.cpp", "*.hpp", "*.py", "*.pyi", "*.sh", "*.cmake", "*CMakeLists.txt",
                        "*.toml", ".ci/run"):
        head = "\n".join(path.read_text().splitlines()[:3])
        assert "SPDX-License-Identifier: Apache-2.0" in head, path


def test_no_long_files():
    for path in tracked("src", "include", "apps", "python"):
        assert len(path.read_text().splitlines()) <= 500, path


def test_the_library_is_silent_and_has_its_own_randomness():
    forbidden = re.compile(r"std::(cout|cerr|shuffle|random_device|\w+_distribution)|\bexit\(|\bprintf\(")
    for path in [*SOURCE.rglob("*.[ch]pp"), *(ROOT / "include").rglob("*.hpp")]:
        assert not forbidden.search(path.read_text()), path


def test_formatting():
    tool = shutil.which("clang-format")
    assert tool, "clang-format is missing: apt-get install clang-format"
    files = tracked("*.cpp", "*.hpp")
    result = subprocess.run([tool, "--dry-run", "-Werror", *map(str, files)], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr[:3000]


def test_readme_shows_the_compiled_example():
    code = (ROOT / "examples/quickstart.cpp").read_text().split("\n", 1)[1].strip()
    assert f"```cpp\n{code}\n```" in (ROOT / "docs/cpp.md").read_text()


@pytest.mark.parametrize("page", ["README.md", "docs/tool.md", "docs/text.md", "docs/compress.md"])
def test_shell_blocks_run(page, tmp_path):
    """Every ```sh block marked <!-- run --> is run as it stands, in an empty folder."""
    tool = Path(os.environ.get("MBN_TOOL", ROOT / "build/release/mbn")).resolve()
    blocks = re.findall(r"<!-- run -->\n```sh\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
    assert blocks, f"{page} has no block to run"
    path = f"{tool.parent}:{os.environ['PATH']}"
    for block in blocks:
        result = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=tmp_path,
                                capture_output=True, text=True, env={**os.environ, "PATH": path})
        assert result.returncode == 0, f"{block}\n{result.stdout}\n{result.stderr}"


def test_links_lead_somewhere():
    for page in tracked("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
