"""How a function becomes part of the backend: one decorator does what all of them have in common.

The file of a family writes `def pagerank(G, alpha=0.85, ..., *, how)` with NetworkX's own arguments. `@dispatched`
registers the function and says which graphs it takes. If an algorithm of this package answers, the function also gets
the keywords that NetworkX does not have (`approx`, `policy`, `threads`, `seed`, and those of budgets) as `how`. What
the algorithm refuses becomes a `NotImplementedError`, and NetworkX goes on with its own code, unless the caller used
one of those keywords.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import networkx as nx

from nearly.adapters.networkx.info import KEYWORDS
from nearly.adapters.networkx.worth import key_of, readiness
from nearly.base.errors import InvalidArgumentError, InvalidGraphError
from nearly.base.registry import Registry
from nearly.engine.result import Result

_WEIGHTS = ("weight", "distance")


@dataclass(frozen=True)
class Function:
    """A registered function; `directed` and `multigraph` say whether it takes such graphs.

    `keywords` are those that NetworkX does not have.
    """

    name: str
    call: Callable[..., Any]
    signature: inspect.Signature
    algorithm: str | None
    keywords: tuple[str, ...]
    directed: bool
    multigraph: bool

    def refuses(self, args: tuple, keywords: dict[str, Any]) -> str | None:
        """Why it cannot run with these arguments, as far as can be told before converting the graph."""
        try:
            given = self.signature.bind(*args, **keywords).arguments
        except TypeError:
            return "it has other arguments"
        graph = given["G"]
        if graph.is_multigraph() and not self.multigraph:
            return "it takes no multigraphs"
        if graph.is_directed() and not self.directed:
            return "it takes no directed graphs"
        if any(callable(given.get(name)) for name in _WEIGHTS):
            return "weights that are functions are for Python"
        return None


FUNCTIONS: Registry[Function] = Registry("NetworkX function", "nearly.adapters.networkx.functions")


@cache
def functions() -> dict[str, Function]:
    """All functions by name; kept, because NetworkX asks several times in a call."""
    return {function.name: function for function in FUNCTIONS}


def dispatched(
    *, name: str | None = None, algorithm: str | None = None, directed: bool = True, multigraph: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make `body` answer the NetworkX function of its name, or of the given one; see the top of the file.

    Parameters
    ----------
    name : str, optional
        The name of the function, if it is not that of the body.
    algorithm : str, optional
        The algorithm of this package that answers; its keywords come as `how`.
    directed : bool, default True
        Whether it takes directed graphs.
    multigraph : bool, default False
        Whether it takes multigraphs, because parallel edges make no difference to it.

    Returns
    -------
    callable
        The decorator.
    """

    def register(body: Callable[..., Any]) -> Callable[..., Any]:
        own, called = inspect.signature(body), name or body.__name__
        parameters = [p for p in own.parameters.values() if p.name != "how"]
        extra = tuple(k for k in KEYWORDS if algorithm and k not in own.parameters)
        added = [inspect.Parameter(k, inspect.Parameter.KEYWORD_ONLY, default=None) for k in extra]

        def call(*args: Any, **keywords: Any) -> Any:
            refused = entry.refuses(args, keywords)
            if refused is not None:
                raise NotImplementedError(f"{called} is left to NetworkX: {refused}")
            asked = {key: keywords.pop(key) for key in extra if keywords.get(key) is not None}
            for key in extra:
                keywords.pop(key, None)
            if algorithm:
                keywords["how"] = {**_configured(algorithm, extra), **asked}
            try:
                answer = body(*args, **keywords)
            except (InvalidArgumentError, InvalidGraphError) as error:
                if asked:
                    raise
                raise NotImplementedError(f"{called}: {error}") from error
            readiness.answered(key_of(called, args[0] if args else keywords["G"]))
            return answer

        call.__name__, call.__doc__, call.__module__ = called, f"See `nx.{called}`.", body.__module__
        signature = own.replace(parameters=[*parameters, *added])
        call.__signature__ = signature  # type: ignore[attr-defined]
        entry = Function(called, call, signature, algorithm, extra, directed, multigraph)
        FUNCTIONS.add(called, entry, body.__module__)
        return call

    return register


def _configured(algorithm: str, keywords: tuple[str, ...]) -> dict[str, Any]:
    """The settings of `nx.config.backends.nearly`; its technique only if the algorithm supports it."""
    from nearly.engine.applied import as_techniques

    config = nx.config.backends.nearly
    said = {key: config[key] for key in keywords if config[key] is not None}
    if "approx" in said and any(algorithm not in t.guarantees for t in as_techniques(said["approx"])):
        del said["approx"]
    return said


def reported(value: Any, result: Result) -> Any:
    """The value as it is if it is plainly exact; with a technique or a budget, with the result as `.report`."""
    if not result.techniques and result.plan is None:
        return value
    if isinstance(value, Iterator):
        value = _Stream(value)
    elif not isinstance(value, nx.Graph):
        value = _with_report(type(value))(value)
    value.report = result
    return value


def has_budget(how: dict[str, Any]) -> bool:
    """Whether an answer within a budget is asked for."""
    return not how.keys().isdisjoint(("max_error", "max_seconds"))


def refuse_budget(name: str, how: dict[str, Any], instead: str) -> None:
    """Raise where a budget is given to a function of values for each node, and budgets are about one number."""
    if has_budget(how):
        raise InvalidArgumentError(
            f"{name} gives a value for each node, and a budget is about one number of the whole graph; {instead}"
        )


class _Stream:
    """An iterator that carries a report."""

    report: Result

    def __init__(self, items: Iterator[Any]) -> None:
        self._items = items

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self._items)


def _with_report(kind: type) -> type:
    """A dict, list, set, float or int that may carry a report."""
    return type(f"Reported{kind.__name__.title()}", (kind,), {"report": None})


def seed_of(random: Any) -> int:
    """A seed drawn from what NetworkX passes as `seed`: a `random.Random`, or the module `random` itself."""
    return random.getrandbits(63)
