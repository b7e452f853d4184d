"""Any value for any argument of any public function: an answer, or an error of ours.

The functions and their parameters are found by their signatures, so that new ones are among them the day they are
public. Values come from a pool of everything that users have passed by mistake, and some that fit. A missing or
unknown argument is Python's own TypeError, and is not asked for.
"""

from __future__ import annotations

import inspect
import os
import shutil
import warnings
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from tests.campaign.scratch import folder
from tests.techniques.drawing import pick

import nearly
from nearly import Graph, NearlyError
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.technique import TECHNIQUES

MEMORY = "64M"
CALLS = 50  # a case


class Odd:
    """An object that answers every question with an error."""

    def __array__(self, *args: Any, **keywords: Any) -> Any:
        raise ValueError("no array")

    def __repr__(self) -> str:
        raise RuntimeError("no words")

    def __bool__(self) -> bool:
        raise TypeError("neither")

    def __fspath__(self) -> str:
        return 3  # type: ignore[return-value]


POOL: list[Any] = [
    None, True, False, 0, 1, 2, 3, -1, 7, 10**4, 2**31, 2**32, 2**63, 2**64, 10**400, 0.5, 0.0, -0.5, 1.0, 1e-9, 1e308,
    float("nan"), float("inf"), -float("inf"), 1j, Decimal("0.5"), Fraction(1, 3), "", "a", "auto", "0", "min", "sum",
    "x\0y", "é", "\ud800", "exact", b"bytes", [], [0], [1, 2], [0.5], ["a"], [[0, 1]], [[0], [1, 2]], [None], (),
    (0, 1), {}, {0: 1.0}, {"a": 1}, {1.5: None}, set(), {1}, range(3), object(), Odd(), int, print, lambda *a: None,
    iter([1]),
    np.array(3), np.array([1, 2]), np.array([1.5, np.nan]), np.array(["a", "b"]), np.array([[0, 1], [1, 2]]),
    np.array([None, 3], object), np.zeros(0), np.zeros((0, 2), np.int64), np.ma.array([1, 2], mask=[0, 1]), np.int8(3),
    np.float16(0.5), np.bool_(True), np.datetime64("2020-01-01"), np.array([True, False, True, False, True]), Path("x"),
    Ellipsis, NotImplemented, slice(1), memoryview(b"ab"), complex("nan"), -(2**63), 10.0**16, "cuda", "frontier",
]  # fmt: skip


@cache
def graphs() -> list[Graph]:
    """Small graphs to ask about."""
    path = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4])
    ring = Graph.from_edges([0, 1, 2, 3, 4], [1, 2, 3, 4, 0], [1.5, 2, 1, 3, 1], directed=False)
    named = Graph._trusted(path.arrays, True, np.array(list("abcde")))
    return [path, ring, named, Graph.from_edges([], [], n=0), Graph.from_edges([], [], n=5)]


@cache
def functions() -> list[tuple[str, Callable[..., Any], list[inspect.Parameter]]]:
    """The public functions, by name, with their parameters; those that would change settings are left out."""
    found: dict[str, Any] = {entry.name: entry.function for entry in ALGORITHMS if hasattr(nearly, entry.name)}
    found.update({cls.__name__: cls for cls in TECHNIQUES})
    named = "read write plan ego subgraph add_edges remove_edges remove_self_loops largest_component degeneracy is_dag"
    found.update({name: getattr(nearly, name) for name in (*named.split(), "random_walks", "DistanceIndex", "Graph")})
    found.update({f"generate.{key}": f for key, f in _public(nearly.generate)})
    found.update({f"mesh.{key}": f for key, f in _public(nearly.mesh)})
    found.update(
        {f"Graph.{key}": getattr(Graph, key) for key in ("from_edges", "from_scipy", "from_networkx", "from_frame")}
    )
    made = []
    for name, function in sorted(found.items()):
        own = [p for p in inspect.signature(function).parameters.values() if p.name != "self"]
        made.append((name, function, own))
    return made


def _public(module: Any) -> list[tuple[str, Any]]:
    found = [(name, getattr(module, name)) for name in getattr(module, "__all__", dir(module)) if name[0] != "_"]
    return [(name, value) for name, value in found if inspect.isfunction(value)]


def check(number: int) -> dict[str, int]:
    """Some calls, in a folder where they may write."""
    rng = np.random.default_rng([number, 26])
    before, place = os.getcwd(), folder() / "calls"
    place.mkdir()
    os.environ["NEARLY_MEMORY"] = MEMORY
    os.chdir(place)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            answered = sum(_call(rng) for _ in range(CALLS))
    finally:
        del os.environ["NEARLY_MEMORY"]
        os.chdir(before)
        shutil.rmtree(place)
    return {"calls": CALLS, "answered": answered, "refused": CALLS - answered}


def _call(rng: np.random.Generator) -> bool:
    """Whether one call was answered; it was refused otherwise."""
    name, function, parameters = pick(rng, functions())
    args, keywords, said = [], {}, []
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        required = parameter.default is parameter.empty
        if not required and rng.random() < 0.7:
            continue
        value = _value(rng, parameter, required)
        said.append((parameter.name, value))
        if parameter.kind is parameter.KEYWORD_ONLY or not required:
            keywords[parameter.name] = value
        else:
            args.append(value)
    try:
        function(*args, **keywords)
    except NearlyError:
        return False
    except Exception as error:
        told = ", ".join(f"{key}={_said(value)}" for key, value in said)
        raise AssertionError(f"{name}({told}): {type(error).__name__}: {error}") from error
    return True


def _value(rng: np.random.Generator, parameter: inspect.Parameter, required: bool) -> Any:
    if parameter.name == "graph" and rng.random() < 0.95:
        return pick(rng, graphs())
    if parameter.name in ("source", "v") and rng.random() < 0.7:
        return int(rng.integers(5))
    if not required and rng.random() < 0.3:
        return parameter.default
    value = pick(rng, POOL)
    return _silent if parameter.name == "progress" and callable(value) else value  # what callbacks raise passes through


def _silent(*_: Any) -> None:
    """A callback."""


def _said(value: Any) -> str:
    try:
        return repr(value)[:100]
    except Exception:
        return f"<{type(value).__name__}>"
