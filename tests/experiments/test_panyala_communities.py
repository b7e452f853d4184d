"""The paper's tables on communities: every variant runs, and the paper's figures stand beside graphs of its names."""

from __future__ import annotations

import nearly
from nearly.engine.applied import check_supported
from nearly.experiments.compare import composition
from nearly.experiments.papers import panyala_communities as paper


def test_every_variant_can_be_asked_for():
    for spec, _ in paper.VARIANTS.values():
        if spec:
            check_supported(composition(spec), "louvain")
    for chosen in (paper.CONVERGING, paper.SEVEN, paper.EIGHT, paper.PRINTED):
        assert set(chosen) <= set(paper.VARIANTS)
    every = [options for name, (_, options) in paper.VARIANTS.items() if "ours" not in name]
    assert all(options["turns"] == "all" and options["threshold_kind"] == "relative" for options in every)


def test_a_small_rerun(tmp_path):
    graph = nearly.generate.planted_partition(6, 40, 0.3, 0.01, seed=1)
    graphs = {"uk-2002": graph, "sk-2005": graph, "other": graph}
    told = []
    tables, pictures = paper.community_tables(graphs, 8, 1, lambda *stage: told.append(stage))
    five, six, figure, times = tables
    assert [row["graph"] for row in five.rows] == list(graphs)
    assert five.rows[0]["paper: early termination"] == "0.990 66 (15)"
    assert five.rows[2]["paper: early termination"] is None
    assert six.rows[0]["paper: 8 colors"] == 46.68
    shares = [six.rows[0][f"{c} colors"] for c in paper.COLORS]
    assert shares == sorted(shares)
    assert [row["variant"] for row in figure.rows] == [*paper.CONVERGING] * 3
    for row in figure.rows:
        after = [float(part.split(": ")[1]) for part in row["modularity"].split(", ")]
        assert min(after) >= -0.5
        assert max(after) > after[0]
    assert len(times.rows) == 3 * len(paper.VARIANTS)
    basic, vector = (next(row for row in times.rows if row["variant"] == name) for name in ("basic", "vector"))
    assert (basic["speedup"], basic["NMI"]) == (1.0, 1.0)
    assert (vector["modularity"], vector["rounds"], vector["NMI"]) == (basic["modularity"], basic["rounds"], 1.0)
    colored = [row["paper: up to"] for row in times.rows if row["variant"] == "coloring (4)"]
    assert colored == [None, 450, None]
    assert len(told) == 6
    assert all(table.to_markdown() for table in tables)
    assert set(pictures) == {"figure-6-uk-2002", "figure-6-sk-2005", "figure-6-other", "figure-7", "figure-8"}
    for name, draw in pictures.items():
        draw(tmp_path / f"{name}.png")
        assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")


def test_stand_ins_have_the_size_asked_for():
    for name, graph in paper.stand_ins(10).items():
        assert 1000 <= graph.n <= 1100, name
