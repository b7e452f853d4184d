"""The paper's tables on communities: every variant runs, and the paper's figures stand beside graphs of its names."""

from __future__ import annotations

import nearly
from nearly.engine.applied import check_supported
from nearly.experiments.compare import composition
from nearly.experiments.papers import panyala_communities as paper


def test_every_variant_can_be_asked_for():
    for spec in filter(None, paper.VARIANTS.values()):
        check_supported(composition(spec), "louvain")
    assert set(paper.CONVERGING) <= set(paper.VARIANTS)
    assert set(paper.PAPER_V) == set(paper.PAPER_VI)


def test_a_small_rerun():
    graph = nearly.generate.planted_partition(6, 40, 0.3, 0.01, seed=1)
    graphs = {"uk-2002": graph, "other": graph}
    told = []
    five, six, figure, times = paper.community_tables(graphs, 8, 1, lambda *stage: told.append(stage))
    assert [row["graph"] for row in five.rows] == list(graphs)
    assert five.rows[0]["paper: early termination"] == "0.990 66 (15)"
    assert five.rows[1]["paper: early termination"] is None
    assert six.rows[0]["paper: 8 colors"] == 46.68
    shares = [six.rows[0][f"{c} colors"] for c in paper.COLORS]
    assert shares == sorted(shares)
    assert {row["variant"] for row in figure.rows} == set(paper.CONVERGING)
    assert len(times.rows) == 2 * (len(paper.VARIANTS) + 1)
    assert times.rows[0]["speedup"] == 1.0
    assert times.rows[0]["NMI"] == 1.0
    assert len(told) == 2
    assert all(table.to_markdown() for table in (five, six, figure, times))
    (traces,) = paper.community_figures(graphs, 8).values()
    assert list(traces) == list(paper.CONVERGING)


def test_stand_ins_have_the_size_asked_for():
    for name, graph in paper.stand_ins(10).items():
        assert 1000 <= graph.n <= 1100, name
