"""Katz centrality (Katz, "A new status index", 1953): all walks that lead to a vertex, each step at a discount.

Returns x with x[v] = beta[v] + alpha * (sum over in-arcs u -> v of weight times x[u]), divided by its norm unless told
otherwise, as NetworkX does. By default alpha is 0.85 over the largest weight of a vertex's in-arcs together, which
always converges; an alpha of one over the largest eigenvalue, or more, does not, and is an error.
Method: rounds x -> F(x) = beta + M x from x = beta, M being alpha times the transposed adjacency matrix.

Every answer has a proof of its error. M has no negative entries, so that if for some y > 0 the slack y - M y is above
0 everywhere, then (I - M) has an inverse without negative entries, and |F(x) - x| <= eps (y - M y) everywhere gives
|x - x*| <= eps y everywhere. Where beta is above 0 everywhere, y = x does: its slack is nearly beta. Else y are
rough scores for beta = 1. One sweep thus proves the bound, for every alpha that converges, where the plain bound
residual / (1 - alpha ||A||) holds for small ones only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nearly.accuracy.judges import SCORES
from nearly.algorithms.shared.arc_sums import ArcSums, arc_sums
from nearly.algorithms.shared.dominant import norm
from nearly.algorithms.shared.weights import forbid_extremes, forbid_negative, uses_weights
from nearly.base.arguments import distribution, flag, is_number, number
from nearly.base.errors import InvalidArgumentError
from nearly.base.threads import kernel_threads
from nearly.engine.algorithm import algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

MOST_ROUNDS = 1000
DISCOUNT = 0.85  # alpha times the largest weight of a vertex's in-arcs together, where nothing is said
ROUNDS = 15  # expected, for the planner
ENOUGH = 0.1  # of slack where beta = 1
_ENORMOUS, _ROUNDING = 1e150, 1e-13


@dataclass
class KatzProblem:
    """What is asked for, and what the proof needs."""

    alpha: float
    beta: np.ndarray  # one element where it is the same everywhere
    weighted: bool
    normalized: bool
    y: np.ndarray | None = None  # with a slack above 0; None for the scores themselves

    def proven(self, matrix: ArcSums, x: np.ndarray, image: np.ndarray) -> tuple[float, np.ndarray]:
        """The eps, infinite where nothing is proven, and the y, for which |x - x*| <= eps y; `image` is M x."""
        residual = np.abs(image + self.beta - x)
        y, slack = x, x - image
        if self.y is not None:
            y = self.y
            slack = y - self.alpha * matrix.into(y)
        least = float(slack.min(initial=np.inf))
        if not (least > 0 and (y > 0).all()):
            return np.inf, y
        return float((residual / slack).max(initial=0.0)), y

    def bound(self, eps: float, x: np.ndarray, y: np.ndarray) -> float:
        """A bound on the norm of the errors of the scores that are returned."""
        if not np.isfinite(eps):
            return np.inf
        off = eps * norm(y)
        return off if not self.normalized else min(2 * off / norm(x), 2.0) if off else 0.0


class KatzResult(Result):
    """Katz centralities, and a bound on their error."""

    values: np.ndarray = field(
        "the centrality of each vertex, float64; their squares sum to 1 if normalized", column="katz"
    )
    alpha: float = field("the discount of a step")
    bound: float = field("a bound on the norm of the scores' errors together")
    tol: float = field("the share of itself that each score may be off to count as converged")
    size: float = field("what the values were divided by")
    problem: KatzProblem = field("what was asked for, as the certificate needs it")


def certificate(graph: Graph, result: KatzResult) -> Certificate:
    """One sweep proves the error: if |F(x) - x| <= eps (y - M y) everywhere, then |x - x*| <= eps y."""
    problem, x = result.problem, np.ascontiguousarray(result.values, np.float64) * result.size
    if not graph.n:
        return Certificate(x.size == 0, "there is nothing to check", 0.0)
    fine = not problem.normalized or abs(norm(result.values) - 1) <= 1e-9
    with kernel_threads(work=graph.m + graph.n) as threads:
        matrix = arc_sums(graph, threads, problem.weighted)
        eps, y = problem.proven(matrix, x, problem.alpha * matrix.into(x))
    bound = problem.bound(eps, x, y)
    if result.guarantee == "exact":
        return Certificate(fine and eps <= result.tol, f"no score is off by more than {result.tol:g} of itself", bound)
    if result.guarantee == "heuristic":
        return Certificate(fine and bool(np.isfinite(x).all()), "the scores are finite; nothing bounds their error")
    ok = fine and bound <= result.bound * (1 + 1e-6) + _ROUNDING
    return Certificate(ok, f"the norm of the errors is at most {result.bound:g}", bound)


def work(graph: Graph, arguments: dict[str, Any]) -> float:
    """The visits of an exact run, roughly."""
    return ROUNDS * (graph.m + graph.n)


@algorithm(
    memory=Needs(vertex=128, reverse=True),
    certificate=certificate,
    judge=SCORES,
    measures="amounts",
    combines="sum",
    work=work,
)
def katz(
    run: Run,
    *,
    alpha: float | None = None,
    beta: Any = 1.0,
    normalized: bool = True,
    tol: float = 1e-10,
    weights: bool = True,
) -> KatzResult:
    """Katz centrality: all walks that lead to a vertex, each step at a discount of alpha.

    Stops after 1,000 rounds unless `max_rounds` says otherwise; the guarantee of a result that has not converged by
    then is "certified", with its `.bound`. With `max_error`, the norm of all errors together is at most that, for sure.

    Parameters
    ----------
    alpha : float, optional
        The discount of a step, below one over the largest eigenvalue; by default 0.85 over the largest weight of a
        vertex's in-arcs together.
    beta : float, array of n numbers or {vertex: number}
        What a vertex counts by itself.
    normalized : bool
        Whether the scores are divided by their norm, so that their squares sum to 1.
    tol : float
        Stop when no score is off by more than this share of itself (of the score for beta = 1 where beta is 0).
    weights : bool
        Whether arcs count by their weights, if the graph has any.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3])
    >>> nearly.katz(g, alpha=0.5, normalized=False).values.round(3).tolist()
    [2.0, 2.0, 2.0, 2.0]
    """
    tol, graph = number("tol", tol, 0, above=True), run.graph
    weighted = uses_weights(graph, weights)
    if weighted:
        forbid_negative(graph, "katz", "count arcs")
        forbid_extremes(graph)
    own, matrix = checked_beta(beta, graph.n), ArcSums(run, graph, weighted)
    if alpha is not None:
        alpha = number("alpha", alpha, 0)
    elif graph.n:
        alpha = DISCOUNT / (float(matrix.into(np.ones(graph.n)).max()) or 1.0)
    problem = KatzProblem(alpha or 0.0, own, weighted, flag("normalized", normalized))
    told: dict[str, Any] = {"alpha": problem.alpha, "tol": tol, "problem": problem}
    if not graph.n:
        return KatzResult(np.empty(0), bound=0.0, size=1.0, **told)
    endless = run.max_rounds is None
    run.max_rounds = MOST_ROUNDS if run.max_rounds is None else run.max_rounds
    if not (own > 0).all():
        problem.y = with_slack(matrix, problem.alpha)
    rounds = Rounds(run, matrix, problem, tol)
    converged = run.enact(rounds.step) and rounds.eps <= tol / 2
    if not rounds.done:
        rounds.prove()  # the last round's own error is smaller than that of what it began with
    if rounds.eps == np.inf and endless and not run.techniques:
        raise rounds.too_large()
    x = rounds.x
    size = norm(x) if problem.normalized else 1.0
    bound = problem.bound(rounds.eps, x, x if problem.y is None else problem.y)
    word = "exact" if converged else "certified" if np.isfinite(bound) else "heuristic"
    return KatzResult(x / size, guarantee=word, bound=bound, size=size, **told)


class Rounds:
    """Rounds x -> F(x), each of which proves the error of what it began with."""

    def __init__(self, run: Run, matrix: ArcSums, problem: KatzProblem, tol: float) -> None:
        self.run, self.matrix, self.problem, self.tol = run, matrix, problem, tol
        self.x = np.full(matrix.graph.n, 1.0) * problem.beta
        self.eps, self.growth, self.done = np.inf, 0.0, False

    def prove(self) -> tuple[np.ndarray, np.ndarray]:
        """Find the error of the scores by one sweep; returns M x and y."""
        image = self.problem.alpha * self.matrix.into(self.x)
        self.eps, y = self.problem.proven(self.matrix, self.x, image)
        return image, y

    def step(self) -> list[Did] | None:
        if self.done:
            return None
        image, y = self.prove()
        following = image + self.problem.beta
        change, largest = float(np.abs(following - self.x).max()), float(following.max())
        allowed = self.run.max_error
        near = allowed is not None and self.problem.bound(self.eps, self.x, y) <= allowed
        if near or self.eps <= self.tol / 2 or change <= 2e-16 * largest:  # no closer by rounding
            self.done = True
        else:
            self.growth = norm(following) / norm(self.x)
            self.x = following
            if largest > _ENORMOUS:
                raise self.too_large()
        return [Did(self.x.size, self.matrix.graph.m, extra={"change": change})]

    def too_large(self) -> InvalidArgumentError:
        """The error that says what alpha may be."""
        about = self.problem.alpha / self.growth if self.growth else 0.0
        return InvalidArgumentError(
            f"katz does not converge with alpha={self.problem.alpha:g}: it must be below one over the largest "
            f"eigenvalue, about {about:.3g} here; leave alpha out for one that converges"
        )


def with_slack(matrix: ArcSums, alpha: float) -> np.ndarray:
    """Some y > 0 with y - M y above 0: rough scores for beta = 1; just 1 where that is not found soon."""
    y = np.ones(matrix.graph.n)
    for _ in range(MOST_ROUNDS):
        image = alpha * matrix.into(y)
        if float((y - image).min()) > ENOUGH:
            return y
        y = image + 1.0
        if not float(y.max()) < _ENORMOUS:
            break
    return np.ones(matrix.graph.n)


def checked_beta(beta: Any, n: int) -> np.ndarray:
    """What vertices count by themselves: n numbers, or one for all."""
    if isinstance(beta, Mapping) or not is_number(beta):
        return distribution("beta", beta, n, normalise=False)
    return np.array([number("beta", beta, 0, above=True)])
