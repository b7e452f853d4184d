"""The backend that NetworkX loads: conversions, what can run, what should run, and every function by name."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import networkx as nx

from nearly.adapters.networkx.info import KEYWORDS, get_info
from nearly.adapters.networkx.worth import why_not

_NAMES = frozenset(get_info()["functions"])


def _functions() -> dict[str, Any]:
    """All functions by name; imported when the first of them is needed, for that takes a moment."""
    from nearly.adapters.networkx.dispatch import functions

    return functions()


class Interface:
    """The object behind the entry point `networkx.backends`; functions are attributes."""

    @staticmethod
    def convert_from_nx(graph: Any, *args: Any, **keywords: Any) -> Any:
        """See `graph_conversion`."""
        from nearly.adapters.networkx.graph_conversion import convert_from_nx

        return convert_from_nx(graph, *args, **keywords)

    @staticmethod
    def convert_to_nx(result: Any, **keywords: Any) -> Any:
        """See `graph_conversion`."""
        from nearly.adapters.networkx.graph_conversion import convert_to_nx

        return convert_to_nx(result, **keywords)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in _NAMES:
            raise AttributeError(f"the backend nearly does not have {name!r}")
        return lambda *args, **keywords: _functions()[name].call(*args, **keywords)

    @staticmethod
    def can_run(name: str, args: tuple, kwargs: dict[str, Any]) -> bool | str:
        """True, or the reason why not.

        For a graph of NetworkX's the answer is True, and nothing is imported for it: `should_run` gives the reason
        where NetworkX chooses the backend, and a call that names the backend is refused with the reason in the error,
        which NetworkX would otherwise leave out. Only NetworkX's own tests go by this answer.
        """
        graph = args[0] if args else kwargs.get("G")
        if isinstance(graph, nx.Graph) and "NETWORKX_TEST_BACKEND" not in os.environ:
            return True
        return _functions()[name].refuses(args, kwargs) or True

    @staticmethod
    def should_run(name: str, args: tuple, kwargs: dict[str, Any]) -> bool | str:
        """Whether NetworkX should convert a graph by itself: for our own keywords, or if that is faster (`worth`)."""
        own = {key for key, value in kwargs.items() if value is not None} & KEYWORDS.keys()
        if own and not own.isdisjoint(_functions()[name].keywords):
            return _functions()[name].refuses(args, kwargs) or True
        graph = args[0] if args else kwargs["G"]
        unwise = why_not(name, graph, nx.config.backends.nearly.least_edges)
        return unwise or _functions()[name].refuses(args, kwargs) or True

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
