"""For the tests of generators: strategies, and what their checks share."""

from __future__ import annotations

from math import sqrt

import pytest
from hypothesis import settings
from hypothesis import strategies as st

seeds = st.integers(0, 2**64 - 1)
kinds = st.sampled_from([None, "int", "float"])
few = settings(max_examples=25, deadline=None)
small = pytest.mark.small


def edges_of(g):
    """The edges as a sorted list of pairs, each undirected one once."""
    pairs = zip(g.arc_sources().tolist(), g.targets.tolist())
    return [(u, v) for u, v in pairs if g.directed or u <= v]


def check_simple(g):
    g.validate()
    pairs = edges_of(g)
    assert all(u != v for u, v in pairs)
    assert len(set(pairs)) == len(pairs)


def close(count, trials, p):
    """Whether a binomial count is within five standard deviations of its mean."""
    return abs(count - trials * p) <= 5 * sqrt(trials * p * (1 - p)) + 1e-9
