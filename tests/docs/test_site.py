"""The site's sources, without building it: every public name and page is there, links lead on, tables are true."""

from __future__ import annotations

import fnmatch
import re
import sys
from pathlib import Path

import pytest

import nearly

pytestmark = pytest.mark.small

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
WRITTEN = {
    path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(DOCS.rglob("*.md"))
    if path.relative_to(DOCS).parts[0] != "generated"
}


@pytest.fixture(scope="module", autouse=True)
def _as_sphinx_finds_them():
    before = list(sys.path)
    sys.path[:0] = [str(DOCS), str(ROOT / "benchmarks")]
    yield
    sys.path[:] = before
    for name in [name for name in sys.modules if name.partition(".")[0] in ("sitegen", "figures", "render")]:
        del sys.modules[name]


@pytest.fixture(scope="module")
def made():
    """What is made at build time, but for charts, which take matplotlib seconds."""
    from sitegen import benchmarks, pages

    with pytest.MonkeyPatch.context() as patch:
        for name in ("_chart", "_verdicts"):
            patch.setattr(benchmarks, name, lambda *_: "<svg/>")
        return pages()


def stem(path: str) -> str:
    return re.sub(r"\.(md|rst)$", "", path)


def toctree_entries(text: str) -> list[str]:
    blocks = re.findall(r"^```\{toctree\}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    blocks += re.findall(r"^\.\. toctree::\n((?:   .*\n|\n)+)", text + "\n", re.MULTILINE)
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    return [re.sub(r"^.*<(.*)>$", r"\1", line) for line in lines if line and not line.startswith(":")]


def test_every_public_name_is_in_the_reference(made):
    for name in set(nearly.__all__) - {"__version__"}:
        source = made[f"api/nearly.{name}.rst"]
        assert re.search(rf"^\.\. (auto\w+|py:module):: nearly\.{name}$", source, re.MULTILINE), name
    for module in nearly._MODULES:
        for name in getattr(getattr(nearly, module), "__all__", ()):
            pages = made[f"api/nearly.{module}.rst"], made["api/answers.rst"]
            assert any(re.search(rf"\.{name}$", page, re.MULTILINE) for page in pages), (module, name)


def test_a_new_name_appears_by_itself(monkeypatch):
    from sitegen import reference

    monkeypatch.setitem(nearly._HOME_OF, "brand_new", "nearly.new_package.there")
    monkeypatch.setattr(nearly, "__all__", [*nearly.__all__, "brand_new"])
    assert "brand_new" in reference.grouped()["more"]


def test_every_page_is_in_a_toctree(made):
    pages = {stem(path): text for path, text in WRITTEN.items()}
    pages |= {f"generated/{stem(path)}": text for path, text in made.items() if path.endswith((".md", ".rst"))}
    seen, waiting = set(), ["index"]
    while waiting:
        page = waiting.pop()
        seen.add(page)
        folder = page.rpartition("/")[0]
        for entry in toctree_entries(pages[page]):
            path = f"{folder}/{entry}" if folder else entry
            found = fnmatch.filter(pages, path) if "*" in path else [path]
            assert "*" in path or path in pages, (page, entry)
            waiting += [each for each in found if each not in seen]
    included = {"generated/pictures"}  # into the gallery
    assert set(pages) - seen == included


def test_links_of_pages_lead_to_pages_or_files(made):
    from sitegen.links import relinked

    pages = {path: relinked(text, f"docs/{path}") for path, text in WRITTEN.items()}
    pages |= {f"generated/{path}": text for path, text in made.items() if path.endswith(".md")}
    pages.pop("generated/pictures.md")  # its links begin at the root
    there = {*pages, *(f"generated/{path}" for path in made)}
    for page, text in pages.items():
        prose = re.sub(r"^```.*?^```$|`[^`\n]+`", "", text, flags=re.MULTILINE | re.DOTALL)
        for link in re.findall(r"\]\(([^)#\s]+)", prose):
            if not re.match("[a-z]+:", link):
                path = (DOCS / page).parent / link if not link.startswith("/") else DOCS / link[1:]
                path = path.resolve()
                inside = path.relative_to(DOCS).as_posix() if path.is_relative_to(DOCS) else ""
                assert inside in there or path.is_file(), (page, link)


def test_links_are_rewritten_where_the_site_has_another_place_and_code_is_left_alone():
    from sitegen.links import relinked

    assert relinked("[a](../README.md#start)", "docs/gpu.md") == "[a](generated/project/README.md#start)"
    assert relinked("[a](docs/gpu.md)", "README.md") == "[a](../../gpu.md)"
    assert relinked("[a](../data/gap.json)", "benchmarks/results/gap.md") == "[a](../../../benchmarks/data/gap.json)"
    assert relinked("[a](../RESULTS.md) [b](decisions)", "benchmarks/results/x.md").startswith("[a](all-results.md)")
    assert relinked("[b](decisions)", "docs/index.md") == "[b](decisions/README.md)"
    for same in ("`[a](../README.md)`", "```\n[a](../README.md)\n```", "[a](https://example.org/README.md)", "[a](#x)"):
        assert relinked(same, "docs/gpu.md") == same


def test_the_guarantee_matrix_is_that_of_the_registries(made):
    from nearly.engine.technique import TECHNIQUES

    text = made["guarantee-matrix.rst"].partition("What follows")[0]
    rows = [
        re.findall(r"^   (?:\* -|  -) ?(.*)$", row, re.MULTILINE)
        for row in re.split(r"(?=^   \* -)", text, flags=re.M)[1:]
    ]
    head, *body = rows
    for row in body:
        algorithm = re.search(r"nearly\.(\w+)", row[0])[1]
        for technique, cell in zip(TECHNIQUES, row[1:], strict=True):
            word = technique.guarantees.get(algorithm)
            assert cell.partition("`")[0] == (f":{word.replace(' ', '-')}:" if word else ""), (algorithm, technique)
    assert len(body) == len({name for technique in TECHNIQUES for name in technique.guarantees})
    assert len(head) == len(list(TECHNIQUES)) + 1


def test_every_paper_says_which_command_makes_its_figures(made):
    from nearly.cli.main import COMMANDS
    from nearly.experiments.reproduction import REPRODUCTIONS, paper_figures

    figures = paper_figures()
    assert {figure["paper"] for figure in figures} == set(REPRODUCTIONS.names())
    for figure in figures:
        assert all(figure.values()), figure
        for command, paper in re.findall(r"`nearly ([a-z]+)(?: ([a-z-]+))?", figure["command"]):
            assert command in COMMANDS
            assert command != "reproduce" or paper == figure["paper"], figure
        for page in re.findall(r"(?:docs|tests)/[\w/.-]+\.(?:md|py)", figure["command"]):
            assert (ROOT / page).exists(), page
        assert f"| {figure['place']} | {figure['shows']} |" in made["papers.md"]


def test_ratios_are_read_from_recorded_tables():
    from sitegen.benchmarks import best_others, ratios

    table = {
        "title": "kron-20: 7 vertices",
        "columns": ["", "nearly (s)", "networkit", "igraph", "of aim"],
        "formats": {"networkit": "{} ({}x)", "igraph": "{} ({}x)", "of aim": "{}x"},
        "rows": [["bfs", 0.1, [0.3, 3.0], [0.2, 2.0], 0.5], ["sssp", 0.1, None, [0.4, 4.0], None]],
    }
    assert ratios(table) == [
        ("bfs", "networkit", 3.0),
        ("bfs", "igraph", 2.0),
        ("bfs", "of aim", 0.5),
        ("sssp", "igraph", 4.0),
    ]
    assert best_others({"tables": [table]}) == [("bfs", "kron-20", 2.0), ("sssp", "kron-20", 4.0)]


def test_names_that_a_docstring_lists_become_attributes():
    from sitegen.docstrings import list_names

    lines = ["A plan.", "", "name : what", "    it is.", "why : because.", "", "Parameters", "----------"]
    lines += ["x, y : int", "    Both."]
    list_names(None, "class", "Plan", None, None, lines)
    assert lines[2:5] == [":ivar name: what", "    it is.", ":ivar why: because."]
    assert lines[-2:] == ["x, y : int", "    Both."]
    lines = ["Made.", "", "Attributes", "----------", "x, y : int", "    Both.", "z : str"]
    list_names(None, "class", "Made", None, None, lines)
    assert lines[4:] == ["x : int", "    Both.", "y : int", "    Both.", "z : str"]


def test_what_pages_load_from_elsewhere_is_found(tmp_path):
    from sitegen.offline import loaded_from_elsewhere

    (tmp_path / "good.html").write_text('<a href="https://example.org">x</a><script src="_static/a.js"></script>')
    assert loaded_from_elsewhere(tmp_path) == []
    (tmp_path / "bad.html").write_text(
        '<script async src="https://cdn.example.org/a.js"></script><link rel="stylesheet" href="//example.org/b.css">'
    )
    (tmp_path / "c.css").write_text("@font-face { src: url(https://example.org/f.woff2) }")
    assert len(loaded_from_elsewhere(tmp_path)) == 3


def test_continuous_integration_builds_the_site_as_make_does():
    command = "python -m sphinx -W --keep-going -q -b html docs"
    assert command in (ROOT / "Makefile").read_text()
    assert f"step pip install --quiet '.[docs]'\nstep {command}" in (ROOT / ".ci" / "run").read_text()
