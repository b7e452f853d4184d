"""Communities by Leiden's method (Traag, Waltman and van Eck, "From Louvain to Leiden", 2019): each is connected.

The phases are those of `louvain`, with the refinement between them on: vertices that are alone again merge inside the
communities found, and these parts are the vertices of the next graph. At the end a community that is not connected is
split, which never lowers modularity. The results have the same fields. The certificate computes modularity again
and checks that every community is connected, whatever the result says of itself.

What is promised is that every community is connected, and what the refinement promises of parts: a vertex joined a part
only if both were well connected with their community (see `louvain.refine`) and modularity rose. So a part is itself
well connected as Traag et al. define it (gamma-connected). A climb goes on until communities are single parts, so
nearly all communities are well connected at the end; but one inside of which nothing merges any more (its members were
held together by vertices that have left) stays as it is, and what rounds move after the last refinement is not refined
again. So well-connectedness of communities is usual, not promised.
"""

from __future__ import annotations

from nearly.accuracy.judges import COMMUNITIES
from nearly.algorithms.louvain import LouvainResult
from nearly.algorithms.louvain import certificate as checked
from nearly.algorithms.louvain.advice import Patience, Thresholds, TurnOrder
from nearly.engine.algorithm import ALGORITHMS, ONE_POLICY, algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result
from nearly.engine.run import Run
from nearly.graph.csr import Graph


class LeidenResult(LouvainResult):
    """Communities, each connected, and how good they are."""


def certificate(graph: Graph, result: LeidenResult) -> Certificate:
    """Labels are the smallest members, modularity is what is claimed, and every community is connected."""
    result.refined = True
    return checked(graph, result)


@algorithm(
    memory=Needs(vertex=168, arc=26, weight=8, thread=56),
    policies=ONE_POLICY, certificate=certificate, judge=COMMUNITIES, undirected=True, measures="amounts",
    listens=(Patience, TurnOrder, Thresholds),
)  # fmt: skip
def leiden(run: Run, *, resolution: float = 1.0, weights: bool = True, tol: float = 1e-6) -> LeidenResult:
    """Connected communities of high modularity by Leiden's method; `.modularity`, `.hierarchy`, `.count`, `.phases`.

    Parameters
    ----------
    resolution : float
        Above 1 favours small communities, below 1 large ones.
    weights : bool
        False counts every edge once, as it does on a graph without weights.
    tol : float
        A round, or a phase, that gains no more in modularity is the last.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 0, 1, 3, 3, 4, 2], [1, 2, 2, 4, 5, 5, 3], directed=False)
    >>> r = nearly.leiden(g)
    >>> r.values.tolist(), round(r.modularity, 4)
    ([0, 0, 0, 3, 3, 3], 0.3571)
    """
    found = ALGORITHMS.get("louvain").body(run, resolution=resolution, weights=weights, tol=tol, refine=True)
    own = {name: found.__dict__[name] for name in LouvainResult.fields if name not in Result.fields}
    return LeidenResult(found.values, guarantee=found.guarantee, **own)
