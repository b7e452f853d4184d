"""The backend that NetworkX loads: conversions, what can run, what should run, and every function by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx

from nearly.adapters.networkx.dispatch import functions
from nearly.adapters.networkx.graph_conversion import convert_from_nx, convert_to_nx


class Interface:
    """The object behind the entry point `networkx.backends`; functions are attributes."""

    convert_from_nx = staticmethod(convert_from_nx)
    convert_to_nx = staticmethod(convert_to_nx)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name in functions():
            return functions()[name].call
        raise AttributeError(f"the backend nearly does not have {name!r}")

    @staticmethod
    def can_run(name: str, args: tuple, kwargs: dict[str, Any]) -> bool | str:
        """True, or the reason why not."""
        return functions()[name].refuses(args, kwargs) or True

    @staticmethod
    def should_run(name: str, args: tuple, kwargs: dict[str, Any]) -> bool | str:
        """Whether NetworkX should convert a graph by itself: for our own keywords, or if it is large enough."""
        if any(kwargs.get(key) is not None for key in functions()[name].keywords):
            return True
        graph = args[0] if args else kwargs["G"]
        least = nx.config.backends.nearly.least_edges
        if graph.number_of_edges() < least:
            return f"the graph has fewer than {least} edges, so converting it takes longer than it saves"
        return True

    @staticmethod
    def on_start_tests(items: list[Any]) -> None:
        """Mark the tests of NetworkX that ask for more than its documentation promises."""
        import pytest

        from nearly.adapters.networkx.expected_failures import EXPECTED_FAILURES

        for item in items:
            reason = EXPECTED_FAILURES.get(f"{item.path.name}::{item.name}")
            if reason is not None:
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))


interface = Interface()
