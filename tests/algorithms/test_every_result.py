"""What holds for the result of every algorithm: rows, tables, single values, chart and pickled form say the same."""

from __future__ import annotations

import gc
import pickle
import weakref

import numpy as np
import pytest
from tests.algorithms.questions import BUILT_IN, ask

import nearly
from nearly import Graph, InvalidArgumentError
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.result_charts import chart_of
from nearly.engine.result_columns import is_number
from nearly.engine.result_drawing import in_text
from nearly.engine.result_views import KINDS

pytestmark = pytest.mark.small


def named_graph():
    """Seven vertices with names, one of them apart, one name that HTML has to escape."""
    u, v, w = [0, 0, 1, 2, 3, 1, 4], [1, 2, 2, 3, 4, 4, 5], [5, 3, 1, 2, 2, 9, 4]
    g = nearly.Graph.from_edges(u, v, weights=w, n=7, directed=False)
    names = np.array(["ada", "ben", "<cleo>", "dan", "eve", "fay", "gus"])
    return nearly.Graph(g.offsets, g.targets, g.weights, directed=False, ids=names)


@pytest.mark.parametrize("algorithm", BUILT_IN)
def test_rows_are_named_values(algorithm):
    g = named_graph()
    r = ask(algorithm, g)
    table, made = r.table(), ALGORITHMS.get(algorithm).result
    assert made.shows in KINDS
    frame = r.to_pandas()
    assert list(frame.columns) == list(table.columns) == r.to_polars().columns == r.to_arrow().column_names
    assert len(r) == len(table) == len(frame)
    assert r  # however few rows
    names = set(g.ids.tolist())
    for column in ("vertex", "source", "target", "parent"):
        assert set(table.columns.get(column, ())) <= names | {None}
    if is_number(r):
        assert r.to_dict()[made.fields["values"].column] == r.values
        with pytest.raises(InvalidArgumentError, match="one answer"):
            r["ada"]
        return
    assert dict(r) == r.to_dict()
    for about, value in list(r)[:3]:
        one = r[about] if "arc" not in table.columns else None  # the values of a forest are arcs, its rows weights
        assert one is None or one == value or (np.isnan(one) and np.isnan(value))
    assert np.array_equal(np.asarray(r), r.values)


@pytest.mark.parametrize("algorithm", BUILT_IN)
def test_what_a_person_sees(algorithm):
    r = ask(algorithm, named_graph())
    top = r.top(3)
    assert len(top) <= 3
    assert all(len(row) == 2 for row in top)
    assert len(str(top).splitlines()) == len(top) + 2  # a head, and what it promises
    html = r._repr_html_() + top._repr_html_()
    assert "<cleo>" not in html
    assert algorithm in html
    if is_number(r) and r.shows == "number":
        with pytest.raises(InvalidArgumentError, match="nothing to plot"):
            chart_of(r)
    else:
        assert in_text(chart_of(r)).startswith(algorithm)


@pytest.mark.parametrize("algorithm", BUILT_IN)
def test_pickled_results_keep_names_and_leave_the_graph(algorithm):
    g = named_graph()
    r = ask(algorithm, g)
    back = pickle.loads(pickle.dumps(r))
    for name, column in r.table().columns.items():
        assert np.array_equal(column, back.table().columns[name]), name
    assert str(back.top(2)) == str(r.top(2))
    assert back._graph.m == 0
    if ALGORITHMS.get(algorithm).certificate is None:
        return
    with pytest.raises(InvalidArgumentError, match="certificate"):
        back.certificate()
    assert back.certificate(g) == r.certificate()


@pytest.mark.parametrize("directed", [True, False], ids=["directed", "undirected"])
@pytest.mark.parametrize("algorithm", BUILT_IN)
def test_a_graph_is_freed_with_the_last_name_for_it(algorithm, directed):
    """Its arrays may take gigabytes: they are not to wait until Python looks for objects that hold each other."""
    g = nearly.generate.rmat(5, 4, seed=2, directed=directed, weights="int")
    graph = weakref.ref(g)
    gc.collect()
    gc.disable()
    try:
        for budget in ({}, {"max_error": 0.2}):
            r = ask(algorithm, g, **budget)
            read = [getattr(r, name, None) for name in r.fields], r.certificate(), repr(r)
        del r, read, g
        assert graph() is None
    finally:
        gc.enable()


def test_a_graph_and_its_reverse_are_freed_with_their_names():
    gc.collect()
    gc.disable()
    try:
        g = Graph.from_edges([0, 1], [1, 2])
        graph, turned = weakref.ref(g), weakref.ref(g.reverse)
        assert g.reverse.reverse is g
        assert g.reverse is turned()
        del g
        assert graph() is None
        assert turned() is None
        kept = Graph.from_edges([0, 1], [1, 2]).reverse  # the graph it was made from is gone
        assert kept.reverse.targets.tolist() == [1, 2]
        assert kept.reverse is kept.reverse
    finally:
        gc.enable()


def test_bounds_become_columns():
    g = named_graph()
    r = nearly.pagerank(g, approx=nearly.ReducedExecution(rounds=3))
    table = r.table().columns
    assert list(table) == ["vertex", "rank", "low", "high"]
    assert (table["low"] <= table["rank"]).all()
    assert (table["rank"] <= table["high"]).all()
    assert list(nearly.pagerank(g).table().columns) == ["vertex", "rank"]  # exact: nothing to add
    short = nearly.bfs(g, 0, max_rounds=1)
    assert short.guarantee == "upper bound"
    assert list(short.table().columns) == ["vertex", "level", "parent"]  # bounds that say nothing are left out


def test_top_is_the_order_that_matters():
    g = named_graph()
    rank, level = nearly.pagerank(g), nearly.bfs(g, 0)
    assert [value for _, value in rank.top(7)] == sorted(rank.values.tolist(), reverse=True)
    assert list(level.top(2)) == [("ada", 0), ("ben", 1)]
    assert len(level.top(99)) == 6  # the vertex that is not reached is left out
    sizes = nearly.connected_components(g).top()
    assert list(sizes) == [(0, 6), (6, 1)]
    assert sizes["first member"].tolist() == ["ada", "gus"]
    assert [name for name, _ in nearly.articulation_points(g).top()] == ["eve"]
    ties = np.array([1.0, 3.0, 3.0, 0.0, 3.0] * 20)
    from nearly.engine.result_views import first

    assert first(ties, 4).tolist() == np.argsort(-ties, kind="stable")[:4].tolist()


def test_vertices_by_name_and_by_index():
    r = nearly.bfs(named_graph(), 0)
    assert (r["eve"], r[4], r[["ada", 1]].tolist()) == (2, 2, [0, 1])
    assert "eve" in r
    assert "nobody" not in r
    with pytest.raises(InvalidArgumentError, match="eva"):
        r["eva"]
    with pytest.raises(InvalidArgumentError, match="99"):
        r[99]
    with pytest.raises(InvalidArgumentError, match="no names"):
        nearly.bfs(nearly.Graph.from_edges([0], [1]), 0)["a"]
    pairs = nearly.jaccard(named_graph())
    assert pairs["ada", "ben"] == pairs[0, 1]
    with pytest.raises(InvalidArgumentError, match="arcs"):
        pairs["ada"]


def test_words_say_when_a_bound_is_empty():
    g = named_graph()
    assert "exact" in repr(nearly.pagerank(g))
    for name in ("louvain", "leiden", "label_propagation"):
        assert "exact" not in repr(ask(name, g))
    r = nearly.pagerank(g, approx=nearly.ReducedExecution(rounds=1))
    for error, said in ((1.16, "a weak bound"), (2.5, "an empty bound"), (0.01, "off by at most 0.01")):
        r.error = error
        assert said in repr(r)
    assert "bound" not in repr(r)


def test_missing_packages_are_named(monkeypatch):
    r = nearly.bfs(named_graph(), 0)
    for package, convert in (("pandas", r.to_pandas), ("polars", r.to_polars), ("pyarrow", r.to_arrow)):
        monkeypatch.setitem(__import__("sys").modules, package, None)
        with pytest.raises(nearly.MissingDependencyError, match=f"{package}.*pip install 'nearly\\["):
            convert()


def test_plots_by_matplotlib_or_in_text(monkeypatch, capsys):
    r = nearly.kcore(named_graph())
    axes = r.plot()
    assert axes.get_ylabel() == "vertices in the k-core"
    assert capsys.readouterr().out == ""
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    assert r.plot() is None
    assert "█" in capsys.readouterr().out
    with pytest.raises(InvalidArgumentError, match="nothing to plot"):
        nearly.diameter(named_graph()).plot()


def test_graphs_can_be_pickled():
    g = named_graph()
    _ = g.reverse, g.fingerprint
    back = pickle.loads(pickle.dumps(g))
    assert back == g
    assert back.ids.tolist() == g.ids.tolist()
    assert len(pickle.dumps(g)) == len(pickle.dumps(back))
