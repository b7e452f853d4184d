"""Graprox' table: every cell of the slides is there, its figures beside ours, and the means are right."""

from __future__ import annotations

from itertools import pairwise

import pytest

import nearly
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.applied import check_supported
from nearly.experiments.compare import composition
from nearly.experiments.means import arithmetic, geometric
from nearly.experiments.papers import graprox, graprox_sweeps
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


@pytest.fixture(scope="module")
def rerun():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graprox, "SOURCES", 40)
        graph = nearly.generate.rmat(7, 8, seed=1)
        yield graprox.graprox({"small": graph}, 7, 1, lambda *_: None)


def titled(made, start):
    return next(table for table in made.tables if table.title.startswith(start))


def test_a_small_rerun(rerun):
    main, detail, summary = rerun.tables[:3]
    cells = [(algorithm, key, cell) for algorithm, cells in CELLS.items() for key, cell in cells.items()]
    assert len(main.rows) == len(cells) + len(TECHNIQUES)
    for row, (algorithm, key, cell) in zip(main.rows, cells):
        assert (row["algorithm"], row["technique"]) == (algorithm, TECHNIQUES[key])
        assert (row["slides: speedup"], row["slides: inaccuracy %"]) == (cell.speedup, cell.inaccuracy)
        assert (row["finished by"] == "filter-Kruskal") == (algorithm == "mst" and key != "GP4")
        assert row["speedup"] is None or row["vs best"] <= row["speedup"] * (1 + 1e-9)
    assert {row["technique"] for row in main.rows if row["algorithm"] == "mean"} == set(TECHNIQUES.values())
    assert summary.rows[0]["slides: speedup"] == pytest.approx(1.4513, abs=1e-4)
    assert summary.rows[0]["cells"] <= 17
    assert {row["algorithm"] for row in detail.rows} == set(CELLS)
    assert all(table.to_markdown() for table in rerun.tables)


@pytest.mark.parametrize("key", ["GP1", "GP2", "GP3"])
def test_three_sweeps_over_five_algorithms(rerun, key, tmp_path):
    table = titled(rerun, f"{key}: speed and inaccuracy")
    assert {row["algorithm"] for row in table.rows} == set(CELLS)
    for algorithm in CELLS:
        values = [row["value"] for row in table.rows if row["algorithm"] == algorithm]
        assert len(values) >= 3
        name = f"{key.lower()}-{algorithm}"
        rerun.pictures[name](tmp_path / f"{name}.png")
        assert (tmp_path / f"{name}.png").stat().st_size > 1000


def test_the_thesis_ways_have_the_words_that_follow(rerun):
    table = titled(rerun, "The thesis' ways")
    words = {(row["technique"].split()[0], row["algorithm"]): row["guarantee"] for row in table.rows}
    assert words["GP4", "sssp"] == "certified"
    assert words["GP4", "mst"] == words["GP2", "mst"] == words["GP2", "scc"] == "upper bound"
    assert words["GP2", "pagerank"] == "certified"
    assert {algorithm for key, algorithm in words if key == "GP3"} == set(CELLS)


def test_sssp_comes_nearer_round_by_round(rerun, tmp_path):
    table = titled(rerun, "Progress of SSSP")
    errors = [row["inaccuracy %"] for row in table.rows]
    assert [row["round"] for row in table.rows] == list(range(1, len(errors) + 1))
    assert all(a >= b for a, b in pairwise(errors))
    assert errors[-1] == 0
    assert table.rows[-1]["final %"] == 100
    rerun.pictures["sssp-progress"](tmp_path / "progress.png")
    assert "sssp-rounds" in rerun.figures


def test_what_is_swept_can_be_swept():
    graph = nearly.generate.rmat(6, 8, seed=1, weights="int")
    for key in graprox_sweeps.TITLES:
        for algorithm, turned in graprox_sweeps.swept_by(key, graph).items():
            made = composition(turned.spec)
            check_supported(made, algorithm)
            assert turned.knob in made[0].dials
            assert made[0].reference.partition(":")[0] == key
