"""The kinds of graphs that can be made: every function of `nearly.generate` that makes one from nothing."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable

import nearly
from nearly.graph.csr import Graph


def generators() -> dict[str, Callable[..., Graph]]:
    """Generator functions by their names on the command line."""
    functions = {name: getattr(nearly.generate, name) for name in nearly.generate.__all__}
    return {name.replace("_", "-"): function for name, function in functions.items() if _makes_a_graph(function)}


def _makes_a_graph(thing: object) -> bool:
    if not inspect.isfunction(thing):
        return False
    hints = typing.get_type_hints(thing)
    return hints.pop("return", None) is Graph and Graph not in hints.values()
