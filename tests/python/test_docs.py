# SPDX-License-Identifier: Apache-2.0
"""Documentation is run, stubs are compared, and importing costs little."""

import ast
import contextlib
import doctest
import importlib
import inspect
import io
import os
import re
from pathlib import Path

import pytest

import mbn

PACKAGE = Path(mbn.__file__).parent
BLOCK = re.compile(r"(<!-- not run.*?-->\n)?```python\n(.*?)```(?:\n\n```\n(.*?)```)?", re.DOTALL)


def run_blocks(path):
    """The blocks of a page in one session; an output block after one is what it prints. How many there were."""
    session, ran = {}, 0
    for skipped, code, expected in BLOCK.findall(path.read_text()):
        if skipped:
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, path.name, "exec"), session)
        if expected:
            assert printed.getvalue() == expected, code
        ran += 1
    return ran


@pytest.mark.slow
def test_the_page_for_those_who_come_from_elsewhere_runs(root, tmp_path, monkeypatch):
    for needed in ("sklearn", "matplotlib"):
        pytest.importorskip(needed)
    monkeypatch.chdir(tmp_path)
    assert run_blocks(root / "docs/coming-from.md") >= 9


@pytest.mark.slow
def test_the_page_runs(root, tmp_path, monkeypatch):
    for needed in ("sklearn", "matplotlib", "anndata"):
        pytest.importorskip(needed)
    monkeypatch.chdir(tmp_path)
    assert run_blocks(root / "docs/python.md") >= 10
    assert (tmp_path / "digits.png").stat().st_size > 10_000
    keep = os.environ.get("MBN_KEEP_DOC_FILES")
    if keep:
        (Path(keep) / "digits.png").write_bytes((tmp_path / "digits.png").read_bytes())


def test_the_page_of_large_data_runs(root, tmp_path, monkeypatch):
    """But for the recipes, which other systems run (test_recipes.py)."""
    pytest.importorskip("dask", reason="dask is not installed")
    pytest.importorskip("distributed", reason="distributed is not installed")
    text = re.sub(r"<!-- recipe.*?```.*?```", "", (root / "docs/scale.md").read_text(), flags=re.DOTALL)
    (tmp_path / "scale.md").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert run_blocks(tmp_path / "scale.md") == 1


def test_the_readme_runs(root, tmp_path, monkeypatch):
    blocks = re.findall(r"<!-- run -->\n```python\n(.*?)```", (root / "README.md").read_text(), re.DOTALL)
    assert blocks
    monkeypatch.chdir(tmp_path)
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})
    assert (tmp_path / "net.mbn").is_file()


@pytest.mark.parametrize("module", ["mbn", "mbn.estimators", "mbn.functions", "mbn.lsa", "mbn.student", "mbn._load",
                                    "mbn._plot", "mbn.dask"])
def test_docstring_examples_run(module, tmp_path, monkeypatch):
    if module == "mbn._plot":
        pytest.importorskip("matplotlib")
    if module == "mbn.dask":
        pytest.importorskip("dask", reason="dask is not installed")
    monkeypatch.chdir(tmp_path)
    result = doctest.testmod(importlib.import_module(module))
    assert result.attempted > 0 and result.failed == 0


def test_everything_public_has_a_docstring():
    for name in mbn.__all__:
        if name != "__version__":
            assert inspect.getdoc(getattr(mbn, name)), name
    for cls in (mbn.MBN, mbn.MBNClustering, mbn.Lsa):
        for name, member in inspect.getmembers(cls, inspect.isfunction):
            if not name.startswith("_") and member.__module__.startswith("mbn"):
                assert inspect.getdoc(member), f"{cls.__name__}.{name}"


def stub_of(name):
    return ast.parse((PACKAGE / f"{name}.pyi").read_text())


def stub_arguments(function):
    arguments = function.args
    return [one.arg for one in [*arguments.args, *arguments.kwonlyargs]]


def test_stub_of_the_extension():
    """The names in the stub are the names in the module: functions, methods and constants alike."""
    core = importlib.import_module("mbn._core")
    tree = stub_of("_core")
    written = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    written |= {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)} - {"__version__"}
    there = {name for name in dir(core) if not name.startswith("_")}
    assert written == there
    model = next(node for node in tree.body if getattr(node, "name", "") == "Model")
    members = {getattr(node, "name", None) or node.target.id for node in model.body}
    assert {name for name in members if not name.startswith("__")} == {
        name for name in dir(core.Model) if not name.startswith("_")}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            signature = getattr(core, node.name).__doc__ or ""
            for argument in stub_arguments(node):
                assert f"{argument}:" in signature, f"{node.name}({argument})"


def test_stub_of_the_estimators():
    classes = {node.name: node for stub in ("estimators", "lsa") for node in stub_of(stub).body
               if isinstance(node, ast.ClassDef)}
    families = {"MBN": ("_Network", "_EmbeddingNetwork"), "MBNClustering": ("_Network", "_EmbeddingNetwork"),
                "MBNMap": ("_Network",), "Lsa": ()}
    for name, above in families.items():
        bases = (*above, name)
        functions = {node.name: node for base in bases for node in classes[base].body
                     if isinstance(node, ast.FunctionDef)}
        attributes = {node.target.id for base in bases for node in classes[base].body
                      if isinstance(node, ast.AnnAssign)}
        cls = getattr(mbn, name)
        parameters = inspect.signature(cls).parameters
        assert stub_arguments(functions["__init__"])[1:] == list(parameters)
        written = functions["__init__"].args
        defaults = [ast.literal_eval(one) for one in [*written.defaults, *written.kw_defaults]]
        assert defaults == [one.default for one in parameters.values()]
        assert set(parameters) <= attributes
        public = {key for key, value in inspect.getmembers(cls, callable)
                  if not key.startswith("_") and value.__module__.startswith("mbn")}
        assert public <= set(functions)
        for key, node in functions.items():
            assert hasattr(cls, key), key


@pytest.mark.slow
def test_types_for_users(tmp_path, python):
    """What a type checker makes of a user's program."""
    pytest.importorskip("mypy")
    (tmp_path / "program.py").write_text(
        "import mbn\n"
        "net = mbn.MBNClustering(3).fit([[1.0], [2.0]])\n"
        "reveal_type(net)\n"
        "reveal_type(mbn.plan((9, 9)).layers[0].centroids)\n"
        "mbn.MBN(metric='minkowski')\n"
        "mbn.MBN(decay='half')\n")
    told = python("""
        import os, sys
        from mypy import api
        os.environ["MYPYPATH"] = sys.argv[1]
        print(api.run(["--cache-dir", os.devnull, "--ignore-missing-imports", sys.argv[2]])[0])
    """, PACKAGE.parent, tmp_path / "program.py")
    assert 'Revealed type is "mbn.estimators.MBNClustering"' in told, told
    assert 'Revealed type is "int"' in told or 'Revealed type is "builtins.int"' in told, told
    assert told.count("error:") == 2 and "minkowski" in told and '"decay"' in told, told


def test_fitted_attributes_are_in_the_stub(net):
    text = (PACKAGE / "estimators.pyi").read_text()
    for name in vars(net):
        if name.endswith("_"):
            assert f"    {name}: " in text, name
            assert name in mbn.MBN.__doc__ + mbn.MBNClustering.__doc__, name


def test_import_is_quick_and_lazy(python):
    """The best of five, in fresh interpreters; nothing heavy comes along."""
    times = [float(python("""
        import sys, time
        start = time.perf_counter()
        import mbn
        seconds = time.perf_counter() - start
        heavy = {"sklearn", "scipy", "pandas", "matplotlib", "numpy", "tqdm"} & set(sys.modules)
        assert not heavy, heavy
        print(seconds)
    """)) for _ in range(5)]
    assert min(times) < 0.1


def test_the_extension_is_quick_too(python):
    """With NumPy, which every use needs: the package's own share."""
    times = [float(python("""
        import time
        import numpy
        start = time.perf_counter()
        import mbn._core
        print(time.perf_counter() - start)
    """)) for _ in range(5)]
    assert min(times) < 0.1


def test_without_scikit_learn(python):
    """The same answers and the same face where scikit-learn is not installed."""
    code = """
        import sys, zlib, importlib.util
        if sys.argv[1] == "hide":
            real = importlib.util.find_spec
            importlib.util.find_spec = lambda name, *rest: None if name == "sklearn" else real(name, *rest)
        import mbn
        rows, _ = mbn.generate("moons", rows=100)
        net = mbn.MBNClustering(2, n_clusterings=20)
        labels = net.fit_predict(rows)
        assert "sklearn" not in sys.modules or sys.argv[1] == "show"
        print(repr(net), sorted(net.get_params()), zlib.crc32(net.model_.to_bytes()), labels.sum())
    """
    hidden = python(code, "hide")
    pytest.importorskip("sklearn")
    assert python(code, "show") == hidden


def test_public_names():
    assert set(mbn.__all__) <= set(dir(mbn))
    with pytest.raises(AttributeError, match="no attribute 'UMAP'"):
        mbn.UMAP
    assert re.fullmatch(r"\d+\.\d+\.\d+", mbn.__version__)


def test_the_version_is_everywhere_the_same(tool):
    assert mbn.__version__ in tool("--version").stdout
