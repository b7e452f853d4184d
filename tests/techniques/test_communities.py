"""The approximations of Louvain: what they leave out, and that they compose."""

from __future__ import annotations

import numpy as np
import pytest

import nearly
from nearly import EarlyTermination, IncompleteColoring, InvalidArgumentError, ThresholdScaling
from nearly.techniques.incomplete_coloring import incomplete_coloring


@pytest.fixture(scope="module")
def social():
    return nearly.generate.rmat(12, 12, seed=4, directed=False)


@pytest.fixture(scope="module")
def exact(social):
    return nearly.louvain(social)


def test_those_who_have_settled_are_not_looked_at_again(social, exact):
    sure, half = (nearly.louvain(social, approx=EarlyTermination(probability=p)) for p in (1.0, 0.3))
    assert sure.trace.edges < half.trace.edges < exact.trace.edges
    looked = [row.frontier for row in sure.trace if row.extra["phase"] == 1]
    moved = [row.extra["changed"] for row in sure.trace if row.extra["phase"] == 1]
    for r in range(2, len(looked)):  # whoever looks has moved in one of the two rounds before
        assert looked[r] <= moved[r - 1] + moved[r - 2]
    assert sure.guarantee == "heuristic"
    assert nearly.accuracy.inaccuracy(exact, sure, social) < 0.2


def test_early_phases_end_sooner(social, exact):
    scaled = nearly.louvain(social, approx=ThresholdScaling(high=5e-3))
    gains = [row.extra["gain"] for row in scaled.trace if row.extra["phase"] == 1]
    assert gains[-1] <= 5e-3 < min(gains[:-1])
    last = [row.extra for row in scaled.trace][-1]
    assert last["gain"] <= 1e-6  # strict at the end
    assert scaled.rounds < exact.rounds
    with pytest.raises(InvalidArgumentError, match="high must be at least low"):
        ThresholdScaling(high=1e-6, low=1e-2)


def test_a_threshold_may_be_scaled_on_its_own(social, exact):
    same = nearly.louvain(social, approx=ThresholdScaling(high=None, low=1e-6))
    assert np.array_equal(same.values, exact.values)
    coarse = nearly.louvain(social, approx=ThresholdScaling(high=None, low=None), tol=1e-2)
    assert np.array_equal(coarse.values, nearly.louvain(social, tol=1e-2).values)


def test_they_work_on_all_vertices_at_once_too(social):
    every = {"turns": "all", "threshold_kind": "relative"}
    basic = nearly.louvain(social, **every)
    for approx in (EarlyTermination(), ThresholdScaling(), IncompleteColoring(4)):
        vector, hashed = (nearly.louvain(social, approx=approx, community_map=m, **every) for m in ("vector", "hash"))
        assert np.array_equal(vector.values, hashed.values)
        assert vector.guarantee == "heuristic"
        assert vector.certificate().ok
        assert vector.modularity == pytest.approx(max(row.extra["reached"] for row in vector.trace), abs=1e-12)
    sure = nearly.louvain(social, approx=EarlyTermination(), **every)
    looked = [row.frontier for row in sure.trace if row.extra["phase"] == 1]
    moved = [row.extra["changed"] for row in sure.trace if row.extra["phase"] == 1]
    assert looked[0] == looked[1] == basic.trace[0].frontier  # all, until some have stayed for two rounds
    for r in range(2, len(looked)):
        assert looked[r] <= moved[r - 1] + moved[r - 2]


def test_more_colors_color_more_vertices(social):
    shares = [np.mean(incomplete_coloring(social, colors, 0, seed=1)[0] < colors) for colors in (4, 8, 16, 32)]
    assert shares == sorted(shares)
    assert 0.2 < shares[0] < shares[-1] <= 1.0
    several = np.unique(incomplete_coloring(social, 4, 2, seed=1)[0])
    assert several.tolist() == [0, 1, 2, 3, 4]


def test_they_compose(social, exact):
    every = [ThresholdScaling(), IncompleteColoring(colors=4), EarlyTermination()]
    r = nearly.louvain(social, approx=every)
    assert r.techniques == tuple(every)
    assert r.certificate().ok
    assert r.trace.edges < exact.trace.edges
    ordered = nearly.louvain(social, approx=IncompleteColoring())
    assert not np.array_equal(ordered.values, exact.values)
