"""`estimate`: what the real rounds of an algorithm would cost on a GPU, by counting, on any machine.

The algorithm runs here, and its rounds are recorded (`nearly.engine.recording`). Each is then laid out on a device as
its policy would lay it out (a thread a vertex, a thread a virtual node, a block or a launch for a heavy vertex),
counted (`warp_counts`) and made seconds of (`round_costs`). Atomics are one for each vertex that changed, the least
there can be. Everything here is modelled, and says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from nearly.base.arguments import choice
from nearly.base.errors import InvalidArgumentError
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.recording import Expanded, recorded
from nearly.graph.csr import Graph
from nearly.model.modelled_devices import K40C, Device, device_of
from nearly.model.round_costs import POLICIES, PROFILES, Counter, Layout


@dataclass(frozen=True)
class Estimate:
    """The modelled cost of one run: all of it counted or modelled, nothing measured on a GPU.

    Attributes
    ----------
    algorithm, technique, policy, device : str
        What was modelled; `technique` is "exact" or a specification.
    rounds, edges : int
        How many rounds the algorithm took, and how many edges it visited.
    requests : int
        How often a warp asked for memory.
    transactions : dict of str to int
        Memory transactions by array: "offsets", "targets", "weights", "values".
    simd_efficiency : float
        The share of the lanes that had an edge, over all steps; 1 is no divergence at all.
    shared_hits : int
        Values that came from shared memory.
    atomics : int
        Atomic writes, the least there can be.
    children : int
        Launches by threads of the device (policy "dynamic").
    seconds : float
        Modelled seconds.
    modelled : bool
        Always True.
    per_round : list of dict
        The counts and the seconds of each round.
    """

    algorithm: str
    technique: str
    policy: str
    device: str
    rounds: int
    edges: int
    requests: int
    transactions: dict[str, int]
    simd_efficiency: float
    shared_hits: int
    atomics: int
    children: int
    seconds: float
    modelled: bool = True
    per_round: list[dict[str, float]] = field(default_factory=list, repr=False)

    @property
    def total_transactions(self) -> int:
        """Memory transactions of all arrays together."""
        return sum(self.transactions.values())

    @property
    def transactions_per_request(self) -> float:
        """From 1, perfectly coalesced, to the size of a warp, not coalesced at all."""
        return self.total_transactions / self.requests if self.requests else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Everything but the rounds, for JSON."""
        known = {name: value for name, value in asdict(self).items() if name != "per_round"}
        known["total_transactions"] = self.total_transactions
        known["transactions_per_request"] = self.transactions_per_request
        return known


def estimate(
    graph: Graph,
    algorithm: str,
    approx: Any = None,
    *,
    policy: str = "topology",
    device: Device | str = K40C,
    threshold: int | None = None,
    strided: bool = False,
    **parameters: Any,
) -> Estimate:
    """Model a run of an algorithm on a GPU.

    Parameters
    ----------
    graph : Graph
        The graph.
    algorithm : str
        The name of an algorithm; those that can be modelled are the keys of `PROFILES`.
    approx : Technique, str or list of these, optional
        A technique or several, as every algorithm takes them.
    policy : {"topology", "frontier", "split", "heavy-light", "dynamic"}, default "topology"
        How rows are given to threads. "dynamic" goes over all rows as "topology" does, but a thread launches a kernel
        for a row above the threshold; that cannot be run here, only modelled.
    device : {"k40c", "a100", "k20c", "c2070"} or Device, default "k40c"
        The device to model.
    threshold : int, optional
        The most edges of a virtual node (split), or of a row that is not given to a whole block (heavy-light) or to a
        launch of its own (dynamic).
    strided : bool, default False
        Whether the p virtual nodes of a row (split) take every p-th of its edges, so that neighbouring threads read
        neighbouring edges, or stretches of it.
    **parameters : object
        What the algorithm takes. If it needs a source and none is given, it is the vertex of highest out-degree.

    Returns
    -------
    Estimate
        The modelled `seconds` and the counts they come from: `rounds`, `edges`, `requests`, `transactions`,
        `simd_efficiency`, `shared_hits`, `atomics`, `children`, and `per_round`.

    Examples
    --------
    >>> import nearly
    >>> ring = nearly.Graph.from_edges(range(64), [*range(1, 64), 0])
    >>> e = nearly.model.estimate(ring, "pagerank", max_rounds=1)
    >>> e.simd_efficiency, e.modelled
    (1.0, True)
    """
    entry, chosen = ALGORITHMS.get(algorithm), device_of(device)
    if entry.name not in PROFILES:
        raise InvalidArgumentError(f"there is no model of {entry.name}; there is of {', '.join(PROFILES)}")
    choice("policy", policy, POLICIES)
    if policy == "dynamic" and chosen.child == math.inf:
        raise InvalidArgumentError(f"kernels of {chosen.name} cannot launch others; use another policy or device")
    if strided and policy != "split":
        raise InvalidArgumentError(f"strided is for the virtual nodes of policy 'split', not for {policy!r}")
    parameters = with_defaults(graph, entry.parameters, parameters)
    applied = entry.apply(approx, graph, weights=parameters.get("weights"))
    profile = PROFILES[entry.name]
    with recorded() as rounds:
        runs_as = "topology" if profile.sweeps or policy == "dynamic" else policy
        result = entry.function(graph, approx=applied, policy=runs_as, threshold=threshold, **parameters)
    if profile.sweeps:
        rounds = [Expanded(applied.map.graph.reverse, None)] * result.rounds
    if profile.twice:
        rounds = [*rounds, *reversed(rounds)]
    counted = Counter(applied.map, profile, Layout(policy, threshold, strided), chosen)
    table = [counted.round(each) for each in rounds]
    technique = "+".join(t.spec for t in applied.techniques) or "exact"
    return summed(entry.name, technique, policy, chosen, table)


def with_defaults(graph: Graph, known: Iterable[str], given: dict[str, Any]) -> dict[str, Any]:
    """The algorithm's parameters, with one source if it needs any and none is given."""
    named = dict(given)
    if "source" in known and "source" not in named:
        named["source"] = int(np.argmax(graph.out_degrees)) if graph.n else 0
    if "sources" in known and "sources" not in named and graph.n:
        named["sources"] = [int(np.argmax(graph.out_degrees))]
    return named


def summed(algorithm: str, technique: str, policy: str, device: Device, table: list[dict[str, float]]) -> Estimate:
    """The estimate of a run from the counts of its rounds."""

    def total(name: str) -> int:
        return int(sum(line[name] for line in table))

    steps, work = total("steps"), total("work")
    return Estimate(
        algorithm, technique, policy, device.name, len(table), work, total("requests"),
        {name: total(name) for name in ("offsets", "targets", "weights", "values")},
        work / (device.warp * steps) if steps else 1.0, total("shared"), total("atomics"),
        total("heavy") if policy == "dynamic" else 0,
        float(sum(line["seconds"] for line in table)), per_round=table,
    )  # fmt: skip
