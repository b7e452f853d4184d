"""Similar vertices from a sketch of the neighbourhood: intervals that hold as often as they should."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.budget.asking import ask

import nearly
from nearly.budget.estimators.similar import shares_within


@pytest.mark.parametrize(("size", "shared", "taken"), [(400, 40, 60), (60, 30, 40), (5000, 25, 300), (90, 88, 30)])
def test_bounds_on_shares_hold_as_often_as_they_should(size, shared, taken):
    doubt, runs = 0.3, 4000
    drawn = np.random.default_rng(1).hypergeometric(shared, size - shared, taken, runs)
    seen, which = np.unique(drawn, return_inverse=True)
    low, high = shares_within(seen, taken, math.log(2 / doubt))
    outside = np.mean((low[which] > shared / size) | (high[which] < shared / size))
    assert outside <= doubt
    tight = shares_within(seen, taken, math.log(2 / doubt) / 40)
    assert np.mean((tight[0][which] > shared / size) | (tight[1][which] < shared / size)) > doubt  # it can fail


@pytest.fixture(scope="module")
def hub():
    g = nearly.generate.rmat(13, 16, seed=1, directed=False)
    source = int(np.argmax(g.out_degrees))
    return g, source, nearly.similar(g, source, 5)


def holds(r, exact, max_error):
    low, high = r.interval
    inside = (low <= exact.values).all() and (exact.values <= high).all()
    return inside and np.abs(r.values - exact.values).max() <= r.error <= max_error


def test_coefficients_are_within_their_bounds(hub):
    g, source, exact = hub
    r = ask("similar/sketch", g, source, 5, max_error=0.2)
    assert (r.guarantee, r.error_kind, r.error_scope, r.confidence) == ("statistical", "absolute", "all", 0.99)
    assert holds(r, exact, 0.2)
    assert r.scores.tolist() == r.values[r.vertices].tolist() == sorted(r.scores, reverse=True)
    assert r.values[source] == 0
    check = r.certificate()
    assert check.ok
    assert check.bound <= r.error
    r.interval = (r.interval[0], np.minimum(r.interval[1], exact.values - 1e-3))
    assert not r.certificate().ok


@pytest.mark.parametrize("seeds", [150, pytest.param(1000, marks=pytest.mark.full)])
def test_bounds_hold_over_many_seeds(hub, seeds):
    g, source, exact = hub
    answers = [ask("similar/sketch", g, source, 5, max_error=0.25, confidence=0.9, seed=seed) for seed in range(seeds)]
    assert sum(not holds(r, exact, 0.25) for r in answers) <= 0.1 * seeds
    assert len({r.values.tobytes() for r in answers}) > 100


def test_a_directed_graph_is_read_as_undirected_and_threads_change_nothing(hub):
    g, source, _ = hub
    arcs = np.flatnonzero(g.arc_sources() < g.targets)
    d = nearly.Graph.from_edges(g.arc_sources()[arcs], g.targets[arcs], n=g.n)
    one, two = (ask("similar/sketch", h, source, 5, max_error=0.2, threads=k) for h, k in ((g, 1), (d, 2)))
    assert one.values.tobytes() == two.values.tobytes()


def test_exact_answers_where_a_sketch_saves_nothing(hub):
    g, source, exact = hub
    few = int(np.argmin(np.where(g.out_degrees > 2, g.out_degrees, g.n)))
    for v, max_error in ((few, 0.1), (source, 0.001)):
        r = nearly.similar(g, v, 5, max_error=max_error)
        assert (r.guarantee, r.error) == ("exact", 0)
    assert nearly.similar(g, source, 5, max_error=0.001).vertices.tolist() == exact.vertices.tolist()
    assert ask("similar/sketch", g, source, 5, max_error=0.001) is None
    chosen = nearly.similar(g, source, 5, max_error=0.25)
    assert chosen.plan.choice == "sketch"
    assert holds(chosen, exact, 0.25)
    ended = ask("similar/sketch", g, source, 5, max_seconds=1e-9)
    assert ended is None or holds(ended, exact, 1.0)
    with pytest.raises(nearly.InvalidArgumentError, match="source"):
        nearly.similar(g, g.n, 5, max_error=0.1)
