"""PageRank: the share of time a random surfer spends at each vertex.

Returns float64 ranks, which sum to 1 (with `dangling="leak"` to less). `.residual` is ||x - F(x)||_1 for one round's
map F, computed in float64 on the input graph, and `.bound` = residual / (1 - damping) bounds ||x - x*||_1,
because F brings any two vectors nearer by the factor `damping` in that norm.
Method: power iteration by pulling over in-arcs (Page, Brin, Motwani and Winograd, 1999); no float atomics, partial
sums in a fixed order. The surfer follows an arc with probability `damping`, in proportion to its weight, and
else jumps to a vertex drawn from `personalization`; at a dangling vertex (no arc, or only arcs of weight 0) he
always jumps, or with `dangling="leak"` disappears. Rounds end when one changes the ranks by at most `tol`,
in the sum of absolute changes (`norm="l1"`) or in the largest (`norm="max"`). How rounds work is in `pagerank_kernels`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nearly.algorithms.pagerank.residuals import Residuals
from nearly.algorithms.pagerank.sweeps import Problem, Sweeps, arc_totals
from nearly.algorithms.shared.weights import run_uses_weights, uses_weights
from nearly.base.errors import DeviceUnavailableError, InvalidArgumentError
from nearly.base.threads import kernel_threads
from nearly.engine.algorithm import algorithm
from nearly.engine.devices import DEVICES, by_device
from nearly.engine.operators.advance import POLICIES
from nearly.engine.result import Certificate, Result
from nearly.engine.run import Run, enact
from nearly.graph.csr import Graph

MOST_ROUNDS = 1000
PARTS_ROUNDS = 100 * MOST_ROUNDS  # a round of one component is a small one
_ROUNDING = 1e-14  # what float64 sums of n numbers that add up to 1 may be off


def certificate(graph: Graph, result: Result) -> Certificate:
    """One exact sweep: ||x - x*||_1 is at most ||x - F(x)||_1 / (1 - damping)."""
    problem: Problem = result.problem
    residual = residual_of(problem, result.values)
    bound = residual / (1 - problem.damping)
    if result.guarantee == "exact":
        ok = residual <= result.allowed * (1 + 1e-6) + _ROUNDING
        return Certificate(bool(ok), f"one more round changes the ranks by at most {result.allowed:g} in sum", bound)
    ok = bound <= result.bound * (1 + 1e-6) + _ROUNDING
    return Certificate(bool(ok), f"the ranks are within {result.bound:g} of the true ones in sum", bound)


def residual_of(problem: Problem, values: np.ndarray) -> float:
    """||x - F(x)||_1 by one float64 sweep over the graph."""
    if not problem.graph.n:
        return 0.0
    x = np.asarray(values, np.float64)
    with kernel_threads() as threads:
        return float(np.abs(x - problem.image(Run(problem.graph, threads=threads), x)).sum())


@algorithm(policies=POLICIES, certificate=certificate, devices=DEVICES)
def pagerank(
    run: Run,
    *,
    damping: float = 0.85,
    tol: float = 1e-8,
    norm: str = "l1",
    dangling: str = "redistribute",
    personalization: Any = None,
    weights: bool = True,
    start: Any = None,
    method: str = "power",
) -> Result:
    """The share of time a random surfer spends at each vertex.

    Stops after 1,000 rounds unless `max_rounds` says otherwise; the guarantee of a result that has not
    converged by then is "certified", with its `.bound`.

    Parameters
    ----------
    damping : the probability of following an arc rather than jumping, from 0 up to but not including 1.
    tol : stop when a round changes the ranks by at most this.
    norm : "l1" (sum of the changes) or "max" (largest change).
    dangling : what happens at vertices without arcs: "redistribute" over all, or "leak".
    personalization : where jumps lead: n numbers that are not negative, or {vertex: number}; None is everywhere alike.
    weights : whether arcs are followed in proportion to their weights, if the graph has any.
    start : n numbers to begin with, such as ranks of a similar graph; None for where jumps lead.
    method : "power", rounds over the whole graph, or "components", one strongly connected component at a time.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2, 3], [1, 2, 1, 1])
    >>> nearly.pagerank(g).values.round(3).tolist()
    [0.038, 0.48, 0.445, 0.038]
    """
    damping, tol = _checked_numbers(damping, tol)
    _check_choice("norm", norm, ("l1", "max"))
    _check_choice("dangling", dangling, ("redistribute", "leak"))
    _check_choice("method", method, ("power", "components"))
    graph, leak = run.given, dangling == "leak"
    teleport = _teleport(graph.n, personalization)
    first = np.broadcast_to(teleport, graph.n) if start is None else _distribution("start", graph.n, start, not leak)
    weighted, threads = uses_weights(graph, weights), run.threads

    def asked() -> Problem:  # made when somebody asks how good the answer is, where techniques solve another one
        return Problem(graph, damping, teleport, leak, arc_totals(graph, threads) if weighted else None)

    problem = asked if run.graph is not graph else asked()
    allowed = tol * graph.n if norm == "max" else tol
    if not graph.n:
        return Result(np.empty(0), problem=problem, allowed=allowed, residual=0.0, bound=0.0)
    if run.max_rounds is None:
        run.max_rounds = MOST_ROUNDS if method == "power" else PARTS_ROUNDS
    solved = problem if isinstance(problem, Problem) else _stand_in(run, damping, teleport, leak, weights)
    rounds = _other_rounds(run, method) or rounds_of
    way = rounds(run, solved, run.map.sums(first), tol, norm)
    converged = enact(run, way.step)
    values = solved.normalise(run.map.shares(way.values()))
    result: Result = Result(
        values,
        guarantee="exact" if converged else "certified",
        problem=problem,
        allowed=allowed,
        residual=lambda: residual_of(result.problem, values),
        bound=lambda: result.residual / (1 - damping),
    )
    return result


def _other_rounds(run: Run, method: str) -> Any:
    """What makes the rounds where a technique or `method` asks for other ones; else None."""
    said = run.knobs()
    if method == "power" and not said.keys() & {"freeze", "ahead"}:
        return None
    if run.device != "cpu":
        raise DeviceUnavailableError("pagerank by components, freezing and extrapolation run on device='cpu' only")
    from nearly.algorithms.pagerank.methods import other_rounds  # they need more modules than plain rounds

    return other_rounds(run, said, method)


@by_device("nearly.algorithms.pagerank.cuda")
def rounds_of(run: Run, problem: Problem, start: np.ndarray, tol: float, norm: str) -> Any:
    """What makes the rounds."""
    return (Residuals if run.policy == "frontier" else Sweeps)(run, problem, start, tol, norm)


def _stand_in(run: Run, damping: float, teleport: np.ndarray, leak: bool, weights: bool) -> Problem:
    """The problem on the graph that techniques made: a vertex is jumped to as often as those it stands for."""
    if run.map.place is not None:
        teleport = run.map.sums(np.broadcast_to(teleport, run.given.n))
    totals = arc_totals(run.graph, run.threads) if run_uses_weights(run, weights) else None
    return Problem(run.graph, damping, teleport, leak, totals, run.map.copies)


def _checked_numbers(damping: Any, tol: Any) -> tuple[float, float]:
    if not _is_number(damping) or not 0 <= damping < 1:
        raise InvalidArgumentError(f"damping must be a number from 0 up to but not including 1, not {damping!r}")
    if not _is_number(tol) or not 0 < tol < np.inf:
        raise InvalidArgumentError(f"tol must be a number above 0, not {tol!r}")
    return float(damping), float(tol)


def _is_number(x: Any) -> bool:
    return isinstance(x, (int, float, np.integer, np.floating)) and not isinstance(x, (bool, np.bool_))


def _check_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise InvalidArgumentError(f"{name} must be {' or '.join(map(repr, choices))}, not {value!r}")


def _teleport(n: int, personalization: Any) -> np.ndarray:
    if personalization is None:
        return np.full(1, 1 / max(n, 1))
    if isinstance(personalization, Mapping):
        given, personalization = personalization, np.zeros(n)
        for vertex, number in given.items():
            if isinstance(vertex, (bool, np.bool_)) or not isinstance(vertex, (int, np.integer)) or not 0 <= vertex < n:
                raise InvalidArgumentError(f"personalization names {vertex!r}, which is no vertex of this graph of {n}")
            personalization[vertex] = number if _is_number(number) else np.nan
    return _distribution("personalization", n, personalization, True)


def _distribution(name: str, n: int, numbers: Any, normalise: bool) -> np.ndarray:
    """`numbers` as n float64 that are not negative, divided by their sum where asked."""
    try:
        made = np.array(numbers, np.float64)
    except (TypeError, ValueError):
        made = np.full(n, np.nan)
    if made.shape != (n,) or not np.isfinite(made).all() or made.min(initial=0) < 0:
        raise InvalidArgumentError(f"{name} must hold {n} finite numbers that are not negative, one a vertex")
    total = made.sum()
    if n and not 0 < total < np.inf:
        raise InvalidArgumentError(f"{name} must have a finite sum above 0")
    return made / total if normalise and n else made
