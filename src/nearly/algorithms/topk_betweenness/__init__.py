"""Top-k betweenness: the k vertices that most shortest paths lead through, and how far to believe it.

Returns `.vertices` and `.scores`, greatest first, scaled as NetworkX scales betweenness; `.values` holds the scores of
all vertices. `.history` has a row per batch with the k vertices that led after it, `.trace` tells how stable they were,
`.stopped` what ended the search. Ctrl-C ends it too: the best so far is returned, `.interrupted` is set.
Method `brandes` is ParTBC: Brandes' passes from sources in some order, until a rule says stop (or all are used).
Method `sampling` draws random pairs of vertices until every value is within `error` of the true one, with probability
`confidence` over the draws; `.lower` and `.upper` bound every value, `.certain` tells which of the k surely belong.

Guarantee: all sources give `exact` values. Sources in random order give an `estimated` value, whose error
`certificate()` bounds: their sums are scaled as if all sources had been used. Other orders are biased, and scaling
would only hide that: their values are what the used sources alone contribute, so no value is above the exact one. But
nothing is known about the vertices that were left out, so such a top k is `heuristic`. Sampled pairs are
`statistical`: their `.bound` holds with probability `.confidence`. With `max_error=` or `max_seconds=` the k scores are
within a relative error, and the set is right up to it; see `nearly.budget.estimators.topk_betweenness`.
"""

from __future__ import annotations

import os
from typing import Literal

from nearly.accuracy.judges import LEADERS
from nearly.algorithms.betweenness import checked_weights, work
from nearly.algorithms.betweenness.sources import memory_of_sums
from nearly.algorithms.topk_betweenness.by_paths import by_paths
from nearly.algorithms.topk_betweenness.by_sources import Sourcing, by_sources
from nearly.algorithms.topk_betweenness.certificate import certificate
from nearly.algorithms.topk_betweenness.order import ORDERS
from nearly.algorithms.topk_betweenness.search import TopkResult
from nearly.algorithms.topk_betweenness.stop import Stop
from nearly.base.arguments import choice, flag, number, shown, whole_number
from nearly.base.errors import InvalidArgumentError
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.checkpoint import checkpoint_of
from nearly.engine.needs import Needs
from nearly.engine.run import Run

METHODS = ("brandes", "sampling")
_LEAST_ERROR = 1e-4


@algorithm(
    memory=Needs(vertex=32, thread=108, reverse=True, more=memory_of_sums),
    policies=ONE_POLICY,
    certificate=certificate,
    judge=LEADERS,
    direct=True,
    all_sources=True,
    work=work,
)
def topk_betweenness(  # noqa: PLR0913
    run: Run,
    k: int = 10,
    *,
    order: Literal["dynrr", "dyn", "rrr", "random", "ascending", "descending"] = "dynrr",
    stop: float | str | None = None,
    method: Literal["brandes", "sampling"] = "brandes",
    error: float = 0.01,
    weights: bool = False,
    renumber: bool | Literal["auto"] = "auto",
    batch: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> TopkResult:
    """The k vertices of greatest betweenness.

    Parameters
    ----------
    k : int
        How many vertices.
    order : {"dynrr", "dyn", "rrr", "random", "ascending", "descending"}
        In which order sources are tried: by out-degree (ascending, descending), at random, in turn from classes of
        degrees (rrr), least score first (dyn), or from both ends of the degrees, then least score first (dynrr).
    stop : float or str, optional
        None for all sources or the full error; a share of the sources; or rules such as stable=0.95, seconds=60,
        separated (sampling only); with a comma the first that holds counts, with a plus both must hold.
    method : {"brandes", "sampling"}
        From source to source, or random pairs of vertices until the error is reached.
    error : float
        How far sampled values may be off, as a share of all pairs, with probability `confidence`.
    weights : bool
        Whether paths are measured by the graph's weights, which must be above 0.
    renumber : bool or "auto"
        Whether vertices are renumbered first: where that makes searches faster ("auto"), always in the order of a
        breadth-first forest (True), or never (brandes only).
    batch : int, optional
        How many sources are chosen at a time (brandes only). With 1, orders by score choose every source by the scores
        of all sources before it; by default as many as take some tenths of a second.
    checkpoint : str or os.PathLike, optional
        A file where the sums so far are kept; a call that finds it goes on from there (brandes only).

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2, 2], [1, 2, 3, 4], directed=False)
    >>> r = nearly.topk_betweenness(g, k=2)
    >>> r.vertices.tolist(), r.scores.round(3).tolist(), r.guarantee
    ([2, 1], [0.833, 0.5], 'exact')
    """
    k = min(whole_number("k", k), run.graph.n)
    choice("order", order, ORDERS)
    choice("method", method, METHODS)
    error = number("error", error, _LEAST_ERROR, 0.5)
    number("confidence", run.confidence, 0.5, 1 - 1e-9)
    flag("weights", weights)
    batch = whole_number("batch", batch, or_none=True)
    if not (isinstance(renumber, bool) or (isinstance(renumber, str) and renumber == "auto")):
        raise InvalidArgumentError(f"renumber must be True or False, or 'auto'; not {shown(renumber)}")
    rule, n = Stop(stop, method), run.graph.n
    weighted = checked_weights(run, weights)
    if checkpoint is not None and method == "sampling":
        raise InvalidArgumentError("checkpoint= is for method='brandes'; samples are drawn again by their seed")
    asked = {"k": k, "order": order, "stop": repr(stop), "weighted": weighted, "renumber": renumber, "batch": batch}
    run.checkpoint = checkpoint_of(run, checkpoint, **asked)
    if method == "sampling" and n > 2:  # with fewer vertices none can be between two others
        return by_paths(run, k, rule, error, weighted)
    return by_sources(run, k, order, rule, weighted, Sourcing(renumber, batch))
