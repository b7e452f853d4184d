"""Distances of pairs and the index by landmarks against searches from one end; statistics of all distances."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from tests.zoo import as_networkx, graphs, zoo

import nearly
from nearly import GraphFormatError, InvalidArgumentError, InvalidGraphError

small = pytest.mark.small


def all_pairs(g):
    return np.stack(np.meshgrid(np.arange(g.n), np.arange(g.n), indexing="ij"), -1).reshape(-1, 2)


def right(g, weights):
    rows = [np.asarray(nearly.sssp(g, v, weights=weights).values, np.float64) for v in range(g.n)]
    return np.array(rows).reshape(-1)


def check(g, weights):
    wanted, pairs = right(g, weights), all_pairs(g)
    assert np.allclose(nearly.distances(g, pairs, weights=weights).values, wanted, rtol=1e-5)
    index = nearly.DistanceIndex(g, landmarks=3, weights=weights)
    low, high = index.query(pairs)
    slack = 1e-5 * np.where(np.isfinite(wanted), wanted, 0)  # distances by float32 weights are rounded
    assert (low <= wanted + slack).all()
    assert (wanted - slack <= high).all()
    low, high = index.query(pairs, max_error=0)
    assert np.allclose(low, wanted, rtol=1e-5)
    assert (low == high).all()
    low, high = index.query(pairs, max_error=0.5)
    assert (low <= wanted + slack).all()
    assert (wanted - slack <= high).all()
    assert ((high <= 1.5 * low) | (low == high)).all()


@small
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("weights", [None, "int", "float", "zero"])
def test_the_zoo(directed, weights):
    for g in zoo(directed, weights).values():
        if 0 < g.n < 100:
            check(g, weights is not None)


@small
@settings(max_examples=60)
@given(graphs(weights="int"))
def test_any_graph(g):
    check(g, False)
    check(g, True)


@pytest.mark.parametrize("weights", [None, "int"])
@pytest.mark.parametrize("directed", [True, False])
def test_larger_graphs_and_any_number_of_threads(weights, directed):
    g = nearly.generate.rmat(12, 4, seed=1, directed=directed, weights=weights)
    pairs = np.random.default_rng(1).integers(0, g.n, (400, 2))
    one, two = (nearly.distances(g, pairs, threads=k) for k in (1, 2))
    assert one.values.tobytes() == two.values.tobytes()
    assert one.certificate().ok
    index = nearly.DistanceIndex(g, landmarks=8)
    low, high = index.query(pairs)
    assert (low <= one.values).all()
    assert (one.values <= high * (1 + 1e-9)).all()
    known = np.isfinite(high)
    assert (high[known] - one.values[known]).mean() < 0.5 * one.values[known].mean()


def test_landmarks_behind_the_ends_make_narrow_intervals():
    g = nearly.generate.grid(60, 60)
    pairs = np.random.default_rng(1).integers(0, g.n, (400, 2))
    low, high = nearly.DistanceIndex(g, landmarks=16, weights=False).query(pairs)
    right = nearly.distances(g, pairs, weights=False).values
    assert (high - low).mean() < 0.6 * right.mean()
    assert (low[pairs[:, 0] != pairs[:, 1]] >= 1).all()


def test_an_index_is_kept_in_a_file(tmp_path):
    for directed in (True, False):
        g = nearly.generate.rmat(8, 4, seed=1, directed=directed, weights="float")
        index = nearly.DistanceIndex(g, landmarks=5)
        index.save(tmp_path / "index.npz")
        again = nearly.DistanceIndex.load(tmp_path / "index.npz", g)
        pairs = all_pairs(g)[::7]
        for mine, kept in zip(index.query(pairs), again.query(pairs)):
            assert np.array_equal(mine, kept)
        with pytest.raises(InvalidGraphError, match="an index of another graph"):
            nearly.DistanceIndex.load(tmp_path / "index.npz", nearly.generate.rmat(8, 4, seed=2, directed=directed))
    assert [path.name for path in tmp_path.iterdir()] == ["index.npz"]


@small
def test_pairs_that_make_no_sense():
    g = zoo()["path"]
    for bad in ([(0, 99)], [(-1, 0)], [0, 1], [("a", "b")]):
        with pytest.raises(InvalidArgumentError, match="pairs"):
            nearly.distances(g, bad)
    assert nearly.distances(g, []).values.size == 0


@small
@pytest.mark.parametrize("directed", [True, False])
def test_statistics_of_the_zoo(directed):
    for name, g in zoo(directed, duplicates="first").items():
        r = nearly.distance_statistics(g)
        far = right(g, False) if g.n else np.empty(0)
        near = far[np.isfinite(far) & (all_pairs(g)[:, 0] != all_pairs(g)[:, 1])]
        assert r.values == pytest.approx(near.mean() if near.size else 0), name
        assert r.pairs == near.size
        assert r.hop_plot.tolist() == [(near <= h).sum() for h in range(int(near.max(initial=0)) + 1)]
        if near.size:
            assert (near <= np.ceil(r.effective_diameter)).mean() >= 0.9
            assert (near <= np.ceil(r.effective_diameter) - 1).mean() < 0.9
        assert r.certificate().ok
    connected = as_networkx(zoo(False)["grid"])
    wanted = nx.average_shortest_path_length(connected)
    assert nearly.distance_statistics(zoo(False)["grid"]).values == pytest.approx(wanted)


@small
def test_damaged_files_of_an_index_are_told(tmp_path):
    g, path = nearly.generate.grid(5, 6), tmp_path / "index.npz"
    nearly.DistanceIndex(g, landmarks=3).save(path)
    right = path.read_bytes()
    for cut in (0, 10, len(right) // 2, len(right) - 30):
        path.write_bytes(right[:cut])
        with pytest.raises(GraphFormatError, match="save one again"):
            nearly.DistanceIndex.load(path, g)
    broken = bytearray(right)
    broken[len(right) // 2] ^= 255
    path.write_bytes(bytes(broken))
    with pytest.raises((GraphFormatError, InvalidGraphError)):
        nearly.DistanceIndex.load(path, g)
    fields = dict(fingerprint=str(g.fingerprint), weighted=False, landmarks=np.arange(2))
    np.savez(path, away=np.zeros((g.n, 3), np.float32), **fields)
    with pytest.raises(GraphFormatError, match="another size"):
        nearly.DistanceIndex.load(path, g)
