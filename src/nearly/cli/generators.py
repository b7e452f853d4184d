"""The kinds of graphs that can be made: every function of `nearly.generate` that needs no graph to begin with."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING

import nearly

if TYPE_CHECKING:
    from nearly.graph.csr import Graph


def generators() -> dict[str, Callable[..., Graph]]:
    """Generator functions by their names on the command line."""
    functions = {name: getattr(nearly.generate, name) for name in nearly.generate.__all__}
    return {
        name.replace("_", "-"): function
        for name, function in functions.items()
        if inspect.isfunction(function) and "graph" not in inspect.signature(function).parameters
    }
