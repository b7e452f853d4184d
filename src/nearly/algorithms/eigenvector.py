"""Eigenvector centrality: a vertex counts as much as those whose arcs lead to it, together.

Returns x, of norm 1 and without negative numbers, with (sum over in-arcs u -> v of weight times x[u]) = `.eigenvalue`
times x[v]; the eigenvalue is the largest one. It is what NetworkX's power iteration goes to, by fewer rounds (see
`shared.dominant`). Where several vectors belong to the eigenvalue, as in a graph of equal components, it is the one to
which rounds lead that begin with the same number everywhere.
In a directed graph without cycles all eigenvalues are 0; rounds then leave the vertices at the end of the longest
paths, each with the number (weight) of these paths, and so does the answer.

The certificate multiplies once and checks ||A x - eigenvalue x|| against `tol` times the eigenvalue: x is the
eigenvector of a matrix that is so close to the graph's. How far x is from the graph's own eigenvector depends on the
gap to the next eigenvalue, which nothing computes for certain: `.residual / .gap` is an estimate of that distance, no
bound.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.accuracy.judges import SCORES
from nearly.algorithms.shared.arc_sums import ArcSums, arc_sums
from nearly.algorithms.shared.dominant import KEPT, Dominant, norm
from nearly.algorithms.shared.weights import forbid_extremes, forbid_negative, uses_weights
from nearly.base.arguments import number
from nearly.base.jit import kernel
from nearly.base.threads import kernel_threads
from nearly.base.unsigned import U0, U1
from nearly.engine.algorithm import algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph

MOST_ROUNDS = 1000
ROUNDS = 20  # expected, for the planner
_ROUNDING = 1e-13


class EigenvectorResult(Result):
    """Eigenvector centralities, and how nearly they are an eigenvector."""

    values: np.ndarray = field("the centrality of each vertex, float64; their squares sum to 1", column="centrality")
    eigenvalue: float = field("the largest eigenvalue")
    residual: float = field("the norm of A x - eigenvalue x")
    gap: float = field("how far the next eigenvalue seems to be, at most")
    tol: float = field("the residual, as a share of the eigenvalue, that counts as converged")
    weighted: bool = field("whether arcs count by their weights")


def certificate(graph: Graph, result: EigenvectorResult) -> Certificate:
    """The values have norm 1, none is negative, and one product leaves them as they are, but for a factor."""
    x = np.ascontiguousarray(result.values, np.float64)
    if not graph.n:
        return Certificate(x.size == 0, "there is nothing to check")
    fine = bool((x >= 0).all()) and abs(norm(x) - 1) <= 1e-9
    with kernel_threads(work=graph.m + graph.n) as threads:
        w = arc_sums(graph, threads, result.weighted).into(x)
    residual, size = norm(w - result.eigenvalue * x), float(np.abs(w).max(initial=0.0))
    if result.guarantee == "exact":
        allowed = result.tol * result.eigenvalue + _ROUNDING * size
        claim = (
            f"||A x - {result.eigenvalue:.9g} x|| is at most {result.tol:g} of the eigenvalue, and x is not negative"
        )
        return Certificate(fine and residual <= allowed, claim)
    allowed = result.residual * (1 + 1e-6) + _ROUNDING * size
    return Certificate(fine and residual <= allowed, f"||A x - {result.eigenvalue:.9g} x|| is {result.residual:g}")


def work(graph: Graph, arguments: dict[str, Any]) -> float:
    """The visits of an exact run, roughly."""
    return ROUNDS * (graph.m + KEPT * graph.n)


@algorithm(
    memory=Needs(vertex=200, reverse=True),
    certificate=certificate,
    judge=SCORES,
    measures="amounts",
    combines="sum",
    work=work,
)
def eigenvector(run: Run, *, tol: float = 1e-10, weights: bool = True) -> EigenvectorResult:
    """Eigenvector centrality: a vertex counts as much as those whose arcs lead to it, together.

    Stops after 1,000 rounds unless `max_rounds` says otherwise; the guarantee of a result that has not converged by
    then is "heuristic". With `max_error`, the norm of all errors together is to be at most that, by an estimate from
    the gap between eigenvalues (`allow="estimated"`).

    Parameters
    ----------
    tol : float
        Stop when the residual is at most this share of the eigenvalue.
    weights : bool
        Whether arcs count by their weights, if the graph has any.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], directed=False)
    >>> r = nearly.eigenvector(g)
    >>> r.values.round(3).tolist(), round(r.eigenvalue, 3)
    ([0.523, 0.523, 0.612, 0.282], 2.17)
    """
    tol, graph = number("tol", tol, 0, above=True), run.graph
    weighted = uses_weights(graph, weights)
    if weighted:
        forbid_negative(graph, "eigenvector", "count arcs")
        forbid_extremes(graph)
    if not graph.n:
        return EigenvectorResult(np.empty(0), eigenvalue=0.0, residual=0.0, gap=0.0, tol=tol, weighted=weighted)
    if run.max_rounds is None:
        run.max_rounds = MOST_ROUNDS
    matrix = ArcSums(run, graph, weighted)
    if graph.directed and has_no_cycle(*graph.arrays, weighted):
        x, converged = end_of_paths(run, matrix)
        gap = 0.0
    else:
        search = Dominant(matrix.into, graph.n, not graph.directed)
        converged = run.enact(rounds(run, search, tol, graph.m))
        x, gap = search.vector(), search.gap
    image = matrix.into(x)
    value = float(np.einsum("n,n->", x, image))
    residual = norm(image - value * x)
    return EigenvectorResult(
        x,
        guarantee=word(run, converged, residual <= (tol + _ROUNDING) * value),
        eigenvalue=value,
        residual=residual,
        gap=gap,
        tol=tol,
        weighted=weighted,
    )


def rounds(run: Run, search: Dominant, tol: float, arcs: int) -> Any:
    """The step of a run that searches for the dominant eigenvector, to the tolerance, or to the error of a budget."""
    done = False

    def step() -> list[Did] | None:
        nonlocal done
        if done:
            return None
        search.expand()
        done = search.aim(tol) or near_enough(run, search)
        return [Did(search.basis.shape[1], arcs, extra={"residual": search.estimate})]

    return step


def near_enough(run: Run, search: Dominant) -> bool:
    """Whether the estimated distance from the eigenvector is within the budget's error."""
    return run.max_error is not None and search.size > 3 and search.estimate <= run.max_error * search.gap


def word(run: Run, ended: bool, small: bool) -> str:
    """The guarantee of rounds that ended by themselves or not, and of a residual that is small enough or not."""
    if ended and small:
        return "exact"
    return "estimated" if ended and run.max_error is not None else "heuristic"


def end_of_paths(run: Run, matrix: ArcSums) -> tuple[np.ndarray, bool]:
    """Without cycles: the last product that is not 0, and whether it was reached."""
    x = np.full(matrix.graph.n, 1 / np.sqrt(matrix.graph.n))

    def step() -> list[Did] | None:
        nonlocal x
        following = matrix.into(x)
        length = norm(following)
        if length == 0.0:
            return None
        x = following / length
        return [Did(x.size, matrix.graph.m)]

    finished = run.enact(step)
    return x, finished


@kernel
def has_no_cycle(offsets, targets, weights, weighted):
    """Whether arcs (of weight above 0) form no cycle: vertices without an in-arc are taken away until none is left."""
    n = np.uint64(offsets.size - 1)
    entering, stack = np.zeros(n, np.uint64), np.empty(n, np.uint64)
    for e in range(np.uint64(targets.size)):
        if not weighted or weights[e] > 0:
            entering[targets[e]] += U1
    fill, gone = U0, U0
    for v in range(n):
        if entering[v] == U0:
            stack[fill] = v
            fill += U1
    while fill > U0:
        fill -= U1
        gone += U1
        u = stack[fill]
        for e in range(offsets[u], offsets[u + U1]):
            if not weighted or weights[e] > 0:
                v = np.uint64(targets[e])
                entering[v] -= U1
                if entering[v] == U0:
                    stack[fill] = v
                    fill += U1
    return gone == n
