"""The rerun of ParTBC: curves that end at the truth, rows for every order, pictures."""

from __future__ import annotations

import numpy as np
import pytest

import nearly
from nearly.algorithms.topk_betweenness.order import ORDERS
from nearly.base.progress import silent
from nearly.experiments.papers import partbc
from nearly.experiments.papers.partbc import Course


def test_a_course_knows_where_it_settled_and_where_the_rule_stops():
    errors = np.array([0.5, 0.05, 0.3, 0.06, 0.0])
    found = Course(np.arange(1, 6) / 10, np.arange(1, 6), errors, np.zeros(5), np.array([0, 0.5, 1, 1, 1.0]))
    assert (found.settled(found.errors), found.settled(found.losses)) == (3, 0)
    assert found.settled(np.ones(5)) is None
    assert found.ruled() is None  # nothing is stable after so few batches
    longer = Course(*(np.r_[column, column] for column in found))
    assert longer.ruled() == 7


def test_every_order_has_a_row(tmp_path, monkeypatch):
    monkeypatch.setattr(partbc, "K", 5)
    monkeypatch.setattr(partbc, "SHARE", 1.0)
    monkeypatch.setattr(partbc, "SAMPLED", (0.05,))
    g = nearly.generate.rmat(8, 4, seed=1, directed=False)
    monkeypatch.setitem(partbc.ALONE, "stop", 1.0)
    made = partbc.partbc({"web": g, "rmat17": g}, 8, 1, silent)
    summary, curves, table, _ = made.tables
    assert [row["order"] for row in table.rows] == [*partbc.ONE_BY_ONE, *ORDERS, "sampling, error=0.05"]
    assert all(row["6% error: speedup"] > 0 for row in table.rows[:8])  # all of them end at the truth
    assert [row["graph"] for row in summary.rows] == ["web", "rmat17", "geometric mean"]
    assert [row["slides: ParTBC"] for row in summary.rows] == [None, 2.65, 2.5]
    assert [row["stands for"] for row in summary.rows] == ["-", "rmat17", ""]
    assert all(row["by DynRR"] > 0 and row["by renumbering"] > 0 for row in summary.rows)
    assert [list(row) for row in curves.rows] == [["graph", *(f"{mark}%" for mark in partbc.MARKS)]] * 2
    assert 0 <= curves.rows[0]["80%"] <= curves.rows[0]["1%"] <= 100
    assert "sampling" in table.to_markdown()
    made.pictures["web"](tmp_path / "web.png")
    assert (tmp_path / "web.png").read_bytes().startswith(b"\x89PNG")


def test_every_graph_of_the_slides_has_a_stand_in():
    graphs = partbc.stand_ins(10)
    assert [partbc.STANDS_FOR[name] for name in graphs] == list(partbc.PAPER)
    assert all(220 <= g.n <= 260 and not g.directed for g in graphs.values())
    assert np.exp(np.mean(np.log([row[0] for row in partbc.PAPER.values()]))) == pytest.approx(partbc.MEAN[0], abs=0.05)


def test_a_rerun_on_stand_ins_takes_seconds():
    made = partbc.partbc({}, 8, 1, silent)
    assert [row["slides: by DynRR"] for row in made.tables[0].rows] == [*(p[2] for p in partbc.PAPER.values()), 2.17]
    assert set(made.pictures) == {name.replace(" ", "-") for name in partbc.STANDS_FOR}
