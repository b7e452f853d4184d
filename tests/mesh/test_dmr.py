"""`nearly reproduce dmr` on tiny meshes: all rows, the paper's figures beside them."""

from __future__ import annotations

import pytest

from nearly.base.progress import silent
from nearly.experiments.papers.dmr import ROWS, dmr


@pytest.fixture(scope="module")
def made():
    return dmr({}, 10, 1, silent)


def test_tables(made):
    times, by_mesh, work, over_time = made.tables
    names = [way.name for way in ROWS]
    for table in (times, by_mesh, work):
        assert [row["scheme"] for row in table.rows] == names
    assert [round(times.rows[3][f"paper: {gpu} gain %"], 2) for gpu in ("Kepler", "Fermi")] == [56.51, 44.17]
    assert all(row["ms"] > 0 for row in times.rows)
    assert all(row["bad left"] == 0 for row in work.rows)
    assert len(by_mesh.rows[0]) == 7  # three meshes, two columns each
    assert len(over_time.rows) == 10
    assert "Table III" in times.to_markdown()
    assert len({tuple(table.rows[0]) for table in made.tables}) == 4


def test_the_base_row_is_the_papers_base_scheme(made):
    assert ROWS[0].how == {"scheme": "base", "balance": "own", "point": "circumcentre"}
    assert all(way.how["point"] == "circumcentre" for way in ROWS if way.kepler is not None)
    work = made.tables[2].rows
    assert work[0]["points inserted"] > work[6]["points inserted"]  # off-centres take fewer


def test_pictures(made, tmp_path):
    for name, draw in made.pictures.items():
        draw(tmp_path / f"{name}.svg")
    assert "million triangles per second" in (tmp_path / "rounds.svg").read_text()
    assert {"figure-13.svg", "figure-14.svg"} <= {path.name for path in tmp_path.iterdir()}
