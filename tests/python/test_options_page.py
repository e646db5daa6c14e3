# SPDX-License-Identifier: Apache-2.0
"""docs/options.md and the tool's help say the defaults that the library's structs have."""

import re

import pytest

import mbn
from mbn import _core

# The heading of a table, its options, and a verb whose help has them.
TABLES = {"FitOptions": (_core.fit_options, "fit"), "TextOptions": (_core.text_options, "vectorize"),
          "LsaOptions": (_core.lsa_options, "lsa"),
          "CompressOptions": (_core.compress_options, "compress"),
          "RunOptions": (_core.run_options, "fit")}


def flag(option):
    return "--" + option["name"].replace("_", "-")


def expected(option):
    """What must be printed as the default: the value, or the rule that replaces it."""
    default, rule = option["default"], option.get("automatic")
    if option["name"] in ("clusters", "directions"):
        assert default == {"clusters": "unknown", "directions": "auto"}[option["name"]]
        return f"{default}: {rule}"
    if "choices" in option:
        return "none" if default is None else default
    return f"auto: {rule}" if default is None else f"{default:g}"


@pytest.fixture(scope="module")
def page(root):
    """Table by name, and in it the cells of every option: default, range, effect."""
    tables = {}
    for part in (root / "docs/options.md").read_text().split("\n## ")[1:]:
        cells = re.findall(r"^\| `(--[a-z-]+)` \| (.*?) \| (.*?) \| (.*) \|$", part, re.MULTILINE)
        tables[re.search(r"\(`(\w+)`\)", part)[1]] = {name: rest for name, *rest in cells}
    return tables


def test_the_page_is_what_the_tool_prints(tool, root):
    assert tool("options").stdout == (root / "docs/options.md").read_text()


@pytest.mark.parametrize("name", TABLES)
def test_defaults_of_the_page(page, name):
    options = TABLES[name][0]()
    assert list(page[name]) == [flag(option) for option in options]
    for option in options:
        default, limits, effect = page[name][flag(option)]
        assert default == expected(option), option["name"]
        assert effect == option["help"]
        if option.get("automatic") and isinstance(option["default"], (int, float)):
            assert f"auto: {option['automatic']}" in limits, option["name"]


@pytest.mark.parametrize("name", TABLES)
def test_defaults_of_the_help(tool, name):
    options, verb = TABLES[name]
    text = tool(verb, "--help").stdout
    for option in options():
        # The name, the type, the default, and the effect beside it or on the next line.
        entry = (rf"^  {flag(option)} [^\n]*?={re.escape(expected(option))}(?: \.\.\.)?"
                 rf"(?: Excludes: --[a-z]+)?\s+{re.escape(option['help'])}")
        if flag(option) == "--missing":  # of the tool's reader, which has more words for it
            assert re.search(r"^  --missing [^\n]*partial", text, re.MULTILINE)
            continue
        assert re.search(entry, text, re.MULTILINE), option["name"]
        if option.get("automatic") and isinstance(option["default"], (int, float)):
            assert f"(auto: {option['automatic']})" in text


def test_defaults_that_differ_by_verb(tool):
    assert re.search(r"--clusters \S+=find\n", tool("cluster", "--help").stdout)
    text = tool("index", "--help").stdout
    assert "--components UINT=100 " in text and "=cosine\n" in text


def test_the_defaults_are_those_of_python():
    """The two that help and documentation once had wrong."""
    assert mbn.MBN().decay == "auto" and mbn.Vectorizer().words == 2000
    defaults = {option["name"]: option["default"]
                for option in [*_core.fit_options(), *_core.text_options()]}
    assert defaults["decay"] is None and defaults["words"] == 2000
    assert mbn.MBN().most_clusters == defaults["most_clusters"] == 30
    assert mbn.MBN().n_clusters == defaults["clusters"] == "unknown"
