"""The backend as NetworkX sees it: what it is told, what it may run, what approximate answers carry."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import networkx as nx
import pytest

import nearly
from nearly.adapters.networkx import worth
from nearly.adapters.networkx.dispatch import FUNCTIONS, functions
from nearly.adapters.networkx.graph_conversion import convert_from_nx
from nearly.adapters.networkx.info import get_info
from nearly.adapters.networkx.interface import interface
from nearly.engine.algorithm import ALGORITHMS


@pytest.fixture
def G():
    made = nx.gnm_random_graph(40, 160, seed=1)
    nx.set_edge_attributes(made, {e: i % 5 + 1 for i, e in enumerate(made.edges)}, "weight")
    made.__networkx_cache__ = None  # reuse of a conversion is a warning
    return made


def networkx_s(name):
    """NetworkX's own parameters of a function."""
    parameters = inspect.signature(nx.utils.backends._registered_algorithms[name]).parameters
    return {key: p for key, p in parameters.items() if key not in ("backend", "backend_kwargs")}


def test_networkx_knows_what_is_registered():
    told = get_info()["functions"]
    assert told.keys() == functions().keys()
    assert len(told) >= 150
    for name, function in functions().items():
        assert set(told[name].get("additional_parameters", ())) == set(function.keywords)
        assert not set(function.keywords) & networkx_s(name).keys()
        assert function.algorithm is None or function.algorithm in ALGORITHMS.names()
        assert FUNCTIONS.get(name) is function


def test_arguments_are_networkx_s():
    for name, function in functions().items():
        theirs = list(networkx_s(name).values())
        ours = [p for p in function.signature.parameters.values() if p.name in {q.name for q in theirs}]
        assert [(p.name, p.default, p.kind) for p in ours] == [(p.name, p.default, p.kind) for p in theirs], name


def test_importing_networkx_loads_nothing_of_ours_but_the_info():
    code = (
        "import sys, networkx as nx; assert nx.config.backends.nearly.least_edges; "
        "heavy = [m for m in sys.modules if m.split('.')[0] in ('numba', 'numpy', 'scipy') or m == 'nearly.graph.csr'];"
        "print(heavy)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_keywords_are_documented():
    assert "partial-edges" in nx.pagerank.__doc__
    assert "nearly.betweenness" in nx.betweenness_centrality.__doc__


def test_approximate_answers_carry_a_report(G):
    ranks = nx.pagerank(G, backend="nearly", approx="partial-edges:keep=0.5", seed=3)
    assert isinstance(ranks, dict)
    assert ranks.report.guarantee == "certified"
    assert ranks.report.techniques == (nearly.PartialEdges(keep=0.5),)
    assert ranks.report.certificate().ok
    half = nearly.PartialEdges(keep=0.5)
    assert nx.triangles(G, 0, backend="nearly", approx=half).report.guarantee == "estimated"
    parts = nx.connected_components(G, backend="nearly", approx=half)
    assert sum(map(len, parts)) == 40
    assert parts.report.guarantee != "exact"
    tree = nx.minimum_spanning_tree(G, backend="nearly", approx=half)
    assert nx.is_tree(tree)
    assert tree.report.guarantee == "upper bound"
    far = nx.single_source_dijkstra_path_length(G, 0, backend="nearly", approx=half)
    exact = nx.single_source_dijkstra_path_length(G, 0)
    assert all(far[node] >= exact[node] for node in far)


def test_exact_answers_are_plain(G):
    for name in ("pagerank", "core_number", "triangles"):
        assert type(getattr(nx, name)(G, backend="nearly")) is dict


def test_threads_and_seed_and_policy_reach_the_algorithm(G):
    assert nx.core_number(G, backend="nearly", policy="topology", threads=1) == nx.core_number(G)
    with pytest.raises(nearly.InvalidArgumentError, match="policies"):
        nx.core_number(G, backend="nearly", policy="sideways")
    with pytest.raises(nearly.InvalidArgumentError, match="technique"):
        nx.pagerank(G, backend="nearly", approx="no-such-thing")
    a, b = (nx.pagerank(G, backend="nearly", approx="partial-edges:keep=0.5", seed=s) for s in (1, 2))
    assert a != b


def test_configuration_gives_defaults(G):
    with nx.config.backends.nearly(approx="partial-edges:keep=0.5"):
        assert nx.pagerank(G, backend="nearly").report.guarantee == "certified"
        assert type(nx.core_number(G, backend="nearly")) is dict or nx.core_number(G, backend="nearly").report
    assert type(nx.pagerank(G, backend="nearly")) is dict


def test_conversions_are_kept(G):
    G.__networkx_cache__ = {}
    first = nx.pagerank(G, backend="nearly")
    with pytest.warns(UserWarning, match="cache"):
        assert nx.pagerank(G, backend="nearly") == first
    G.add_edge(0, 1, weight=100)
    assert nx.pagerank(G, backend="nearly") != first


def test_graphs_of_ours_run_without_naming_the_backend(G):
    g = interface.convert_from_nx(G, edge_attrs={"weight": 1})
    assert nx.core_number(g) == nx.core_number(G)
    assert nx.dijkstra_path(g, 0, 5) == nx.dijkstra_path(G, 0, 5)
    with pytest.raises(NotImplementedError):
        nx.clustering(g, weight="weight")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("pagerank", {"dangling": {0: 1}}),
        ("pagerank", {"alpha": 1.0}),
        ("pagerank", {"weight": lambda u, v, d: 1}),
        ("clustering", {"weight": "weight"}),
        ("dijkstra_path", {"source": 0, "target": 1, "weight": lambda u, v, d: 1}),
        ("shortest_path", {"source": 0, "target": 1, "weight": "weight", "method": "bellman-ford"}),
        ("rich_club_coefficient", {"seed": 1, "Q": 2}),
        ("average_neighbor_degree", {"weight": "weight"}),
        ("minimum_spanning_edges", {"algorithm": "prim"}),
        ("bfs_edges", {"source": 0, "sort_neighbors": sorted}),
        ("closeness_centrality", {"distance": "weight"}),
        ("greedy_color", {"strategy": "DSATUR"}),
        ("diameter", {"usebounds": True}),
    ],
)
def test_what_is_not_supported_falls_through_to_networkx(G, name, arguments):
    function = getattr(nx, name)
    with pytest.raises(NotImplementedError):
        function(G, backend="nearly", **arguments)
    with (
        nx.config(fallback_to_nx=True),
        nx.config.backend_priority(algos=["nearly"]),
        nx.config.backends.nearly(least_edges=0),
    ):
        ours, theirs = function(G, **arguments), function(G, backend="networkx", **arguments)
    assert (list(ours) if name.endswith("edges") else ours) == (list(theirs) if name.endswith("edges") else theirs)


def test_negative_weights_are_networkx_s(G):
    G.add_edge(0, 1, weight=-3)
    for name in (
        "single_source_dijkstra_path_length",
        "dijkstra_path_length",
        "single_source_bellman_ford_path_length",
    ):
        arguments = {"source": 0, **({"target": 5} if name.startswith("dijkstra") else {})}
        with pytest.raises(NotImplementedError):
            getattr(nx, name)(G, backend="nearly", **arguments)
    assert nx.minimum_spanning_tree(G, backend="nearly").size("weight") == nx.minimum_spanning_tree(G).size("weight")


def test_multigraphs_run_where_parallel_edges_do_not_matter():
    G = nx.MultiGraph([(0, 1), (0, 1), (1, 2), (3, 4)])
    assert list(nx.connected_components(G, backend="nearly")) == [{0, 1, 2}, {3, 4}]
    reasons = {
        "it takes no multigraphs": ("pagerank", (G,), {}),
        "it takes no directed graphs": ("clustering", (nx.DiGraph(),), {}),
        "it has other arguments": ("pagerank", (G,), {"nonsense": 1}),
    }
    with nx.config.backends.nearly(least_edges=0):
        for reason, (name, args, keywords) in reasons.items():
            assert functions()[name].refuses(args, keywords) == reason
            with pytest.raises(NotImplementedError) as refused:
                getattr(interface, name)(*args, **keywords)
            assert reason in str(refused.value)
    with pytest.raises(NotImplementedError) as refused:
        nx.pagerank(G, backend="nearly")
    assert "it takes no multigraphs" in str(refused.value.__cause__)
    assert interface.can_run("pagerank", (convert_from_nx(G),), {}) == "it takes no multigraphs"


def test_small_graphs_are_not_converted_unasked(G, monkeypatch):
    monkeypatch.setattr(worth, "readiness", worth.Readiness())
    assert "fewer than 1000 edges" in interface.should_run("pagerank", (G,), {})
    assert interface.should_run("pagerank", (G,), {"approx": "partial-edges"}) is True
    assert interface.should_run("pagerank", (G,), {"seed": 1}) is True
    assert interface.should_run("betweenness_centrality", (G,), {"seed": 1}) is not True  # which is NetworkX's own


def test_a_call_is_handed_over_where_that_is_faster(monkeypatch, tmp_path):
    monkeypatch.setenv("NEARLY_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(worth, "_SHIPPED", tmp_path / "none")
    H = nx.gnm_random_graph(1000, 5000, seed=1)
    key = worth.key_of("pagerank", H)

    def asked():
        return interface.should_run("pagerank", (H,), {})

    monkeypatch.setattr(worth, "readiness", worth.Readiness())
    assert "compiling its kernels" in asked()
    worth.readiness.answered(key)
    assert asked() is True  # hot
    monkeypatch.setattr(worth, "readiness", worth.Readiness())  # as in another process
    assert "loading its kernels" in asked()
    assert interface.should_run("betweenness_centrality", (nx.gnm_random_graph(3000, 30000, seed=1),), {}) is True
    assert interface.should_run("is_tree", (H,), {}) is not True  # which takes no time
    worth.readiness.answered(worth.key_of("is_tree", H))
    assert "converting the graph" in interface.should_run("is_tree", (H,), {})


def test_small_calls_import_nothing():
    program = (
        "import networkx as nx, sys; nx.config.backend_priority = ['nearly'];"
        "G = nx.path_graph(20); list(nx.connected_components(G)); nx.pagerank(G); assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_pagerank_s_errors_are_networkx_s(G):
    with pytest.raises(nx.PowerIterationFailedConvergence):
        nx.pagerank(G, max_iter=1, backend="nearly")
    with pytest.raises(nx.PowerIterationFailedConvergence):
        nx.pagerank(G, max_iter=0, backend="nearly")
    with pytest.raises(ZeroDivisionError):
        nx.pagerank(G, personalization={0: 0}, backend="nearly")
    jump = {0: 2, 3: 1}
    assert nx.pagerank(G, personalization=jump, nstart=jump, backend="nearly") == pytest.approx(
        nx.pagerank(G, personalization=jump, nstart=jump), abs=1e-5
    )


def test_the_page_lists_every_function():
    page = (Path(__file__).parents[2] / "docs" / "networkx.md").read_text()
    table = page.split("| family | functions |")[1].split("\n\n")[0]
    listed = set()
    for name in re.findall(r"`([a-z_.()]+)`", table):
        stem, *endings = re.split(r"[()]+", name.rstrip(")"))
        listed |= {stem + "".join(chosen) for k in range(len(endings) + 1) for chosen in combinations(endings, k)}
    said = {f"bipartite_{name}" for name in listed} | {f"{kind}_{name}" for name in listed for kind in ("number", "is")}
    said |= {name.removesuffix("_components") for name in said} | listed
    said |= {"is_attracting_component", *(name for name in functions() if "bellman_ford_path_length" in name)}
    assert functions().keys() <= said
    assert f"{len(functions())} functions, by family" in page
