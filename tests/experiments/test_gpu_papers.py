"""Graffix and node splitting: the papers' figures stand beside ours, measured and modelled; rules of their own."""

from __future__ import annotations

import numpy as np
import pytest

import nearly
from nearly.engine.algorithm import ALGORITHMS
from nearly.experiments.bench import Pair
from nearly.experiments.compare import composition
from nearly.experiments.means import arithmetic, geometric
from nearly.experiments.papers import graffix, graffix_cells, graffix_graphs, graffix_more, graprox, splitting
from nearly.experiments.papers.graffix_published import EXACT_TIMES, GRAPHS, PREPROCESSING, TABLES, TECHNIQUES
from nearly.experiments.papers.splitting_degrees import block_work, split_degrees
from nearly.experiments.papers.splitting_published import STANDS_FOR
from nearly.experiments.reproduction import REPRODUCTIONS, with_weights

MEANS = {  # as the paper prints them below its tables
    "topology": {"coalesce": (1.16, 10), "cluster-locality": (1.20, 13), "normalize-degrees": (1.07, 8)},
    "split": {"coalesce": (1.10, 9), "cluster-locality": (1.19, 12), "normalize-degrees": (1.03, 8)},
    "frontier": {"coalesce": (1.14, 9), "cluster-locality": (1.19, 12), "normalize-degrees": (1.07, 8)},
}


@pytest.mark.parametrize("policy", MEANS)
@pytest.mark.parametrize("technique", TECHNIQUES)
def test_graffix_figures_have_the_papers_means(policy, technique):
    cells = [cell for cells in TABLES[policy][technique].values() for cell in cells.values()]
    speedup, inaccuracy = MEANS[policy][technique]
    assert geometric(c[0] for c in cells) == pytest.approx(speedup, abs=0.011)
    assert arithmetic(c[1] for c in cells) == pytest.approx(inaccuracy, abs=1.05)
    assert tuple(PREPROCESSING[technique]) == GRAPHS


@pytest.fixture
def few(monkeypatch):
    """Two algorithms, one style, one value of a knob."""
    small = {"topology": {t: {a: TABLES["topology"][t][a] for a in ("sssp", "pagerank")} for t in TECHNIQUES}}
    for module in (graffix, graffix_more, pytest.importorskip("nearly.experiments.papers.graffix_model")):
        monkeypatch.setattr(module, "TABLES", small)
        if hasattr(module, "VALUES"):
            monkeypatch.setattr(module, "VALUES", (0.4,))
    monkeypatch.setattr(graffix, "STYLES", {"topology": "Baseline-I"})
    monkeypatch.setattr(graffix, "SWEPT", ("pagerank",))
    cells = {"pagerank": {"GP1": graprox.CELLS["pagerank"]["GP1"]}}
    monkeypatch.setattr(graprox, "CELLS", cells)


@pytest.mark.parametrize("on", ["cpu", "model"])
def test_graffix_reruns_small(few, on, tmp_path):
    graph = nearly.generate.rmat(8, 8, seed=1, weights="int")
    made = graffix.graffix({"rmat26": graph}, 8, 1, lambda *_: None, on=on)
    effects = [table for table in made.tables if "effect" in table.title]
    assert len(effects) == 3
    for table in effects:
        assert [row["algorithm"] for row in table.rows] == ["sssp", "pagerank", "mean"]
        assert all(row["paper: speedup"] > 1 for row in table.rows)
        if on == "cpu":
            assert table.rows[0]["inaccuracy %"] == 0  # 2-hop arcs change no distance
            assert all(row["arcs added"] > 0 for row in table.rows[:-1])
    for name, draw in made.pictures.items():
        draw(tmp_path / f"{name}.png")
        assert (tmp_path / f"{name}.png").stat().st_size > 1000


def test_a_graph_of_no_paper_has_none_of_its_figures(few):
    graph = nearly.generate.rmat(7, 8, seed=1, weights="int")
    made = graffix.graffix({"mine": graph}, 7, 1, lambda *_: None)
    times = next(table for table in made.tables if table.title.startswith("Table 2"))
    assert {row["paper: seconds"] for row in times.rows} == {None}
    assert all(row["seconds"] > 0 for row in times.rows if row["algorithm"] in ("sssp", "pagerank"))


@pytest.mark.parametrize("name", list(graffix_graphs.LIKE))
def test_every_technique_has_something_to_do_on_every_stand_in(name):
    graph = with_weights(graffix_graphs.stand_ins(9))[name]
    one = graffix_cells.prepared(name, graph)
    assert one.published == graffix_graphs.LIKE[name]
    one.count("pagerank", [Pair(composition(spec), "topology") for spec in one.specs.values()])
    for technique, counted in graffix_cells.COUNTED.items():
        made = one.counts("pagerank", technique)
        assert made[counted[0]] >= 1, (technique, made)
        assert made["arcs added"] >= 10, (technique, made)
        assert 0 < made["space %"] < 35
    for spec in graffix_cells.combinations(one).values():
        assert len(composition(spec)) >= 2


def test_stand_ins_are_like_the_papers_graphs():
    made = graffix_graphs.stand_ins(10)
    twitter, social, road = (made[f"{name}-like"] for name in ("twitter", "livejournal", "road"))
    assert twitter.in_degrees.max() > 2 * twitter.out_degrees.max()
    assert 0.2 < np.mean(nearly.clustering_coefficient(social).values) < 0.35
    assert road.out_degrees.max() <= 8
    assert nearly.connected_components(road).count < road.n / 50
    assert EXACT_TIMES["frontier"]["sssp"]["USA-road"] == 25.139


@pytest.mark.parametrize("on", ["cpu", "model"])
def test_splitting_reruns_small(on, tmp_path):
    graph = nearly.generate.rmat(8, 8, seed=1, weights="int")
    made = splitting.splitting({"rmat": graph}, 8, 1, lambda *_: None, on=on)
    table = made.tables[0]
    assert [row["algorithm"] for row in table.rows] == ["bfs", "sssp"]
    assert [row["paper: improvement %"] for row in table.rows] == [48.78, 37.30]
    assert [row["paper: improvement %"] for row in made.tables[1].rows] == [36.19, 30.50]
    assert [row["paper: MDA"] for row in made.tables[1].rows] == [169, 169]
    for name, draw in made.pictures.items():
        draw(tmp_path / f"{name}.png")


def test_stand_ins_stand_for_the_papers_graphs():
    graphs = splitting.stand_ins(8)
    assert [STANDS_FOR[name] for name in graphs] == list(REPRODUCTIONS.get("splitting").rows)
    made = splitting.splitting(graphs, 8, 1, lambda *_: None, on="model")
    split, dynamic, fermi, atomics, virtual, curves, degrees, blocks = made.tables
    assert [row["paper: improvement %"] for row in split.rows] == [48.78, 37.30, 55.88, 50.75]
    assert [row["paper: improvement %"] for row in dynamic.rows] == [36.19, 30.50, 15.11, 15.76]
    assert [row["paper: improvement %"] for row in fermi.rows] == [24.8, 14.1, None, None]
    assert all(row["paper: improvement %"] == "2 to 6" for row in atomics.rows)
    assert all(row["strided: lines of targets"] <= row["stretches: lines of targets"] for row in virtual.rows)
    assert {row["MDA"] for row in curves.rows} > {4, 8}
    for name, graph in graphs.items():
        rows = [row for row in degrees.rows if row["graph"] == name]
        assert sum(row["before"] for row in rows) == graph.n
        made = ALGORITHMS.get("bfs").apply(nearly.SplitNodes(mda=rows[0]["MDA"]), graph).map.graph
        assert sum(row["after"] for row in rows) == made.n
        assert np.array_equal(split_degrees(name, graph)[1], made.out_degrees)
    assert all(row["mean steps"] > 0 for row in blocks.rows)


def test_the_baseline_of_both_tables_goes_over_all_vertices(monkeypatch):
    seen = {}
    monkeypatch.setattr(splitting, "interleaved", lambda calls, repeat: seen.update(calls) or dict.fromkeys(calls, 1.0))
    graph = nearly.generate.rmat(6, 8, seed=1, weights="int")
    splitting.splitting({"rmat": graph}, 6, 1, lambda *_: None)
    assert seen["base None"].keywords["policy"] == "topology"
    assert all(call.keywords["policy"] == "topology" for name, call in seen.items() if name.startswith("split"))


def test_a_block_takes_as_long_as_its_longest_rows():
    degrees = np.zeros(512, np.int64)
    degrees[[0, 1, 32]] = 5, 9, 2  # two warps of the first block
    assert block_work(degrees).tolist() == [11, 0]
