"""Panyala et al.: PageRank's tables hold what the paper's do, and stand on figures that agree with each other."""

from __future__ import annotations

import numpy as np
import pytest

import nearly
from nearly.base.progress import silent
from nearly.experiments.papers import panyala, panyala_ranks
from nearly.experiments.papers.panyala_published import COLORED, COMMUNITIES, FASTER, RANKS, STANDS_FOR
from nearly.experiments.papers.panyala_ranks import PRINTED, TITLES, TOLERANCES, WAYS, rank_tables, thread_counts


@pytest.fixture(scope="module")
def made():
    graphs = {"uk-2002": nearly.generate.rmat(9, 8, seed=1), "empty": nearly.Graph.from_edges([], [], n=0)}
    tables, pictures = rank_tables(graphs, 1, silent)
    return dict(zip(TITLES, (table.rows for table in tables), strict=True)), pictures


def test_the_tables_of_pagerank(made):
    tables, _ = made
    for key in ("II", "III", "IV", "2", "3", "45"):
        assert [row["technique"] for row in tables[key]] == list(WAYS)
    for row, top in zip(tables["III"], tables["IV"]):
        assert 0 < row["L1"] < 0.05
        assert row["Linf"] <= row["L2"] <= row["L1"]
        assert top["L1"] <= row["L1"] * (1 + 1e-12)  # sums of the same numbers, in another order
        assert (row["paper: L1"], top["paper: L1"]) == (7.3e-4, 3.2e-5)
    assert all(0 <= row["frozen %"] <= 100 for row in tables["II"])
    assert all(row["rounds (exact)"] >= row["rounds"] for row in tables["II"])
    assert {row["paper: rounds"] for row in tables["II"]} == {"26, 26"}
    assert all(row["STIC-D L2"] > 0 and row["speedup over STIC-D"] > 0 for row in tables["45"])
    counts = [f"{k} thread{'s' if k > 1 else ''}" for k in thread_counts()]
    assert all(row[count] > 0 for row in tables["3"] for count in counts)
    assert [row["tolerance"] for row in tables["tolerance"]] == [f"{tol:g}" for tol in TOLERANCES]
    rounds = [row["scaled: rounds"] for row in tables["tolerance"]]
    assert rounds == sorted(rounds)


def test_as_printed_nothing_is_scaled_and_norms_are_kept():
    """The largest change is what ends every way, frozen vertices too."""
    g = nearly.generate.rmat(10, 8, seed=1)
    found = panyala_ranks.ranked("web", g, 1)
    printed = nearly.pagerank(
        g, dangling="leak", norm="max", tol=1e-6, approx=nearly.FreezeEdges(c=1e-11, scaled=False, against="previous")
    )
    assert np.array_equal(found.results[PRINTED].values, printed.values)
    for way in WAYS:
        changes = [row.extra["largest"] for row in found.results[way].trace]
        assert changes[-1] <= max(1e-6, 0.25 * 1e-11 * 1e8 / g.n) < changes[0]
    vertices = found.results["frozen vertices"]
    assert np.abs(vertices.values - found.exact.values).sum() <= vertices.bound
    assert found.results["STIC-D"].guarantee == "certified"


def test_memory_is_what_the_paper_counts():
    g = nearly.Graph.from_edges([0, 1, 2, 3, 4], [5, 5, 5, 5, 5])
    row = panyala_ranks.memory("star", g)
    assert (row["bins"], row["4 V + 2 E"], row["4 V + 2 E + bins V"]) == (3, 34, 52)
    assert row["our bytes"] > 0


def test_pictures_are_drawn(made, tmp_path):
    _, pictures = made
    keys = ("figure-2", "figure-3", "figure-4", "figure-5", "tolerance")
    assert set(pictures) == {f"{key}-uk-2002" for key in keys}
    for name, draw in pictures.items():
        draw(tmp_path / f"{name}.png")
        assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")


def test_published_names_agree():
    assert set(COMMUNITIES) == set(COLORED) < set(RANKS)
    assert set(FASTER) < set(COMMUNITIES)
    assert set(STANDS_FOR.values()) < set(RANKS)
    assert set(panyala.stand_ins(6)) - set(STANDS_FOR) == {"road-like"}


@pytest.mark.full
def test_the_table_of_equal_errors():
    rows = panyala.at_equal_error("web", nearly.generate.rmat(9, 8, seed=1), 1, silent)
    assert len(rows) == len(panyala.EQUAL)
    assert all(row["exact at this error, ms"] > 0 and row["L1 error"] < 0.05 for row in rows)
