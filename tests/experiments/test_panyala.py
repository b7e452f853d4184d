"""Panyala et al.: PageRank's tables hold what the paper's do, and stand on figures that agree with each other."""

from __future__ import annotations

import pytest

import nearly
from nearly.experiments.papers.panyala import EQUAL, WAYS, rank_tables


@pytest.mark.full
def test_the_tables_of_pagerank():
    graphs = {"web": nearly.generate.rmat(9, 8, seed=1), "empty": nearly.Graph.from_edges([], [], n=0)}
    tables, figures = rank_tables(graphs, 1, lambda stage, done, total: None)
    two, three, four, shares, speed, beside, equal = (table.rows for table in tables)
    for rows in (two, three, four, shares, speed, beside):
        assert [row["technique"] for row in rows] == list(WAYS)
    assert len(equal) == len(EQUAL)
    for row, top in zip(three, four):
        assert 0 < row["L1"] < 0.05
        assert row["Linf"] <= row["L2"] <= row["L1"]
        assert top["L1"] <= row["L1"]
    assert all(0 <= row["frozen %"] <= 100 for row in two)
    assert all(row["rounds (exact)"] >= row["rounds"] for row in two)
    assert {name: len(traces) for name, traces in figures.items()} == {"web frozen": len(WAYS)}
    assert all(row["exact at this error, ms"] > 0 and row["L1 error"] < 0.05 for row in equal)
