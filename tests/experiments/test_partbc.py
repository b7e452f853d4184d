"""The rerun of ParTBC: curves that end at the truth, rows for every order, pictures."""

from __future__ import annotations

import numpy as np

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
    made = partbc.partbc({"web": g}, 8, 1, silent)
    table, summary = made.tables
    assert [row["order"] for row in table.rows] == [*ORDERS, "sampling, error=0.05"]
    assert all(row["6% error: speedup"] > 0 for row in table.rows[:6])  # all of them end at the truth
    assert [row["graph"] for row in summary.rows] == ["web", "geometric mean"]
    assert "sampling" in table.to_markdown()
    made.pictures["web"](tmp_path / "web.png")
    assert (tmp_path / "web.png").read_bytes().startswith(b"\x89PNG")
