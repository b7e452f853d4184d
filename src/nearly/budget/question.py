"""A question with a budget: the algorithm, the graph, the arguments and what the answer may cost."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from nearly.base.errors import InvalidArgumentError
from nearly.budget import rates
from nearly.engine.algorithm import Algorithm, Options
from nearly.engine.budget import Budget
from nearly.engine.run import Run
from nearly.engine.vertex_arguments import indexed
from nearly.graph.csr import Graph


@dataclass
class Question:
    """What is asked.

    entry : the algorithm.
    graph : the caller's graph.
    arguments : the algorithm's own arguments by name, defaults filled in.
    given : those of them that the caller gave.
    options : the common keywords.
    budget : what the answer may cost.
    """

    entry: Algorithm
    graph: Graph
    arguments: dict[str, Any]
    given: frozenset[str]
    options: Options
    budget: Budget

    @classmethod
    def of(
        cls,
        entry: Algorithm,
        graph: Graph,
        args: tuple[Any, ...],
        keywords: dict[str, Any],
        options: Options,
        budget: Budget,
    ) -> Question:
        """The question of a call; arguments that do not fit the algorithm are an error that lists its own."""
        args, keywords = indexed(entry.parameters, graph, args, keywords)
        if not args and keywords.keys() <= entry.parameters.keys():  # most calls: nothing has to be matched
            arguments = {name: one.default for name, one in entry.parameters.items()} | keywords
            if not any(value is inspect.Parameter.empty for value in arguments.values()):
                return cls(entry, graph, arguments, frozenset(keywords), options, budget)
        own = inspect.Signature(list(entry.parameters.values()))
        try:
            bound = own.bind(*args, **keywords)
        except TypeError as error:
            raise InvalidArgumentError(
                f"{entry.name}: {error}; its arguments are {', '.join(own.parameters)}"
            ) from None
        given = frozenset(bound.arguments)
        bound.apply_defaults()
        return cls(entry, graph, dict(bound.arguments), given, options, budget)

    def begin(self) -> Run:
        """A run on the graph, with the common keywords, that knows when its time is over."""
        run = self.entry.begin(self.graph)
        self.options.tell(run)
        run.deadline = self.budget.deadline
        return run

    @cached_property
    def exact_seconds(self) -> float:
        """How long an exact run is predicted to take."""
        visits: float = self.graph.m + self.graph.n
        if self.entry.work is not None:
            visits = self.entry.work(self.graph, self.arguments)
        return rates.seconds(self.entry.name, visits, self.graph.m)

    @property
    def told_seconds(self) -> float | None:
        """The same if it is known already; None where finding out may take long."""
        known: float | None = self.__dict__.get("exact_seconds")
        return known

    def exact(self, run: Run) -> Any:
        """The exact answer, by the algorithm itself."""
        return self.entry.body(run, **self.arguments)
