"""The pages of results are what `make results` makes of the recorded figures, and recording keeps what was printed."""

import json
import re
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.small

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"
PRINTED = """### Meshes

| | nearly (s) | first call (s) | peer |
|---|---|---|---|
| refine | 0.0310 | 12.45 | 0.3377 (10.9x) |
| 2^14 triangles | 1.2e-05 | 0.00 | - |

Slower in 0 of 1 rows.

### Points inserted

| | nearly | loss |
|---|---|---|
| A | 1,234 | +0.0040 |
| B | 37 | -0.0000 |
"""


@pytest.fixture(autouse=True)
def _beside_them(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield
    for name in ("figures", "record", "render"):
        sys.modules.pop(name, None)


def test_pages_are_up_to_date():
    import render

    made = render.pages()
    there = {BENCHMARKS / "RESULTS.md", *(BENCHMARKS / "results").glob("*.md")}
    assert there == set(made)
    for path, text in made.items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is not what `make results` makes"


def test_results_are_one_page():
    lines = (BENCHMARKS / "RESULTS.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 130
    headings = [line for line in lines if line.startswith("## ")]
    assert headings == ["## Missed, slower or doubtful", "## What holds"]


def test_links_lead_to_files():
    for page in [BENCHMARKS / "RESULTS.md", *(BENCHMARKS / "results").glob("*.md")]:
        for link in re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_no_table_mixes_commits():
    import figures

    for name, topic in figures.load_all().items():
        titles = [table["title"] for table in topic["tables"]]
        assert len(set(titles)) == len(titles), name
        for table in topic["tables"]:
            when = figures.recorded(topic, table)
            told = re.fullmatch("[0-9a-f]{7,}", when["commit"]) if when["commit"] else when.get("source")
            assert told, f"{name}, {table['title']}: no commit, and no word where the figures are from"
            assert re.fullmatch(r"\d{4}-\d\d-\d\d", when["date"]), (name, table["title"])
            assert not {"commit", "date"} & set(table["columns"]), (name, table["title"])
            assert all(len(row) == len(table["columns"]) for row in table["rows"]), (name, table["title"])


def test_every_counted_claim_finds_its_cell():
    import figures
    import render

    for name, topic in figures.load_all().items():
        for claim in render.claims_of(topic):
            assert claim.verdict in render.ORDER, (name, claim.what)
            assert claim.figure != "not measured", (name, claim.what)


def test_tables_are_read_as_they_were_printed():
    import figures
    import record

    meshes, points = record.read_tables(PRINTED)
    assert meshes["rows"] == [["refine", 0.0310, 12.45, [0.3377, 10.9]], ["2^14 triangles", 1.2e-05, 0.0, None]]
    assert meshes["notes"] == ["Slower in 0 of 1 rows."]
    assert points["rows"] == [["A", 1234, 0.004], ["B", 37, 0.0]]
    for table in (meshes, points):
        assert figures.table_text(table) in PRINTED.replace("| | ", "|  | ")


def test_recording_replaces_tables_of_the_same_title_only(tmp_path):
    import figures
    import record

    old = {"date": "2001-01-01", "commit": "0123abc", "load": "quiet"}
    new = {**old, "date": "2002-02-02", "commit": "4567def"}
    record.record("mesh", PRINTED, old, tmp_path)
    topic = figures.load(tmp_path / "mesh.json")
    topic["tables"][1]["replaced_by"] = "Points"
    topic["text"] = ["Words stay."]
    figures.save(topic, tmp_path / "mesh.json")
    record.record("mesh", PRINTED.partition("### Points")[0].replace("0.0310", "0.0290"), new, tmp_path)
    topic = figures.load(tmp_path / "mesh.json")
    assert topic["text"] == ["Words stay."]
    assert [table["recorded"]["commit"] for table in topic["tables"]] == ["4567def", "0123abc"]
    assert "0.0290" in figures.table_text(topic["tables"][0])
    record.record("mesh", PRINTED.replace("Points inserted", "Points"), new, tmp_path)
    titles = [table["title"] for table in json.loads((tmp_path / "mesh.json").read_text())["tables"]]
    assert titles == ["Meshes", "Points"]


def test_digits_are_kept(tmp_path):
    import figures

    cells = ["0.0310", "1.00", "8.78e-14", "-0.0000", "12"]
    (tmp_path / "x.json").write_text('{"topic": "x", "tables": [{"rows": [[' + ", ".join(cells) + "]]}]}")
    topic = figures.load(tmp_path / "x.json")
    figures.save(topic, tmp_path / "x.json")
    assert [figures.cell_text(cell) for cell in figures.load(tmp_path / "x.json")["tables"][0]["rows"][0]] == cells
    assert figures.cell_text(figures.Number("1234.50"), "{:,}") == "1,234.50"
    assert figures.cell_text(figures.Number("0.5"), "{:+}x") == "+0.5x"
