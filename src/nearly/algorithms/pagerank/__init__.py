"""PageRank: the share of time a random surfer spends at each vertex.

Returns float64 ranks, which sum to 1 (with `dangling="leak"` to less). `.residual` is ||x - F(x)||_1 for one round's
map F, computed in float64 on the input graph, and `.bound` = residual / (1 - damping) bounds ||x - x*||_1,
because F brings any two vectors nearer by the factor `damping` in that norm.
Method: rounds by pulling over in-arcs (Page, Brin, Motwani and Winograd, 1999), in place and combined
(`in_place`); no float atomics, partial sums in a fixed order. The surfer follows an arc with probability `damping`,
in proportion to its weight, and else jumps to a vertex drawn from `personalization`; at a dangling vertex (no arc, or
only arcs of weight 0) the surfer always jumps, or with `dangling="leak"` disappears. Rounds end when one more would
change the ranks by at most `tol`, in the sum of absolute changes (`norm="l1"`) or in the largest (`norm="max"`).

problem       the map F and what is asked for
in_place      rounds in place (the default)
combination   how past rounds are combined
sweeps        plain rounds over all vertices (other policies, and techniques that change rounds)
residuals     rounds over what changed (policy "frontier")
components    one strongly connected component at a time (method="components" or "stic-d")
leaders       the first k, and when they are certain (top=k)
push          personalised ranks near where jumps lead, within a budget
certificate   one exact sweep
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import numpy as np

from nearly.accuracy.judges import RANKS
from nearly.algorithms.pagerank.certificate import certificate, residual_of
from nearly.algorithms.pagerank.in_place import InPlace
from nearly.algorithms.pagerank.leaders import leaders, until_settled
from nearly.algorithms.pagerank.problem import Problem, RankGoal, arc_totals
from nearly.algorithms.pagerank.residuals import Residuals
from nearly.algorithms.pagerank.sweeps import Sweeps
from nearly.algorithms.shared.weights import run_uses_weights, uses_weights
from nearly.base.arguments import as_float, choice, distribution, number, whole_number
from nearly.base.errors import DeviceUnavailableError, InvalidArgumentError
from nearly.engine.algorithm import algorithm
from nearly.engine.checkpoint import checkpoint_of
from nearly.engine.devices import DEVICES
from nearly.engine.needs import Needs
from nearly.engine.result import Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph

MOST_ROUNDS = 1000
METHODS = ("power", "components", "stic-d")
PARTS_ROUNDS = 100 * MOST_ROUNDS  # a round of one component is a small one


def rank_interval(result: PagerankResult) -> tuple[np.ndarray, np.ndarray]:
    """Between which numbers ranks lie whose errors sum to at most the bound: with a sum of 1 on both sides, half."""
    most = result.error if result.error is not None else np.inf
    most = most if result.problem.leak else most / 2
    return np.maximum(result.values - most, 0.0), result.values + most


def work(graph: Graph, arguments: dict[str, Any]) -> float:
    """The visits of an exact run: all arcs and vertices in every round."""
    return (graph.m + graph.n) * expected_rounds(arguments["damping"], arguments["tol"])


def expected_rounds(damping: float, tol: float) -> float:
    """How many rounds there will be, roughly: combined ones shrink errors as damping to the power of 6 would."""
    shrinks = -6 * np.log(min(max(damping, 0.05), 0.999))
    return 2 + max(0.0, -np.log(as_float(tol))) / float(shrinks)


class PagerankResult(Result):
    """Ranks, and how far they may be from the true ones."""

    most_error = 2.0  # the sum of the differences of two distributions

    values: np.ndarray = field("the rank of each vertex, float64; they sum to 1 unless mass leaks", column="rank")
    residual: float = field("how much one more exact round would change the ranks, in sum")
    bound: float = field("a bound on the sum of the ranks' errors")
    allowed: float = field("the change of a round, in sum, that counts as converged")
    problem: Problem = field("what was asked for, as the certificate needs it")
    vertices: np.ndarray = field("the first k vertices, greatest first (top=k)")
    scores: np.ndarray = field("their ranks (top=k)")
    set_certain: bool = field("whether they surely are the first k (top=k)")
    order_certain: bool = field("whether their order surely is right (top=k)")
    interval: tuple[np.ndarray, np.ndarray] = field("(low, high), between which each rank lies", rank_interval)


@algorithm(
    memory=Needs(vertex=128, arc=8, weight=8, spare=True, reverse=True),
    certificate=certificate, judge=RANKS, devices=DEVICES, goal=RankGoal, certified=True, measures="amounts",
    fewer_arcs="any", two_hop="any", across="any", merged="any", renumbered="same", cut_short="any",
    combines="sum", one_way=True, copies="followed", averages=True, redraws=True, work=work,
)  # fmt: skip
def pagerank(  # noqa: PLR0913
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
    top: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> PagerankResult:
    """The share of time a random surfer spends at each vertex.

    Stops after 1,000 rounds unless `max_rounds` says otherwise; the guarantee of a result that has not
    converged by then is "certified", with its `.bound`.

    Parameters
    ----------
    damping : float
        The probability of following an arc rather than jumping, from 0 up to but not including 1.
    tol : float
        Stop when a round changes the ranks by at most this.
    norm : {"l1", "max"}
        The sum of the changes, or the largest change.
    dangling : {"redistribute", "leak"}
        What happens to the rank of vertices without arcs: it goes to all vertices, or disappears.
    personalization : array of n numbers or {vertex: number}, optional
        Where jumps lead, in proportion to numbers that are not negative; everywhere alike by default.
    weights : bool
        Whether arcs are followed in proportion to their weights, if the graph has any.
    start : array of n numbers, optional
        Ranks to begin with, such as those of a similar graph; where jumps lead by default.
    method : {"power", "components", "stic-d"}
        Rounds over the whole graph, or one strongly connected component at a time: to the tolerance, or as STIC-D
        does it, where a vertex that has converged is never computed again (guarantee "certified").
    top : int, optional
        End as soon as it is certain which vertices are the first `top`, and in which order: `.vertices`, `.scores`,
        `.set_certain`, `.order_certain`. Where ranks are too close for that, they are as exact as without it.
    checkpoint : str or os.PathLike, optional
        A file where the ranks so far are kept; a call that finds it goes on from there (method "power", no `top`).

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2, 3], [1, 2, 1, 1])
    >>> nearly.pagerank(g).values.round(3).tolist()
    [0.038, 0.48, 0.445, 0.038]
    """
    damping, tol = number("damping", damping, 0, 1, below=True), number("tol", tol, 0, above=True)
    choice("norm", norm, ("l1", "max"))
    choice("method", method, METHODS)
    if whole_number("top", top, or_none=True) is not None:
        check_top(run, method, norm)
    graph, leak = run.given, choice("dangling", dangling, ("redistribute", "leak")) == "leak"
    teleport = np.full(1, 1 / max(graph.n, 1))
    if personalization is not None:
        teleport = distribution("personalization", personalization, graph.n, normalise=True)
    first = np.broadcast_to(teleport, graph.n)
    if start is not None:
        first = distribution("start", start, graph.n, normalise=not leak)
    weighted, threads = uses_weights(graph, weights), run.threads

    @cache
    def asked() -> Problem:  # where techniques solve another problem, this one is made when an answer is checked
        return Problem(graph, damping, teleport, leak, arc_totals(graph, threads) if weighted else None)

    problem = asked if run.graph is not graph else asked()
    allowed = tol * graph.n if norm == "max" else tol
    if not graph.n:
        made = PagerankResult(np.empty(0), problem=problem, allowed=allowed, residual=0.0, bound=0.0)
        return made if top is None else with_leaders(made, top)
    if run.max_rounds is None:
        run.max_rounds = MOST_ROUNDS if method == "power" else PARTS_ROUNDS
    if checkpoint is not None and (method != "power" or top is not None):
        raise InvalidArgumentError("checkpoint= is for method='power' without top=; leave these out")
    asked_for = {"teleport": teleport, "first": first, "leak": leak, "weighted": weighted, "by": (damping, tol, norm)}
    run.checkpoint = checkpoint_of(run, checkpoint, **asked_for)
    solved = problem if isinstance(problem, Problem) else _stand_in(run, damping, teleport, leak, weights)
    goal = RankGoal(solved, first if run.mapped is None else run.mapped.sums(first), tol, norm, start is None)
    rounds = run.rounds(goal, rounds_of) if method == "power" else by_components(run, goal, method)
    if top is None:
        kept = rounds if isinstance(rounds, InPlace) else None
        converged = run.enact(rounds.step, kept) and method != "stic-d"
    else:
        converged = until_settled(run, rounds, goal, top, run.max_error)
    ranks = rounds.values()
    values = solved.normalise(ranks if run.mapped is None else run.mapped.shares(ranks))
    residual = cache(lambda: residual_of(asked(), values))  # holds no result, which holds it
    result = PagerankResult(
        values,
        guarantee="exact" if converged else "certified",
        problem=problem,
        allowed=allowed,
        residual=residual,
        bound=lambda: residual() / (1 - damping),
    )
    return result if top is None else with_leaders(result, top)


def with_leaders(result: PagerankResult, k: int) -> PagerankResult:
    """The result, with its first k and what is certain of them."""
    found = leaders(result.values, k, result.bound)
    result.vertices, result.scores = found.vertices, result.values[found.vertices]
    result.set_certain, result.order_certain = found.set_certain, found.order_certain
    return result


def rounds_of(run: Run, goal: RankGoal) -> Any:
    """Rounds in place, or what a policy asks for: over all vertices at once, or over what changed."""
    if run.device != "cpu":
        from nearly.algorithms.pagerank import cuda

        return cuda.rounds_of(run, goal)
    if run.policy == "frontier":
        return Residuals(run, goal)
    visited = any(technique.visits(0) is not None for technique in run.techniques)
    special = run.mapped is not None and run.mapped.special
    return Sweeps(run, goal) if run.policy != "auto" or special or visited else InPlace(run, goal)


def by_components(run: Run, goal: RankGoal, method: str) -> Any:
    """One strongly connected component at a time."""
    from nearly.algorithms.pagerank.components import Components  # it needs more modules than plain rounds

    check_plain(run, f"method={method!r}")
    others = [type(technique).__name__ for technique in run.applied if technique.make_rounds(run, goal) is not None]
    if others:
        raise InvalidArgumentError(f"method={method!r} and {others[0]} make different rounds; use one of them")
    return Components(run, goal, freeze=method == "stic-d")


def check_top(run: Run, method: str, norm: str) -> None:
    """Raise where rounds cannot end when the first vertices are certain."""
    if run.policy != "auto" or run.device != "cpu" or run.applied or method != "power" or norm != "l1":
        raise InvalidArgumentError(
            "top= needs policy='auto', device='cpu', method='power', norm='l1' and no techniques: leave these out"
        )


def check_plain(run: Run, what: str) -> None:
    """Raise where rounds other than the plain ones cannot work: on a GPU, with copies of vertices, or with clusters."""
    if run.device != "cpu":
        raise DeviceUnavailableError(f"pagerank by {what} runs on device='cpu' only")
    if run.mapped is not None and run.mapped.special:
        raise InvalidArgumentError(f"pagerank by {what} knows no copies of vertices and no clusters")


def _stand_in(run: Run, damping: float, teleport: np.ndarray, leak: bool, weights: bool) -> Problem:
    """The problem on the graph that techniques made: a vertex is jumped to as often as those it stands for."""
    if run.map.place is not None:
        teleport = run.map.sums(np.broadcast_to(teleport, run.given.n))
    totals = arc_totals(run.graph, run.threads) if run_uses_weights(run, weights) else None
    return Problem(run.graph, damping, teleport, leak, totals, run.map.copies)
