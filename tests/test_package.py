"""The package as a whole: light to import, one version, names that resolve, examples that run, docs that are true."""

from __future__ import annotations

import ast
import doctest
import importlib
import importlib.metadata
import importlib.util
import os
import pkgutil
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import nearly

ROOT = Path(__file__).resolve().parent.parent
WRITTEN = [path for path in sorted((ROOT / "docs").rglob("*.md")) if "generated" not in path.parts]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *WRITTEN]
HEAVY = ("numba", "scipy", "matplotlib", "pyarrow", "networkx", "pandas", "polars")
MODULES = [
    "nearly",
    *(m.name for m in pkgutil.walk_packages(nearly.__path__, "nearly.") if m.name != "nearly.__main__"),
]


def python(code: str, *args: str) -> str:
    done = subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def fenced(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)


def test_import_is_light():
    code = f"import sys, nearly; print([m for m in {HEAVY!r} if m in sys.modules])"
    assert python(code).strip() == "[]"


@pytest.mark.parametrize(
    "args", [["--help"], ["--version"], ["list", "--help"], ["generate", "--help"], ["info", "--help"]]
)
def test_help_is_light(args):
    code = (
        "import sys, nearly.cli.main as m\n"
        "try: m.main(sys.argv[1:])\n"
        f"except SystemExit as e: assert not e.code, e.code\nprint([m for m in {HEAVY!r} if m in sys.modules])"
    )
    assert python(code, *args).splitlines()[-1] == "[]"


def test_every_public_name_resolves():
    for name in nearly.__all__:
        assert getattr(nearly, name) is not None, name
    assert set(dir(nearly)) >= set(nearly.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = nearly.nonsense


def test_type_checkers_see_every_public_name():
    """Lazy names are spelled out in a stub, with signatures from the registries; `make stub` writes it."""
    sys.path.insert(0, str(ROOT / "scripts"))
    import make_stub

    written = ast.parse(make_stub.STUB.read_text())
    assert ast.dump(written) == ast.dump(ast.parse(make_stub.stub())), "run make stub"
    named = {node.name for node in written.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    named |= {alias.asname for node in written.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert set(nearly.__all__) - {"__version__"} <= named


def test_errors_have_one_root():
    errors = [getattr(nearly, name) for name in nearly.__all__ if name.endswith("Error")]
    assert len(errors) >= 7
    assert all(issubclass(error, nearly.NearlyError) for error in errors)


def test_one_version():
    assert nearly.__version__ == importlib.metadata.version("nearly")
    pyproject = (ROOT / "pyproject.toml").read_text()
    assert 'dynamic = ["version"]' in pyproject
    assert not re.search(r"^version\s*=", pyproject, re.MULTILINE)


@pytest.mark.parametrize("start", [["-m", "nearly"], ["-c", "from nearly.cli.main import main; main()"]])
def test_version_on_the_command_line(start):
    done = subprocess.run([sys.executable, *start, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"nearly {nearly.__version__}\n"


def test_the_script_is_the_entry_point():
    (script,) = importlib.metadata.entry_points(group="console_scripts", name="nearly")
    assert script.value == "nearly.cli.main:main"


@pytest.mark.parametrize("module", MODULES)
def test_docstring_examples(module, tmp_path, monkeypatch):
    if "cuda" in module and importlib.util.find_spec("numba_cuda") is None:
        pytest.skip("numba-cuda is not installed: pip install '.[cuda]'")
    monkeypatch.chdir(tmp_path)
    loaded = importlib.import_module(module)
    assert loaded.__doc__, "a file begins with what it does"
    results = doctest.testmod(loaded, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples_run(page, tmp_path, monkeypatch, capsys):
    """Each example as it stands: a file of its own, run alone."""
    from nearly.engine.technique import ALGORITHMS, TECHNIQUES

    for registry in (ALGORITHMS, TECHNIQUES):
        registry.names()  # all are loaded, so that what a page registers can be taken away again
        monkeypatch.setattr(registry, "_entries", dict(registry._entries))
        monkeypatch.setattr(registry, "_origins", dict(registry._origins))
    monkeypatch.chdir(tmp_path)
    for number, block in enumerate(fenced(page, "python")):
        (tmp_path / f"example_{number}.py").write_text(block)
        runpy.run_path(f"example_{number}.py")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_run(page, tmp_path, monkeypatch, capsys):
    """Lines that begin with `nearly` in shell examples, one after the other in one folder."""
    from nearly.cli.main import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NEARLY_CACHE", "0")
    for line in "".join(fenced(page, "sh")).splitlines():
        if line.startswith("nearly "):
            with pytest.raises(SystemExit) as stopped:
                main(shlex.split(line, comments=True)[1:])
            assert not stopped.value.code, (line, capsys.readouterr().err)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_named_in_texts_exist(page):
    from nearly.cli.main import COMMANDS

    for name in re.findall(r"`nearly ([a-z]+)", page.read_text()):
        assert name in COMMANDS, (page.name, name)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_make_targets_and_links_exist(page):
    text = page.read_text()
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)`", text)) <= targets
    for link in re.findall(r"\]\((?!http)([^)#]+)", text):
        assert (page.parent / link).exists(), (page.name, link)


@pytest.mark.parametrize("page", ["README.md", "docs/formats.md"])
def test_tables_of_formats_are_complete(page):
    from nearly.graph.io import EXTENSIONS, WRITERS

    rows = [line for line in (ROOT / page).read_text().splitlines() if line.startswith("|")]
    for extension, name in EXTENSIONS.items():
        (row,) = [row for row in rows if f"`{extension}`" in row]
        assert f"| yes | {'yes' if name in WRITERS else 'no'} |" in row, extension


def test_settings_named_in_the_readme_are_read_somewhere():
    sources = "".join(path.read_text() for path in Path(nearly.__file__).parent.rglob("*.py"))
    named = set(re.findall(r"NEARLY_[A-Z_]+", (ROOT / "README.md").read_text()))
    assert named == set(re.findall(r'"(NEARLY_[A-Z_]+)"', sources))


def test_continuous_integration_runs_the_readme():
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    for command in ("pip install '.[test]' && pytest", "pip install . && nearly demo"):
        assert f"\n{command}\n" in (ROOT / "README.md").read_text()
    assert "pip install '.[test]' && pytest" in script.read_text()
