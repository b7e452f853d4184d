"""HITS (Kleinberg, "Authoritative sources in a hyperlinked environment", 1999): hubs point to authorities.

A vertex is a good authority if good hubs point to it, and a good hub if it points to good authorities. Returns
`.authorities` (also `.values`) and `.hubs`, each without negative numbers and of sum 1: the dominant singular vectors
of the adjacency matrix A, as NetworkX has them. Authorities are the dominant eigenvector of A^T A, found by
`shared.dominant` with two sweeps a round; hubs are A times the authorities. Where several vectors belong to the largest
singular value, the authorities are those to which rounds lead that begin with the same number everywhere. A graph
without arcs has equal numbers.

The certificate multiplies twice and checks ||A^T A x - eigenvalue x|| against `tol` times the eigenvalue, for x of norm
1, and that the hubs are A x. How far that is from the right vectors depends on the gap to the next eigenvalue, which
nothing computes for certain: `.residual / .gap` is an estimate of that distance, no bound.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.accuracy.judges import SCORES
from nearly.algorithms.eigenvector import MOST_ROUNDS, ROUNDS, rounds, word
from nearly.algorithms.shared.arc_sums import ArcSums, arc_sums
from nearly.algorithms.shared.dominant import KEPT, Dominant, norm
from nearly.algorithms.shared.weights import forbid_extremes, forbid_negative, uses_weights
from nearly.base.arguments import number
from nearly.base.threads import kernel_threads
from nearly.engine.algorithm import algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph

_ROUNDING = 1e-13


class HitsResult(Result):
    """Hubs and authorities, and how nearly they are singular vectors."""

    values: np.ndarray = field("how much of an authority each vertex is, float64; they sum to 1", column="authority")
    authorities: np.ndarray = field("the values", lambda result: result.values)
    hubs: np.ndarray = field("how much of a hub each vertex is, float64; they sum to 1", column="hub")
    eigenvalue: float = field("the largest eigenvalue of A^T A, the square of the largest singular value of A")
    residual: float = field("the norm of A^T A x - eigenvalue x, where x are the authorities with norm 1")
    gap: float = field("how far the next eigenvalue seems to be, at most")
    tol: float = field("the residual, as a share of the eigenvalue, that counts as converged")
    weighted: bool = field("whether arcs count by their weights")


def certificate(graph: Graph, result: HitsResult) -> Certificate:
    """Both sum to 1, none is negative, hubs are A times authorities, and these are nearly an eigenvector of A^T A."""
    x = np.ascontiguousarray(result.values, np.float64)
    if not graph.n:
        return Certificate(x.size == 0, "there is nothing to check")
    if not (x >= 0).all() or abs(x.sum() - 1) > 1e-9:
        return Certificate(False, "the authorities are not negative and sum to 1")
    x = x / norm(x)
    with kernel_threads(work=graph.m + graph.n) as threads:
        matrix = arc_sums(graph, threads, result.weighted)
        out = matrix.out_of(x)
        w = matrix.into(out)
    told = result.tol * result.eigenvalue if result.guarantee == "exact" else result.residual * (1 + 1e-6)
    fine = norm(w - result.eigenvalue * x) <= told + _ROUNDING * float(w.max(initial=0.0))
    fine = fine and np.allclose(result.hubs, summing_to_one(out), rtol=1e-6, atol=1e-12)
    return Certificate(bool(fine), f"||A^T A x - {result.eigenvalue:.9g} x|| is at most {told:g}, and hubs are A x")


def summing_to_one(x: np.ndarray) -> np.ndarray:
    """x divided by its sum; equal numbers where that is 0."""
    total = float(x.sum())
    return x / total if total > 0 else np.full(x.size, 1 / max(x.size, 1))


def work(graph: Graph, arguments: dict[str, Any]) -> float:
    """The visits of an exact run, roughly."""
    return ROUNDS * (2 * graph.m + KEPT * graph.n)


@algorithm(
    memory=Needs(vertex=200, reverse=True),
    certificate=certificate,
    judge=SCORES,
    measures="amounts",
    combines="sum",
    work=work,
)
def hits(run: Run, *, tol: float = 1e-10, weights: bool = True) -> HitsResult:
    """Hubs and authorities (HITS): `.authorities` are pointed to by good hubs, `.hubs` point to good authorities.

    Stops after 1,000 rounds unless `max_rounds` says otherwise; the guarantee of a result that has not converged by
    then is "heuristic". With `max_error`, the norm of the authorities' errors is to be at most that share of the
    norm of the authorities, by an estimate from the gap between eigenvalues (`allow="estimated"`).

    Parameters
    ----------
    tol : float
        Stop when the residual is at most this share of the eigenvalue.
    weights : bool
        Whether arcs count by their weights, if the graph has any.

    Examples
    --------
    >>> import nearly
    >>> r = nearly.hits(nearly.Graph.from_edges([0, 0, 1, 3], [1, 2, 2, 2]))
    >>> r.authorities.round(3).tolist(), r.hubs.round(3).tolist()
    ([0.0, 0.293, 0.707, 0.0], [0.414, 0.293, 0.0, 0.293])
    """
    tol, graph = number("tol", tol, 0, above=True), run.graph
    weighted = uses_weights(graph, weights)
    if weighted:
        forbid_negative(graph, "hits", "count arcs")
        forbid_extremes(graph)
    told: dict[str, Any] = {"tol": tol, "weighted": weighted}
    if not graph.n:
        return HitsResult(np.empty(0), hubs=np.empty(0), eigenvalue=0.0, residual=0.0, gap=0.0, **told)
    if run.max_rounds is None:
        run.max_rounds = MOST_ROUNDS
    matrix = ArcSums(run, graph, weighted)
    search = Dominant(lambda x: matrix.into(matrix.out_of(x)), graph.n, symmetric=True)
    converged = run.enact(rounds(run, search, tol, 2 * graph.m))
    x = search.vector()
    out = matrix.out_of(x)
    image, value = matrix.into(out), float(np.einsum("n,n->", out, out))
    residual = norm(image - value * x)
    return HitsResult(
        summing_to_one(x),
        guarantee=word(run, converged, residual <= (tol + _ROUNDING) * value),
        hubs=summing_to_one(out),
        eigenvalue=value,
        residual=residual,
        gap=search.gap,
        **told,
    )
