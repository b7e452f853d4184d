"""The warp model on cases that can be worked out by hand, and in the directions the papers tell."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import nearly
from nearly.model import K20C, K40C, Device, estimate

small = pytest.mark.small
SMALL = Device("small", 4, 16, 1 << 10, 1, 1, 1.0, 1.0)  # four threads a warp, four 4-byte words a transaction


def one_round(graph, **how):
    return estimate(graph, "pagerank", max_rounds=1, **how)


def star(leaves):
    return nearly.Graph.from_edges([0] * leaves, range(1, leaves + 1))


@small
def test_the_papers_first_example_needs_four_transactions():
    """Threads 0 to 3 look at neighbours 4, 0, 11 and 19: four lines of four words; renumbered, they share one."""
    scattered = nearly.Graph.from_edges([4, 0, 11, 19], [0, 1, 2, 3], n=20)  # pulled: in-neighbours of 0 to 3
    e = one_round(scattered, device=SMALL)
    assert e.transactions["values"] == 4
    together = nearly.Graph.from_edges([4, 5, 6, 7], [0, 1, 2, 3], n=20)
    assert one_round(together, device=SMALL).transactions["values"] == 1
    assert one_round(together, device=SMALL).transactions["targets"] == 1


@small
def test_a_ring_keeps_every_lane_busy():
    ring = nearly.Graph.from_edges(range(64), [*range(1, 64), 0])
    e = one_round(ring, device=SMALL)
    assert e.simd_efficiency == 1.0
    assert e.edges == 64
    assert e.transactions["targets"] == 16  # a line holds the four targets of a warp


@small
def test_a_star_leaves_all_lanes_but_one_idle():
    e = estimate(star(100), "bfs", source=0, policy="topology", device=SMALL)
    assert e.simd_efficiency == pytest.approx(100 / (4 * 100))
    split = estimate(star(100), "bfs", source=0, policy="split", threshold=1, device=SMALL)
    assert split.simd_efficiency == 1.0
    block = estimate(star(100), "bfs", source=0, policy="heavy-light", threshold=8, device=SMALL)
    assert block.simd_efficiency == 1.0  # a block takes the row, four edges at a time


@small
def test_a_chain_is_coalesced():
    chain = nearly.Graph.from_edges(range(63), range(1, 64))
    e = one_round(chain, device=SMALL)
    assert e.transactions_per_request < 2
    mixed = chain.relabel(np.random.default_rng(1).permutation(64))
    assert one_round(mixed, device=SMALL).transactions["values"] > 1.5 * e.transactions["values"]


@small
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


@small
def test_blocks_keep_their_places_until_their_slowest_warp_is_done():
    """Blocks of 64 warps of four: one row of nine arcs holds its block for nine steps, others for one."""
    g = nearly.Graph.from_edges([0] * 9 + list(range(1, 512)), list(range(1, 10)) + [0] * 511, n=512)
    e = estimate(g, "bfs", source=0, device=SMALL)
    assert [line["held"] for line in e.per_round] == [9 + 1] * e.rounds
    assert [line["longest"] for line in e.per_round] == [9] * e.rounds
    one, many = (
        estimate(
            g, "bfs", source=0, device=replace(SMALL, resident=k, bandwidth=1e9, step=1.0, latency=99.0, launch=0.0)
        )
        for k in (1, 2)
    )
    assert one.per_round[0]["seconds"] == pytest.approx(10 * 100e-9 + one.per_round[0]["atomics"] * 1e-9)
    assert many.per_round[0]["seconds"] == pytest.approx(9 * 100e-9 + many.per_round[0]["atomics"] * 1e-9)


def test_a_child_launch_costs_and_so_does_the_possibility():
    g = nearly.generate.rmat(10, 8, seed=1)
    longest = int(g.out_degrees.max())
    base = estimate(g, "bfs", device="k20c")
    none = estimate(g, "bfs", policy="dynamic", threshold=longest, device="k20c")
    assert (none.children, none.rounds) == (0, base.rounds)
    assert base.seconds < none.seconds < 1.2 * base.seconds
    every = estimate(g, "bfs", policy="dynamic", threshold=16, device="k20c")
    assert every.children == int((g.out_degrees > 16).sum()) * every.rounds
    dearer = estimate(g, "bfs", policy="dynamic", threshold=16, device=replace(K20C, child=2 * K20C.child))
    assert dearer.seconds - every.seconds == pytest.approx(every.children * K20C.child)
    with pytest.raises(nearly.InvalidArgumentError, match="kernels of c2070 cannot launch"):
        estimate(g, "bfs", policy="dynamic", device="c2070")


def test_the_best_threshold_of_child_launches_lies_inside_the_range():
    g = nearly.generate.rmat(13, 8, seed=1, params=(0.5, 0.145, 0.145, 0.21))
    longest = int(g.out_degrees.max())
    levels = [4, 16, 32, 64, longest // 2, longest]
    seconds = {m: estimate(g, "bfs", policy="dynamic", threshold=m, device="k20c").seconds for m in levels}
    best = min(seconds, key=seconds.get)
    assert levels[0] < best < longest
    assert seconds[best] < estimate(g, "bfs", device="k20c").seconds < seconds[longest] < seconds[4]


def test_splitting_saves_more_on_a_kepler_than_on_a_fermi():
    g = nearly.generate.rmat(12, 8, seed=1, params=(0.5, 0.145, 0.145, 0.21), weights="int")
    for algorithm in ("bfs", "sssp"):
        kepler, fermi = (
            1 - estimate(g, algorithm, "split-nodes:mda=8", device=d).seconds / estimate(g, algorithm, device=d).seconds
            for d in ("k20c", "c2070")
        )
        assert kepler > fermi > 0


def test_a_pass_over_children_is_charged():
    g = nearly.generate.rmat(9, 8, seed=1)
    at_once, apart = (estimate(g, "bfs", f"split-nodes:mda=8,update={u}", device="k20c") for u in ("atomic", "pass"))
    assert at_once.rounds == apart.rounds
    copies = apart.per_round[0]["copies"]
    assert copies > at_once.per_round[0]["copies"] == 0
    a_pass = K20C.launch + copies * (K20C.line + 8) / (K20C.bandwidth * 1e9)
    atomics = (at_once.atomics - apart.atomics) * K20C.atomic * 1e-9  # those that lower copies at once
    assert apart.seconds - at_once.seconds == pytest.approx(apart.rounds * a_pass - atomics)


@small
def test_strided_virtual_nodes_share_lines():
    """A row of 16 in four virtual nodes of four: neighbouring lanes read neighbouring edges, four to a line."""
    g = nearly.Graph.from_edges([0] * 16, range(1, 17))
    plain, strided = (
        estimate(g, "bfs", source=0, policy="split", threshold=4, strided=s, device=SMALL) for s in (False, True)
    )
    assert (plain.per_round[0]["targets"], strided.per_round[0]["targets"]) == (16, 4)
    assert (plain.edges, plain.simd_efficiency) == (strided.edges, strided.simd_efficiency)
    uneven = nearly.Graph.from_edges([0] * 10 + [1] * 3, [*range(1, 11), 0, 2, 3])
    for s in (False, True):
        e = estimate(uneven, "bfs", source=0, policy="split", threshold=4, strided=s, device=SMALL)
        assert e.per_round[0]["work"] == 10
        assert e.edges == sum(line["work"] for line in e.per_round)
    with pytest.raises(nearly.InvalidArgumentError, match="strided is for the virtual nodes of policy 'split'"):
        estimate(g, "bfs", source=0, strided=True)


def test_recorded_rounds_do_not_depend_on_threads_or_order():
    g = nearly.generate.rmat(10, 8, seed=1, weights="int")
    moved = g.relabel(np.random.default_rng(1).permutation(g.n))
    for algorithm in ("bfs", "sssp"):
        assert estimate(g, algorithm).rounds == estimate(moved, algorithm).rounds
        assert estimate(g, algorithm, threads=1).per_round == estimate(g, algorithm, threads=2).per_round


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
