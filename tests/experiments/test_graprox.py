"""Graprox' table: every cell of the slides is there, its figures beside ours, and the means are right."""

from __future__ import annotations

import pytest

import nearly
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.applied import check_supported
from nearly.experiments.compare import composition
from nearly.experiments.means import arithmetic, geometric
from nearly.experiments.papers import graprox
from nearly.experiments.papers.graprox import CELLS, TECHNIQUES


def test_every_cell_can_be_measured():
    assert sum(len(cells) for cells in CELLS.values()) == 17
    for algorithm, cells in CELLS.items():
        for key, cell in cells.items():
            changed = [c[algorithm, key] for c in (graprox.ROAD, graprox.DIRECTED) if (algorithm, key) in c]
            for spec in (cell.spec, *changed):
                made = composition(spec)
                check_supported(made, algorithm)
                assert made[0].reference.partition(":")[0] == key
            assert cell.policy in ("auto", *ALGORITHMS.get(algorithm).policies)


def test_roads_and_directed_graphs_have_knobs_of_their_own():
    make = nearly.generate
    for g, changes in (
        (make.grid(20, 20, seed=1), graprox.ROAD),
        (make.rmat(8, 16, seed=1), graprox.DIRECTED),
        (make.rmat(8, 16, seed=1, directed=False), {}),
    ):
        cells = graprox.cells_for(g)
        changed = {(a, k): cells[a][k].spec for a in CELLS for k in CELLS[a] if cells[a][k] != CELLS[a][k]}
        assert changed == changes


def test_the_slides_means():
    cells = [cell for cells in CELLS.values() for cell in cells.values()]
    assert geometric(c.speedup for c in cells) == pytest.approx(1.4513, abs=1e-4)
    assert arithmetic(c.inaccuracy for c in cells) == pytest.approx(15.342, abs=1e-3)


def test_a_small_rerun(monkeypatch):
    monkeypatch.setattr(graprox, "SOURCES", 40)
    graph = nearly.generate.rmat(7, 8, seed=1)
    made = graprox.graprox({"small": graph}, 7, 1, lambda *_: None)
    main, detail, summary = made.tables
    assert [row["algorithm"] for row in main.rows] == [*CELLS, "mean"]
    assert list(main.rows[0]) == ["algorithm", *TECHNIQUES.values()]
    for row, (algorithm, cells) in zip(main.rows, CELLS.items()):
        for key, heading in TECHNIQUES.items():
            text = row[heading]
            assert (text == "-") == (key not in cells), (algorithm, key)
            if key in cells:
                assert text.endswith(f"({cells[key].speedup:.2f}x {cells[key].inaccuracy:.2f}%)")
    assert summary.rows[0]["paper: speedup"] == pytest.approx(1.4513, abs=1e-4)
    assert summary.rows[0]["cells"] <= 17
    assert {row["algorithm"] for row in detail.rows} == set(CELLS)
    assert all(table.to_markdown() for table in made.tables)
