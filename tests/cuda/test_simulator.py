"""Runs with `device="cuda"` in numba's simulator, against the CPU's answers, on tiny graphs: the simulator is slow.

With `NUMBA_DISABLE_JIT=1` besides, no time goes into compiling the CPU's kernels.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.algorithms.questions import ask, same

import nearly
from nearly import Graph
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.devices import DEVICES

pytestmark = [pytest.mark.cuda, pytest.mark.simulator]
ON_CUDA = ["betweenness", "bfs", "coloring", "connected_components", "pagerank", "sssp"]
POLICIES = ["auto", "topology", "frontier", "split", "heavy-light"]
TECHNIQUES = [
    "reduced-execution:rounds=2",
    "partial-edges:keep=0.4",
    "partial-edges:keep=0.4,redraw=true",
    "merge-similar:jaccard=0.2",
    "round-weights:levels=3",
    "coalesce:chunk=4,slack=1,threshold=0.3",
    "split-nodes:mda=3",
    "split-nodes:mda=3,update=pass",
    "normalize-degrees:similarity=0.6,fill=1,warp=4",
    "cluster-locality:threshold=0.3,margin=0.3,max_added=0.2",
]


def mixed(weights: str | None = None, directed: bool = True) -> Graph:
    """14 vertices: a hub, a path from it, a clique at its end, a loop, a vertex alone, a pair apart."""
    hub = [(0, v) for v in (1, 2, 3, 4, 5, 6)]
    path, clique = [(6, 7), (7, 8), (8, 9)], [(u, v) for u in (8, 9, 10) for v in (8, 9, 10) if u != v]
    src, dst = np.array([*hub, *path, *clique, (3, 3), (10, 2), (12, 13)]).T
    drawn = {None: None, "int": np.arange(src.size) % 5 + 1, "float": (np.arange(src.size) % 7 + 1) / 4}[weights]
    return Graph.from_edges(src, dst, drawn, n=14, directed=directed)


def few(algorithm: str) -> dict[str, object]:
    """Arguments that make runs short."""
    return {"pagerank": {"max_rounds": 3}, "betweenness": {"sources": [0, 8]}}.get(algorithm, {})


def compare(algorithm: str, g: Graph, **how: object) -> nearly.engine.result.Result:
    how = {**few(algorithm), **how}
    plain = {"policy": "topology"} if algorithm == "pagerank" and how.get("policy") == "auto" else {}  # not in place
    cpu, gpu = ask(algorithm, g, **{**how, **plain}), ask(algorithm, g, **how, device="cuda")
    assert same(algorithm, cpu, gpu), (cpu.values, gpu.values)
    assert gpu.guarantee == cpu.guarantee
    assert gpu.certificate().ok
    return gpu


def test_which_algorithms_run_on_cuda() -> None:
    assert [entry.name for entry in ALGORITHMS if entry.devices == DEVICES] == ON_CUDA


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("algorithm", ON_CUDA)
def test_same_answer_as_the_cpu(algorithm: str, policy: str) -> None:
    gpu = compare(algorithm, mixed(), policy=policy, threshold=3)
    assert gpu.trace.edges > 0


@pytest.mark.parametrize("weights", ["int", "float"])
@pytest.mark.parametrize("algorithm", ["sssp", "pagerank"])
def test_weights(algorithm: str, weights: str) -> None:
    compare(algorithm, mixed(weights), policy="frontier")
    compare(algorithm, mixed(weights, directed=False), policy="topology")


@pytest.mark.parametrize("algorithm", ON_CUDA)
def test_the_smallest_graphs(algorithm: str) -> None:
    for n in (0, 1, 3):
        if n or "source" not in ALGORITHMS.get(algorithm).parameters:
            g = Graph.from_edges([], [], n=n)
            assert same(algorithm, ask(algorithm, g), ask(algorithm, g, device="cuda"))


@pytest.mark.parametrize("algorithm", ON_CUDA)
def test_rounds_end_where_they_do_on_the_cpu(algorithm: str) -> None:
    gpu = compare(algorithm, mixed(), policy="topology", max_rounds=2)
    assert gpu.rounds <= 2


@pytest.mark.parametrize("technique", TECHNIQUES)
@pytest.mark.parametrize("algorithm", ON_CUDA)
def test_techniques(algorithm: str, technique: str) -> None:
    if algorithm not in nearly.engine.technique.from_spec(technique).guarantees:
        pytest.skip("the technique does not apply to the algorithm")
    if (algorithm, technique.partition(":")[0]) == ("pagerank", "cluster-locality"):
        pytest.skip("the CPU iterates ranks in clusters, which leads to the same end another way")
    if algorithm == "pagerank" and technique.endswith("redraw=true"):
        pytest.skip("ranks by draws have no form on cuda")
    policy = "topology" if technique.startswith(("cluster", "round")) else "frontier"
    compare(algorithm, mixed("int", directed=False), policy=policy, approx=technique)


@pytest.mark.parametrize("rule", ["mean", "max"])
def test_copies_merged_by_other_rules(rule: str) -> None:
    approx = f"coalesce:chunk=4,slack=1,threshold=0.3,confluence={rule}"
    for algorithm in ("bfs", "sssp"):
        compare(algorithm, mixed("float", directed=False), policy="frontier", approx=approx)


def test_a_graph_goes_to_the_device_once() -> None:
    from nearly.engine.cuda.device import graph_arrays

    g = mixed()
    nearly.bfs(g, 0, device="cuda")
    kept = graph_arrays(g)
    nearly.sssp(g, 0, device="cuda")
    assert graph_arrays(g) is kept


@pytest.mark.parametrize("technique", [None, "cluster-locality:threshold=0.3,margin=0.3,max_added=0.2"])
def test_pagerank_converges_as_on_the_cpu(technique: str | None) -> None:
    g, how = mixed(directed=False), {"tol": 1e-2, "approx": technique, "policy": "topology"}
    cpu, gpu = nearly.pagerank(g, **how), nearly.pagerank(g, **how, device="cuda")
    assert np.abs(cpu.values - gpu.values).sum() < 0.02
    assert gpu.guarantee == cpu.guarantee
    assert gpu.certificate().ok


@pytest.mark.full
def test_sums_over_paths_too_many_for_float64() -> None:
    """64 arcs side by side, 161 times in a row: more paths than float64 holds, so the host counts the source again."""
    src = np.repeat(np.arange(161), 64)
    g = Graph.from_edges(src, src + 1, duplicates="keep")
    compare("betweenness", g, policy="frontier", sources=[0])


def test_what_has_no_form_on_cuda_says_so() -> None:
    g = mixed("int")
    for call in (
        lambda: nearly.mst(g, device="cuda"),
        lambda: nearly.betweenness(g, weights=True, device="cuda"),
        lambda: nearly.pagerank(g, method="components", device="cuda"),
        lambda: nearly.pagerank(g, approx="freeze-edges", device="cuda"),
        lambda: nearly.pagerank(g, approx="partial-edges:redraw=true", device="cuda"),
    ):
        with pytest.raises(nearly.DeviceUnavailableError, match="cpu"):
            call()
