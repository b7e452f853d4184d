"""`estimate`: what the real rounds of an algorithm would cost on a GPU, by counting, on any machine.

The algorithm runs here, and its rounds are recorded (`nearly.engine.recording`). Each is then laid out on a device as
its policy would lay it out (a thread a vertex, a thread a virtual node, a block for a heavy vertex) and counted
(`warp_counts`). A round takes the longest of three times: to move its lines at the device's bandwidth, to issue its
steps, and to step through its slowest warp. Atomics (one for each vertex that changed, the least there can be) and the
launch come on top. Everything here is modelled, and says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np

from nearly.base.arguments import choice
from nearly.base.errors import InvalidArgumentError
from nearly.base.threads import kernel_threads
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.primitives import scan
from nearly.engine.recording import Expanded, recorded
from nearly.engine.transform.clusters import Clusters
from nearly.engine.transform.graph_map import GraphMap
from nearly.graph.csr import Graph
from nearly.model import warp_counts as counts
from nearly.model.modelled_devices import K40C, Device, device_of

_PIECES = 64
_VIRTUAL, _HEAVY = 64, 1024  # the thresholds of the policies split and heavy-light
POLICIES = ("topology", "frontier", "split", "heavy-light")


class Profile(NamedTuple):
    """What the kernel of an algorithm reads and writes for each edge."""

    weights: bool  # whether it reads weights
    values: tuple[int, ...]  # bytes of each value it reads at the target
    atomics: bool = True  # whether it writes by atomics
    sweeps: bool = False  # whether rounds are over all vertices, by in-arcs, and are not recorded
    twice: bool = False  # whether a second pass goes back over the same rows


PROFILES = {
    "bfs": Profile(False, (4,)),
    "sssp": Profile(True, (4,)),
    "connected_components": Profile(False, (4,)),
    "scc": Profile(False, (4,)),
    "mst": Profile(True, (4,)),
    "pagerank": Profile(False, (4,), atomics=False, sweeps=True),
    "betweenness": Profile(False, (4, 8), twice=True),
}


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
    policy : {"topology", "frontier", "split", "heavy-light"}, default "topology"
        How rows are given to threads.
    device : {"k40c", "a100"} or Device, default "k40c"
        The device to model.
    threshold : int, optional
        The most edges of a virtual node (split), or of a row that is not given to a whole block (heavy-light).
    **parameters : object
        What the algorithm takes. If it needs a source and none is given, it is the vertex of highest out-degree.

    Returns
    -------
    Estimate
        The modelled `seconds` and the counts they come from: `rounds`, `edges`, `requests`, `transactions`,
        `simd_efficiency`, `shared_hits`, `atomics`, and `per_round`.

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
    parameters = with_defaults(graph, entry.parameters, parameters)
    applied = entry.apply(approx, graph, weights=parameters.get("weights"))
    profile = PROFILES[entry.name]
    with recorded() as rounds:
        runs_as = "topology" if profile.sweeps else policy
        result = entry.function(graph, approx=applied, policy=runs_as, threshold=threshold, **parameters)
    if profile.sweeps:
        rounds = [Expanded(applied.map.graph.reverse, None)] * result.rounds
    if profile.twice:
        rounds = [*rounds, *reversed(rounds)]
    counted = Counter(applied.map, profile, policy, chosen, threshold)
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


class Counter:
    """Counts rounds on one device. A round over all rows of a graph is counted once and remembered."""

    def __init__(self, moved: GraphMap, profile: Profile, policy: str, device: Device, threshold: int | None) -> None:
        self.profile, self.policy, self.device = profile, policy, device
        self.threshold = threshold or (_HEAVY if policy == "heavy-light" else _VIRTUAL)
        self.access = counts.Access(
            cluster_of(moved),
            np.uint64(device.warp),
            np.uint64(device.line),
            np.array(profile.values, np.uint64),
            profile.weights and moved.graph.weighted,
        )
        self.known: dict[int, np.ndarray] = {}

    def round(self, expanded: Expanded) -> dict[str, float]:
        """The counts of a round, and its modelled seconds."""
        graph, items, changed = expanded
        sums = self.known.get(id(graph)) if items is None else None
        if sums is None:
            sums = self._sums(graph, items)
        if items is None:
            self.known[id(graph)] = sums
        line: dict[str, float] = {name.lower(): int(sums[getattr(counts, name)]) for name in _COUNTED}
        line["atomics"] = changed if self.profile.atomics else 0
        line["seconds"] = seconds_of(line, self.device)
        return line

    def _sums(self, graph: Graph, items: np.ndarray | None) -> np.ndarray:
        offsets, targets, _ = graph.arrays
        rows = np.empty(0, targets.dtype) if items is None else items
        first, most = np.empty(0, np.uint64), np.uint64(self.threshold)
        total = np.zeros(counts.FIELDS, np.uint64)
        with kernel_threads(work=graph.m + graph.n):
            if self.policy == "heavy-light":
                rows = np.arange(graph.n, dtype=targets.dtype) if items is None else items
                heavy = graph.out_degrees[rows] > self.threshold
                if heavy.any():
                    out = np.zeros((_PIECES, counts.FIELDS), np.uint64)
                    counts.count_heavy(offsets, targets, rows[heavy], self.access, out)
                    total += joined(out)
                rows = rows[~heavy]
                if not rows.size:
                    return total
            if self.policy == "split":
                degrees = (graph.out_degrees if items is None else graph.out_degrees[items]).astype(np.int64)
                nodes = np.maximum(-(-degrees // self.threshold), 1)
                first = np.empty(nodes.size + 1, np.uint64)
                scan(nodes, first)
            out = np.zeros((_PIECES, counts.FIELDS), np.uint64)
            counts.count_rows(offsets, targets, rows, first, most, self.access, out)
        longest = max(total[counts.LONGEST], out[:, counts.LONGEST].max())
        total += joined(out)
        total[counts.LONGEST] = longest
        return total


_COUNTED = ("OFFSETS", "TARGETS", "WEIGHTS", "VALUES", "REQUESTS", "STEPS", "WORK", "LONGEST", "SHARED")


def joined(out: np.ndarray) -> np.ndarray:
    """The counts of all pieces together: sums, but the maximum for the longest warp."""
    total = out.sum(axis=0)
    total[counts.LONGEST] = out[:, counts.LONGEST].max()
    return total


def seconds_of(line: dict[str, float], device: Device) -> float:
    """Modelled seconds of a round."""
    lines = line["offsets"] + line["targets"] + line["weights"] + line["values"]
    memory = lines * device.line / (device.bandwidth * 1e9)
    cycles = 1e-9 / device.gigahertz
    issue = line["steps"] * device.step * cycles / (device.multiprocessors * device.issue)
    slowest = line["longest"] * (device.step + device.latency) * cycles
    return max(memory, issue, slowest) + line["atomics"] * device.atomic * 1e-9 + device.launch


def cluster_of(moved: GraphMap) -> np.ndarray:
    """The cluster of every vertex of the transformed graph; empty if there are no clusters."""
    if moved.clusters is None:
        return np.empty(0, np.uint64)
    starts = Clusters.unpacked(moved.clusters).starts
    cluster = np.full(moved.graph.n, counts.NO_CLUSTER, np.uint64)
    sizes = (starts[1:] - starts[:-1]).astype(np.int64)
    cluster[int(starts[0]) : int(starts[-1])] = np.repeat(np.arange(sizes.size, dtype=np.uint64), sizes)
    return cluster


def summed(algorithm: str, technique: str, policy: str, device: Device, table: list[dict[str, float]]) -> Estimate:
    """The estimate of a run from the counts of its rounds."""

    def total(name: str) -> int:
        return int(sum(line[name] for line in table))

    steps, work = total("steps"), total("work")
    return Estimate(
        algorithm, technique, policy, device.name, len(table), work, total("requests"),
        {name: total(name) for name in ("offsets", "targets", "weights", "values")},
        work / (device.warp * steps) if steps else 1.0, total("shared"), total("atomics"),
        float(sum(line["seconds"] for line in table)), per_round=table,
    )  # fmt: skip
