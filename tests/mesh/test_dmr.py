"""`nearly reproduce dmr` on a tiny mesh: all rows, the paper's figures beside them."""

from __future__ import annotations

from nearly.base.progress import silent
from nearly.experiments.papers.dmr import ROWS, dmr


def test_tables_and_picture(tmp_path):
    made = dmr({}, 8, 1, silent)
    times, work, over_time = made.tables
    assert [row["scheme"] for row in times.rows] == [row[0] for row in ROWS]
    assert round(times.rows[3]["paper: gain %"], 2) == 56.51
    assert all(row["ms"] > 0 for row in times.rows)
    assert all(row["bad left"] == 0 for row in work.rows)
    assert len(over_time.rows) == 10
    assert "Table III" in times.to_markdown()
    made.pictures["rounds"](tmp_path / "rounds.svg")
    assert "million triangles per second" in (tmp_path / "rounds.svg").read_text()
