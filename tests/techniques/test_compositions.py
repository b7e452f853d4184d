"""Several techniques at once, drawn from the registry: what they promise together is the meeting of what each does."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.algorithms.questions import BUILT_IN, ask, check_promise
from tests.techniques.settings import SETTINGS

from nearly import Graph, InvalidArgumentError
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.technique import from_spec
from nearly.engine.traits import combined

SPECS = [technique + knobs for technique, all_knobs in SETTINGS.items() for knobs in all_knobs]
FEW, MANY = 60, 2000
REFUSALS = "make different rounds|put MergeSimilar first|by one rule|knows no copies of vertices|merges copies by"


def compositions(count, seed):
    """Pairs and triples of techniques, each with an algorithm that all of them apply to, the algorithms in turn."""
    rng, found = np.random.default_rng(seed), {}
    open_to = {name: [spec for spec in SPECS if from_spec(spec).guarantee(name)] for name in BUILT_IN}
    names = [name for name in BUILT_IN if len(open_to[name]) > 1]
    for k in range(4 * count):  # some algorithms have fewer compositions than that
        name = names[k % len(names)]
        specs = rng.choice(open_to[name], int(rng.integers(2, 4)))
        found[name, tuple(specs.tolist())] = None
    return list(found)[:count]


def some_graphs():
    """A random graph, a skewed one and a grid, directed and not, with few weights and with many."""
    rng = np.random.default_rng(7)
    hubs = np.floor(25 * rng.random((2, 70)) ** 2).astype(int)
    cell = np.arange(24).reshape(4, 6)
    grid = np.stack([np.r_[cell[:, :-1].ravel(), cell[:-1].ravel()], np.r_[cell[:, 1:].ravel(), cell[1:].ravel()]])
    for k, (src, dst) in enumerate((rng.integers(0, 20, (2, 60)), hubs, grid, hubs)):
        yield Graph.from_edges(src, dst, rng.integers(1, (4, 100)[k % 2], src.size), n=26, directed=k < 2)


def allowed_words(algorithm, techniques, g, seed):
    """The meeting of the single guarantees; one that only stops rounds counts where it did stop them."""
    changing = [technique for technique in techniques if not technique.is_exact]
    always = [t.guarantee(algorithm) for t in changing if not t.only_stops]
    stopped = [t.guarantee(algorithm) for t in changing if t.only_stops]
    words = {combined(always), combined([*always, *stopped])}
    entry = ALGORITHMS.get(algorithm)
    if (
        entry.apply(techniques, g, seed=seed).map.adds and not entry.traits.completed
    ):  # no given arc is seen to attain it
        words = {"heuristic" if word == "upper bound" else word for word in words}
    return words


def check(algorithm, specs):
    techniques = [from_spec(spec) for spec in specs]
    for seed, g in enumerate(some_graphs()):
        try:
            got = ask(algorithm, g, approx=techniques, seed=seed)
        except InvalidArgumentError as refusal:
            if re.search(REFUSALS, str(refusal)):
                return
            raise
        exact = ask(algorithm, g, seed=seed)
        assert got.guarantee in allowed_words(algorithm, techniques, g, seed)
        check_promise(algorithm, got.guarantee, exact, got)
        assert got.certificate().ok, got.certificate()
        if got.values.dtype.kind == "f" and got.rounds > 1:  # one source alone says nothing of itself
            assert not (np.isnan(got.values) & ~np.isnan(exact.values)).any()


@pytest.mark.small
@pytest.mark.parametrize(
    ("algorithm", "specs"), compositions(FEW, 1), ids=lambda x: x if isinstance(x, str) else "+".join(x)
)
def test_a_few_compositions(algorithm, specs):
    check(algorithm, specs)


@pytest.mark.full
@pytest.mark.parametrize(
    ("algorithm", "specs"), compositions(MANY, 2), ids=lambda x: x if isinstance(x, str) else "+".join(x)
)
def test_many_compositions(algorithm, specs):
    check(algorithm, specs)
