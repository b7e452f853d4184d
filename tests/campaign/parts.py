"""The parts of the campaign by name; those that tests draw for themselves are called from here."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
from tests.campaign import arguments, differential, kills, metamorphic
from tests.campaign.scratch import folder
from tests.graph import test_fuzz_readers as readers
from tests.techniques import drawing, test_fuzz

import nearly
from nearly import NearlyError
from nearly.engine.algorithm import ALGORITHMS

Check = Callable[[int], dict[str, int]]
_MEMORY = str(readers.BUDGET)
FILES = 40  # a case


def files(number: int) -> dict[str, int]:
    """Some mutated files of one format."""
    os.environ["NEARLY_MEMORY"] = _MEMORY
    try:
        readers.fuzz(folder(), readers.EXTENSIONS[number % len(readers.EXTENSIONS)], 10**6 + number, FILES)
    finally:
        del os.environ["NEARLY_MEMORY"]
    return {"files": FILES}


def compositions(number: int) -> dict[str, int]:
    """Techniques put together."""
    word = test_fuzz.check(drawing.case(10**6 + number))
    return {"graphs": 1, "refused" if word is None else "answers": 1}


def budgets(number: int) -> dict[str, int]:
    """An error budget: what is called exact or certified keeps it, and says how far off it may be."""
    rng = np.random.default_rng([number, 27])
    graph = drawing.draw_graph(rng)
    name = drawing.pick(rng, ALGORITHMS.names())
    asked = {"source": int(rng.integers(graph.n))} if "source" in ALGORITHMS.get(name).parameters else {}
    limit = {"max_error": float(10.0 ** rng.uniform(-4, 0)), "confidence": float(rng.choice([0.9, 0.99]))}
    limit["allow"] = str(rng.choice(["certified", "statistical", "estimated"]))
    try:
        exact, got = getattr(nearly, name)(graph, **asked), getattr(nearly, name)(graph, **asked, **limit)
    except NearlyError:
        return {"graphs": 1, "refused": 1}
    told = f"{name}({asked}, {limit}) on {differential.described(graph)}: {got.guarantee}, error {got.error}"
    assert got.certificate().ok, told
    if got.guarantee in ("exact", "certified", "statistical"):
        assert got.error <= limit["max_error"], told
    if got.guarantee == "exact" and exact.guarantee == "exact":
        assert np.allclose(got.values, exact.values, rtol=1e-6, atol=1e-9, equal_nan=True), told
    return {"graphs": 1, "answers": 1}


PARTS: dict[str, Check] = {
    "differential": differential.check,
    "metamorphic": metamorphic.check,
    "files": files,
    "arguments": arguments.check,
    "compositions": compositions,
    "budgets": budgets,
    "kills": kills.check,
}
