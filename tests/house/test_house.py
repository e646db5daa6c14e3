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


class Folders:
    """The table of README.md: folders of src/ in their order, and the public headers of each."""

    def __init__(self):
        rows = re.findall(r"^\| `(\w+)/` \|[^|]*\|[^|]*\| ([^|]*) ?\|$", (ROOT / "README.md").read_text(), re.MULTILINE)
        self.order = [folder for folder, _ in rows]
        self.owner = {header: folder for folder, headers in rows for header in re.findall(r"`(\w+)`", headers)}

    def of_header(self, name):
        """The folder of a public header; all that the table does not name belong to the last one."""
        return self.owner.get(name, self.order[-1])

    def may_include(self, folder, other):
        return self.order.index(other) <= self.order.index(folder)


def edges():
    """(folder, other folder, who includes what) for every include in src/ that leaves its folder."""
    folders = Folders()
    for path in sorted([*SOURCE.rglob("*.hpp"), *SOURCE.rglob("*.cpp"), *SOURCE.rglob("*.h")]):
        folder = path.relative_to(SOURCE).parts[0]
        text = path.read_text()
        for name in re.findall(r'^#include "([^"]+)"', text, re.MULTILINE):
            if name.split("/")[0] != folder:
                yield folder, name.split("/")[0], f"{path.relative_to(ROOT)} includes {name}"
        for name in re.findall(r"^#include <mbn/(\w+)\.hpp>", text, re.MULTILINE):
            if folders.of_header(name) != folder:
                yield folder, folders.of_header(name), f"{path.relative_to(ROOT)} includes <mbn/{name}.hpp>"


def header_edges():
    """The same for public headers that include each other."""
    folders = Folders()
    for path in sorted((ROOT / "include/mbn").glob("*.hpp")):
        folder = folders.of_header(path.stem)
        for name in re.findall(r"^#include <mbn/(\w+)\.hpp>", path.read_text(), re.MULTILINE):
            if folders.of_header(name) != folder:
                yield folder, folders.of_header(name), f"<mbn/{path.name}> includes <mbn/{name}.hpp>"


def architecture():
    """docs/architecture.md: who includes whom, counted."""
    folders = Folders()
    counts = {}
    for folder, other, _ in edges():
        counts[folder, other] = counts.get((folder, other), 0) + 1
    lines = ["# Who includes whom", "",
             "Made by `tests/house` from the includes of `src/`; `MBN_WRITE_DOCS=1` writes it anew. A folder stands",
             "below those that it includes. `api/` sees everything and is left out of the picture.", "",
             "```mermaid", "flowchart BT"]
    lines += [f"  {folder}[{folder}/]" for folder in folders.order[:-1]]
    lines += [f"  {folder} --> {other}" for folder in folders.order[:-1] for other in folders.order
              if (folder, other) in counts]
    lines += ["```", "", "| folder | includes, how often |", "|---|---|"]
    for folder in folders.order:
        seen = [f"`{other}/` {counts[folder, other]}" for other in folders.order if (folder, other) in counts]
        lines.append(f"| `{folder}/` | {', '.join(seen) or 'nothing'} |")
    return "\n".join(lines) + "\n"


def tracked(*patterns):
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT, capture_output=True, text=True)
    if listing.returncode != 0:
        pytest.skip("not a git checkout")
    return [ROOT / line for line in listing.stdout.splitlines() if (ROOT / line).is_file()]


def includes(path):
    return re.findall(r'^#include "([^"]+)"', path.read_text(), re.MULTILINE)


def test_the_table_names_every_folder_and_only_headers_that_exist():
    folders = Folders()
    assert {p.name for p in SOURCE.iterdir() if p.is_dir()} == set(folders.order)
    assert set(folders.owner) <= {p.stem for p in (ROOT / "include/mbn").glob("*.hpp")}


def test_no_include_against_the_order_of_the_table():
    folders = Folders()
    wrong = [what for folder, other, what in [*edges(), *header_edges()]
             if not folders.may_include(folder, other)]
    assert not wrong, "\n".join(wrong)


def test_the_picture_of_the_architecture_is_up_to_date():
    page = ROOT / "docs/architecture.md"
    if os.environ.get("MBN_WRITE_DOCS"):
        page.write_text(architecture())
    assert page.read_text() == architecture(), "MBN_WRITE_DOCS=1 pytest tests/house writes docs/architecture.md"


def test_the_library_knows_nothing_of_the_command_line():
    """An error names an option as a field; the tool writes "--clusters", Python "n_clusters"."""
    flag = re.compile(r"(?<![-\w])--[a-z]")
    for path in [*SOURCE.rglob("*.[ch]pp"), *(ROOT / "include").rglob("*.hpp")]:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            code = re.sub(r"(?<=[ (])--\w+(?=[;).\[\]])", "", line)  # a decrement
            assert not flag.search(code), f"{path.relative_to(ROOT)}:{number}: {line.strip()}"


def enumeration(name, header):
    body = re.search(rf"enum class {name} : [\w:]+ {{(.*?)}};", (ROOT / "include/mbn" / header).read_text(), re.DOTALL)[1]
    return re.findall(r"^ *(\w+),", body, re.MULTILINE)


def test_every_error_and_note_has_a_code_and_every_code_is_used():
    # The types themselves give codes to plain text and to errno; only the latter counts as a use.
    own = (SOURCE / "base/error.cpp").read_text()
    others = "".join(path.read_text() for path in SOURCE.rglob("*.[ch]pp") if path.name != "error.cpp")
    names = re.findall(r'"(\w+)"', own[own.index("kErrorNames = "):own.index("kNoteNames = ")])
    assert names == enumeration("ErrorCode", "error.hpp")
    for code in names:
        assert f"ErrorCode::{code}" in others or f"return ErrorCode::{code};" in own or code == "cancelled", code
    assert "throw Cancelled()" in others
    for code in enumeration("NoteCode", "message.hpp"):
        assert f"NoteCode::{code}" in others, code
    plain = re.findall(r'throw (?:InvalidArgument|IoError|FormatError|MemoryLimitExceeded)\(\s*(?:"|fmt::|std::string)',
                       others)
    assert not plain, "a throw without a code"


def test_the_tool_and_the_package_use_only_the_public_face():
    for path in [*(ROOT / "apps").rglob("*.[ch]pp"), *(ROOT / "python/bind").glob("*.[ch]pp")]:
        for name in includes(path):
            assert (path.parent / name).exists(), f"{path.name} includes {name}"


def test_public_headers_stand_alone_and_include_no_private_ones():
    for path in (ROOT / "include").rglob("*.hpp"):
        assert not includes(path), path


def test_licence_lines():
    for path in tracked("*.cpp", "*.hpp", "*.py", "*.pyi", "*.sh", "*.cmake", "*CMakeLists.txt",
                        "*.toml", "*.ts", "*.mjs", "*.css", ".ci/run"):
        head = "\n".join(path.read_text().splitlines()[:3])
        assert "SPDX-License-Identifier: Apache-2.0" in head, path


def test_no_long_files():
    for path in tracked("src", "include", "apps", "python", "web/*.ts", "web/*.css", "web/*.mjs", "tests/page"):
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


ROOTS = "src tests docs bench apps python paper tools fuzz examples include cmake".split()


def named_paths(page):
    """What a page names as a path of this project: `src/rows/metric.cpp`, `rows/metric.hpp`, `mbn/fit.hpp`, `input/npy*`."""
    text = page.read_text()
    # A path that goes on with <name> stands for many, one that comes after a slash or a word is part of a longer one.
    for path in re.findall(rf"(?<![\w./<>-])((?:{'|'.join(ROOTS)})/[\w./*-]*)(?!<)(?![\w./*-])", text):
        yield path.rstrip(".")
    for path in re.findall(rf"`((?:{'|'.join(Folders().order)})/[\w*-]+(?:\.\w+)?)`", text):
        yield f"src/{path}" if "." in path or path.endswith("*") else f"src/{path}.*"
    for header in re.findall(r"[`<](mbn/\w+\.hpp)[`>]", text):
        yield f"include/{header}"


def test_paths_that_documents_name_exist():
    """Except the page of old names."""
    pages = [page for page in tracked("*.md") if page != ROOT / "docs/names.md"]
    named = [(page, path) for page in pages for path in named_paths(page)]
    assert len({path for _, path in named}) > 50
    wrong = [f"{page.relative_to(ROOT)}: {path}" for page, path in named if not any(ROOT.glob(path))]
    assert not wrong, "\n".join(wrong)
