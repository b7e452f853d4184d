"""Random, grid, small-world, geometric and planted graphs: exact counts, structure, probabilities."""

from __future__ import annotations

from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.graph.generate_help import check_simple, close, edges_of, few, kinds, seeds, small

from nearly import generate


@small
@given(data=st.data(), n=st.integers(1, 30), seed=seeds, directed=st.booleans(), weights=kinds)
@few
def test_random_has_exactly_m_distinct_edges(data, n, seed, directed, weights):
    possible = n * (n - 1) if directed else comb(n, 2)
    m = data.draw(st.integers(0, possible))
    g = generate.random(n, m, seed, directed=directed, weights=weights)
    assert (g.n, len(edges_of(g))) == (n, m)
    check_simple(g)


@small
@pytest.mark.parametrize("n", [2, 3, 10, 11])
def test_random_with_all_possible_edges_is_complete(n):
    assert edges_of(generate.random(n, n * (n - 1))) == [(u, v) for u in range(n) for v in range(n) if u != v]
    undirected = generate.random(n, comb(n, 2), directed=False)
    assert edges_of(undirected) == [(u, v) for u in range(n) for v in range(u + 1, n)]


def test_random_makes_every_graph_equally_often(on_threads):
    on_threads(1)  # for so little work a second thread costs more than it gives
    counts = {}
    for seed in range(600):
        key = tuple(edges_of(generate.random(4, 2, seed, directed=False)))
        counts[key] = counts.get(key, 0) + 1
    assert len(counts) == comb(6, 2)
    assert sum((c - 40) ** 2 / 40 for c in counts.values()) < 14 + 5 * sqrt(28)


def test_random_degrees_have_the_right_variance():
    g = generate.random(20_000, 200_000, 9)
    for degrees in (g.out_degrees, g.in_degrees):
        assert abs(((degrees - 10.0) ** 2).sum() / 10 - g.n) < 5 * sqrt(2 * g.n)


@small
def test_random_multigraph_keeps_everything():
    g = generate.random(5, 400, simple=False)
    assert g.m == 400
    assert all(close(d, 400, 0.2) for d in [*g.out_degrees.tolist(), *g.in_degrees.tolist()])
    assert any(u == v for u, v in edges_of(g))


@small
@given(rows=st.integers(1, 8), cols=st.integers(1, 8), seed=seeds, delete=st.floats(0, 1), weights=kinds)
@few
def test_grid_joins_lattice_neighbours_only(rows, cols, seed, delete, weights):
    g = generate.grid(rows, cols, seed, delete=delete, weights=weights)
    lattice = {(v, v + 1) for v in range(rows * cols) if (v + 1) % cols} | {
        (v, v + cols) for v in range((rows - 1) * cols)
    }
    pairs = edges_of(g)
    assert g.n == rows * cols
    assert set(pairs) <= lattice
    assert delete > 0 or len(pairs) == len(lattice)
    assert delete < 1 or not pairs
    assert g.out_degrees.max() <= 4
    check_simple(g)


def test_grid_deletes_the_share_asked_for():
    g = generate.grid(100, 120, 4, delete=0.3)
    all_edges = 100 * 119 + 99 * 120
    assert close(all_edges - g.m // 2, all_edges, 0.3)
    assert g.weights.min() >= 1
    assert g.weights.max() <= 255


@small
@given(data=st.data(), n=st.integers(3, 40), p=st.floats(0, 1), seed=seeds, weights=kinds)
@few
def test_smallworld_always_has_n_k_half_edges(data, n, p, seed, weights):
    k = 2 * data.draw(st.integers(1, (n - 1) // 2))
    g = generate.smallworld(n, k, p, seed, weights=weights)
    assert g.m == n * k
    assert g.out_degrees.min() >= (k // 2)
    check_simple(g)


@small
def test_smallworld_from_lattice_to_random():
    n, half = 500, 3
    lattice = {tuple(sorted((v, (v + j) % n))) for v in range(n) for j in range(1, half + 1)}
    assert set(edges_of(generate.smallworld(n, 2 * half, 0))) == lattice
    kept = len(lattice & set(edges_of(generate.smallworld(n, 2 * half, 0.25, 7))))
    assert close(kept, n * half, 0.75)
    rewired = generate.smallworld(n, 2 * half, 1, 7)
    assert not lattice & set(edges_of(rewired))
    gaps = np.array([min(v - u, n - v + u) for u, v in edges_of(rewired)])
    assert close((gaps <= 125).sum(), gaps.size, (125 - half) / (249.5 - half))  # far ends are anywhere


@small
@pytest.mark.parametrize("n", [1, 2, 60])
@pytest.mark.parametrize("radius", [0, 1e-12, 0.02, 0.1, 0.25, 1 / 3, 0.5, 0.9, 1.5])
def test_geometric_is_brute_force(n, radius):
    g = generate.geometric(n, radius, 3, weights="distance")
    xy = generate.geometric_points(n, 3)
    assert ((xy >= 0) & (xy < 1)).all()
    squared = ((xy[:, None] - xy[None]) ** 2).sum(axis=2)
    assert edges_of(g) == [(u, v) for u in range(n) for v in range(u + 1, n) if squared[u, v] <= radius * radius]
    assert np.allclose(g.weights, np.sqrt(squared)[g.arc_sources(), g.targets], rtol=1e-6)
    check_simple(g)


@pytest.mark.parametrize("kind", [None, "int", "float"])
def test_geometric_of_many_cells_is_brute_force(kind):
    g = generate.geometric(1500, 0.03, 8, weights=kind)
    xy = generate.geometric_points(1500, 8)
    near = ((xy[:, None] - xy[None]) ** 2).sum(axis=2) <= 0.03 * 0.03
    np.fill_diagonal(near, False)
    assert np.array_equal(np.argwhere(near), np.column_stack([g.arc_sources(), g.targets]))
    for axis in (0, 1):
        assert all(close(count, 1500, 0.1) for count in np.bincount((xy[:, axis] * 10).astype(int)))


@small
@given(communities=st.integers(1, 6), size=st.integers(1, 7), p_in=st.floats(0, 1), p_out=st.floats(0, 1), seed=seeds)
@few
def test_planted_partition_is_simple(communities, size, p_in, p_out, seed):
    g = generate.planted_partition(communities, size, p_in, p_out, seed)
    assert g.n == communities * size
    check_simple(g)
    inside = [u // size == v // size for u, v in edges_of(g)]
    pairs = communities * comb(size, 2)
    assert p_in > 0 or not any(inside)
    assert p_out > 0 or all(inside)
    assert p_in < 1 or sum(inside) == pairs
    assert p_out < 1 or len(inside) - sum(inside) == comb(g.n, 2) - pairs


def test_planted_partition_has_the_given_densities():
    g = generate.planted_partition(10, 60, 0.3, 0.02, 5)
    labels = generate.planted_labels(10, 60)
    inside = sum(int(labels[u] == labels[v]) for u, v in edges_of(g))
    assert close(inside, 10 * comb(60, 2), 0.3)
    assert close(g.m // 2 - inside, comb(10, 2) * 3600, 0.02)
    blocks = np.zeros((10, 10), int)
    np.add.at(blocks, (g.arc_sources() // 60, g.targets // 60), 1)
    across = blocks[np.triu_indices(10, 1)]
    assert all(close(count, 3600, 0.02) for count in across)
    assert all(close(count // 2, comb(60, 2), 0.3) for count in np.diag(blocks))


@small
def test_planted_labels_are_the_smallest_members():
    assert generate.planted_labels(3, 4).tolist() == [0] * 4 + [4] * 4 + [8] * 4
