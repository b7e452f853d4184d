"""Graprox' table: every cell of the slides is there, its figures beside ours, and the means are right."""

from __future__ import annotations

import pytest

import nearly
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.technique import check_supported
from nearly.experiments.compare import composition
from nearly.experiments.papers import graprox
from nearly.experiments.papers.graprox import CELLS, TECHNIQUES, arithmetic, geometric


def test_every_cell_can_be_measured():
    assert sum(len(cells) for cells in CELLS.values()) == 17
    for algorithm, cells in CELLS.items():
        for key, cell in cells.items():
            for spec in (cell.spec, graprox.ROAD.get((algorithm, key), cell.spec)):
                made = composition(spec)
                check_supported(made, algorithm)
                assert made[0].seeds == key
            assert cell.policy in ("auto", *ALGORITHMS.get(algorithm).policies)


def test_roads_have_knobs_of_their_own():
    cells = graprox.cells_for(nearly.generate.grid(20, 20, seed=1))
    assert {(a, k) for a in CELLS for k in CELLS[a] if cells[a][k].spec != CELLS[a][k].spec} == set(graprox.ROAD)
    assert graprox.cells_for(nearly.generate.rmat(8, 16, seed=1)) is CELLS


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
