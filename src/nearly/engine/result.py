"""What an algorithm returns: values, and how they came about.

Every algorithm has a class of its own, whose fields are declared with a type and a meaning, so that editors complete
them and the documentation lists them:

    class BfsResult(Result):
        source: int = field("the vertex the search started from")

A field for which a function is given is computed when it is first read. `guarantee` is one of GUARANTEES, the same
words in code, docs and tables. A class also says how its answers are shown: `per` and `shows`, the columns of its
fields, and the largest error there can be. A result refers to the graph it is about, for names in tables
(`result_access`) and for the certificate; a pickled one takes along the names alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nearly.base.errors import InvalidArgumentError
from nearly.engine.plan import Plan
from nearly.engine.result_access import ResultAccess
from nearly.engine.trace import Trace
from nearly.engine.traits import GUARANTEES
from nearly.graph.csr import Graph


@dataclass(frozen=True)
class Certificate:
    """The outcome of checking a result on the original graph.

    ok : whether the claim holds.
    claim : what was checked, in words.
    bound : a bound on the error where one can be computed, else None.
    """

    ok: bool
    claim: str
    bound: float | None = None

    def __bool__(self) -> bool:
        return self.ok


class Field:
    """A declared field of a result; see `field`."""

    def __init__(
        self, meaning: str, default: Callable[[Any], Any] | None = None, column: str = "", vertices: bool = False
    ) -> None:
        self.meaning, self.default, self.column, self.vertices = meaning, default, column, vertices

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, result: Any, owner: type | None = None) -> Any:
        if result is None:
            return self
        try:
            value = result.__dict__[self.name]
        except KeyError:
            if self.default is not None:
                return self.default(result)
            raise AttributeError(f"this {type(result).__name__} was made without {self.name!r}") from None
        if callable(value):
            value = result.__dict__[self.name] = value()
        return value

    def __set__(self, result: Any, value: Any) -> None:
        result.__dict__[self.name] = value


def field(
    meaning: str, default: Callable[[Any], Any] | None = None, *, column: str = "", vertices: bool = False
) -> Any:
    """Declare a field of a result class: its meaning, in words. The annotation beside it says its type.

    `default(result)` is its value where the result was made without it. `column` is the name of its column in tables
    of the result; a field without one is in none, but `values` always are. `vertices` says that the column holds
    vertices, -1 for none, which tables show by their names.
    """
    return Field(meaning, default, column, vertices)


def _error(result: Result) -> float | None:
    """What is known of the error of a result made without a budget."""
    bound = getattr(result, "bound", None)
    return bound if bound is not None else 0.0 if result.guarantee == "exact" else None


def _interval(result: Result) -> tuple[Any, Any] | None:
    """Between which values the right ones lie; None where nothing is known."""
    values, error = result.values, result.error
    if result.guarantee == "upper bound":
        return np.full_like(values, -np.inf, np.float64), values
    if result.guarantee == "lower bound":
        return values, np.full_like(values, np.inf, np.float64)
    if error is None or values is None:
        return None
    return (values, values) if error == 0 else (values - error, values + error)


class Result(ResultAccess):
    """The answer of one run; algorithms have subclasses with fields of their own.

    Its rows have the names of vertices where the graph has names: `to_pandas`, `to_polars`, `to_arrow`, `to_dict`,
    `top(10)`, `result["name"]`, `for vertex, value in result`; `plot` draws it.

    Parameters
    ----------
    values : ndarray
        The answer.
    guarantee : str
        How far the values can be trusted, one of GUARANTEES.
    **fields
        The declared fields of the subclass; a function is called when its field is first read.
    """

    fields: ClassVar[dict[str, Field]] = {}
    per: ClassVar[str] = "vertex"  # what each value is about: "vertex", "arc", "pair" or "rank"
    shows: ClassVar[str] = "scores"  # what kind of answer it is for a reader; see `result_views`
    most_error: ClassVar[float | None] = None  # the largest error that any answer can have, where there is one
    run_in_full: ClassVar[str] = "exact"  # what an answer is that nothing approximated, in words

    values: Any = field("the answer, one entry per vertex unless the algorithm says otherwise")
    guarantee: str = field("how far the values can be trusted: " + ", ".join(GUARANTEES))
    algorithm: str = field("the name of the algorithm")
    trace: Trace = field("what happened in each round")
    seconds: float = field("time running, without compilation and preprocessing")
    compile_seconds: float = field("time compiling kernels, or loading compiled ones")
    preprocess_seconds: float = field("time transforming the graph")
    techniques: tuple[Any, ...] = field("the techniques applied, in order")
    error: float | None = field("a bound on the error, None where nothing is known of it", _error)
    error_kind: str = field('whether the error is "absolute" or "relative"', lambda result: "absolute")
    error_scope: str = field(
        'what it is about: one number ("aggregate"), any one vertex ("each"), or every vertex at once ("all")',
        lambda result: "all",
    )
    confidence: float | None = field(
        "with which probability the bound holds, None where there is none",
        lambda result: None if result.error is None else 1.0,
    )
    interval: tuple[Any, Any] | None = field(
        "(low, high), between which the right values lie; None where nothing is known", _interval
    )
    plan: Plan | None = field(
        "how a budget was spent: the candidates, the choice, and why; None without one", lambda r: None
    )

    def __init_subclass__(cls) -> None:
        known = [vars(base) for base in reversed(cls.__mro__) if issubclass(base, Result)]
        cls.fields = {name: value for one in known for name, value in one.items() if isinstance(value, Field)}

    def __init__(self, values: Any, *, guarantee: str = "exact", **fields: Any) -> None:
        if guarantee not in GUARANTEES:
            raise ValueError(f"guarantee must be one of {', '.join(GUARANTEES)}, not {guarantee!r}")
        unknown = fields.keys() - self.fields.keys()
        if unknown:
            raise TypeError(f"{type(self).__name__} declares no {', '.join(sorted(unknown))}; see nearly.extend.field")
        known = self.__dict__
        known["values"], known["guarantee"], known["algorithm"] = values, guarantee, ""
        known["seconds"] = known["compile_seconds"] = known["preprocess_seconds"] = 0.0
        known["trace"], known["techniques"] = Trace(), ()
        known.update(fields)
        self._certify: Callable[[Graph, Any], Certificate] | None = None
        self._graph: Graph | None = None

    @property
    def rounds(self) -> int:
        """How many rounds there were."""
        return len(self.trace)

    def certificate(self, graph: Graph | None = None) -> Certificate:
        """Check the answer on the original graph, in time linear in its arcs.

        Parameters
        ----------
        graph : Graph, optional
            The original graph, for a result that was pickled; others know theirs.

        Returns
        -------
        Certificate
            `ok`, whether the claim holds; `claim`, what was checked; `bound`, a bound on the error where one exists.
        """
        if self._certify is None:
            raise NotImplementedError(f"{self.algorithm} has no certificate")
        known = graph if graph is not None else None if self.__dict__.get("_arcless") else self._graph
        if known is None:
            raise InvalidArgumentError("a pickled result has left its graph behind: result.certificate(graph)")
        return self._certify(known, self)

    @property
    def scalars(self) -> dict[str, Any]:
        """Those of the algorithm's own fields that are single numbers and already known."""
        kinds = (int, float, np.integer, np.floating)
        own = {name: self.__dict__.get(name) for name in self.fields if name not in Result.fields}
        plain = {name: value for name, value in own.items() if isinstance(value, kinds)}
        return {name: value.item() if isinstance(value, np.generic) else value for name, value in plain.items()}

    def __repr__(self) -> str:
        from nearly.engine.result_words import in_words

        shape = f"{self.values.size:,} values" if isinstance(self.values, np.ndarray) else repr(self.values)
        return f"<Result of {self.algorithm}: {shape}, {in_words(self)}, {self.rounds} rounds, {self.seconds:.3g} s>"


Result.fields = {name: value for name, value in vars(Result).items() if isinstance(value, Field)}
