"""The warp model on cases that can be worked out by hand, and in the directions the papers tell."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import nearly
from nearly.model import K40C, Device, estimate

SMALL = Device("small", 4, 16, 1 << 10, 1, 1, 1.0, 1.0)  # four threads a warp, four 4-byte words a transaction


def one_round(graph, **how):
    return estimate(graph, "pagerank", max_rounds=1, **how)


def star(leaves):
    return nearly.Graph.from_edges([0] * leaves, range(1, leaves + 1))


def test_the_papers_first_example_needs_four_transactions():
    """Threads 0 to 3 look at neighbours 4, 0, 11 and 19: four lines of four words; renumbered, they share one."""
    scattered = nearly.Graph.from_edges([4, 0, 11, 19], [0, 1, 2, 3], n=20)  # pulled: in-neighbours of 0 to 3
    e = one_round(scattered, device=SMALL)
    assert e.transactions["values"] == 4
    together = nearly.Graph.from_edges([4, 5, 6, 7], [0, 1, 2, 3], n=20)
    assert one_round(together, device=SMALL).transactions["values"] == 1
    assert one_round(together, device=SMALL).transactions["targets"] == 1


def test_a_ring_keeps_every_lane_busy():
    ring = nearly.Graph.from_edges(range(64), [*range(1, 64), 0])
    e = one_round(ring, device=SMALL)
    assert e.simd_efficiency == 1.0
    assert e.edges == 64
    assert e.transactions["targets"] == 16  # a line holds the four targets of a warp


def test_a_star_leaves_all_lanes_but_one_idle():
    e = estimate(star(100), "bfs", source=0, policy="topology", device=SMALL)
    assert e.simd_efficiency == pytest.approx(100 / (4 * 100))
    split = estimate(star(100), "bfs", source=0, policy="split", threshold=1, device=SMALL)
    assert split.simd_efficiency == 1.0
    block = estimate(star(100), "bfs", source=0, policy="heavy-light", threshold=8, device=SMALL)
    assert block.simd_efficiency == 1.0  # a block takes the row, four edges at a time


def test_a_chain_is_coalesced():
    chain = nearly.Graph.from_edges(range(63), range(1, 64))
    e = one_round(chain, device=SMALL)
    assert e.transactions_per_request < 2
    mixed = chain.relabel(np.random.default_rng(1).permutation(64))
    assert one_round(mixed, device=SMALL).transactions["values"] > 1.5 * e.transactions["values"]


def test_only_the_frontier_is_expanded_where_the_policy_says_so():
    chain = nearly.Graph.from_edges(range(63), range(1, 64))
    e = estimate(chain, "bfs", source=0, policy="frontier", device=SMALL)
    assert (e.rounds, e.edges, e.atomics) == (64, 63, 63)  # the last round finds nothing
    assert estimate(chain, "bfs", source=0, policy="topology", device=SMALL).edges >= 63


@pytest.mark.parametrize("algorithm", ["sssp", "scc", "mst", "betweenness", "connected_components"])
def test_every_algorithm_is_modelled(algorithm):
    g = nearly.generate.rmat(8, 8, seed=1, weights="int")
    e = estimate(g, algorithm, policy="frontier")
    assert e.edges > 0
    assert e.seconds > 0
    assert 0 < e.simd_efficiency <= 1
    assert e.modelled
    assert (e.transactions["weights"] > 0) == (algorithm in ("sssp", "mst"))


def test_bad_arguments_say_what_there_is():
    g = star(3)
    with pytest.raises(nearly.InvalidArgumentError, match="k40c, a100"):
        estimate(g, "bfs", device="gtx")
    with pytest.raises(nearly.InvalidArgumentError, match="no model of coloring"):
        estimate(g, "coloring")
    with pytest.raises(nearly.InvalidArgumentError, match="policy must be"):
        estimate(g, "bfs", policy="auto")


def test_a_faster_device_is_faster():
    g = nearly.generate.rmat(10, 8, seed=1)
    slow = estimate(g, "pagerank", device=K40C)
    assert estimate(g, "pagerank", device=replace(K40C, bandwidth=1e9, gigahertz=1e9)).seconds < slow.seconds


@pytest.mark.parametrize("make", ["rmat", "random", "road"])
def test_techniques_move_the_counts_as_the_papers_say(make):
    made = {
        "rmat": lambda: nearly.generate.rmat(11, 8, seed=1, weights="int"),
        "random": lambda: nearly.generate.random(2048, 16384, seed=1, weights="int"),
        "road": lambda: nearly.generate.grid(45, 45, seed=1),
    }[make]()
    g = made.relabel(np.random.default_rng(1).permutation(made.n))  # in the order of an unsorted file
    exact = estimate(g, "pagerank", max_rounds=2)
    alike = estimate(g, "sssp", "normalize-degrees")  # it orders by out-degrees, so by the rows that are pushed
    assert alike.simd_efficiency > estimate(g, "sssp").simd_efficiency
    split = estimate(g, "bfs", "split-nodes:mda=4")
    assert split.simd_efficiency >= estimate(g, "bfs").simd_efficiency
    near = estimate(g, "pagerank", "coalesce:replicate=false", max_rounds=2)
    assert near.total_transactions <= exact.total_transactions * 1.02
    shared = estimate(g, "pagerank", "cluster-locality:threshold=0.1", max_rounds=2)
    assert shared.shared_hits > 0 or make != "rmat"
