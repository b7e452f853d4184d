"""`estimate`: what an algorithm's real rounds would cost on a GPU, by counting, on any machine.

The algorithm runs here and its rounds are recorded (`nearly.engine.recording`); each is then laid out on a device as
its policy would be (a thread a vertex, a thread a virtual node, a block for a heavy one) and counted (`counting`). A
round takes the longest of: moving its lines at the device's bandwidth, issuing its steps, and its slowest warp's own
steps; atomics (one for each vertex that changed, the least there can be) and the launch come on top. Everything here
is modelled, and says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np

from nearly.base.errors import InvalidArgumentError
from nearly.base.threads import kernel_threads
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.primitives import scan
from nearly.engine.recording import Expanded, recorded
from nearly.engine.transform.clusters import Clusters
from nearly.engine.transform.graph_map import GraphMap
from nearly.graph.csr import Graph
from nearly.model import counting
from nearly.model.device import K40C, Device, device_of

_PIECES = 64
_VIRTUAL, _HEAVY = 64, 1024  # as the policies split and heavy-light have them
POLICIES = ("topology", "frontier", "split", "heavy-light")


class Profile(NamedTuple):
    """What a kernel touches for each edge: whether it reads weights, and the bytes of each value at the target."""

    weights: bool
    values: tuple[int, ...]
    atomics: bool = True
    sweeps: bool = False  # rounds are over all vertices, by in-arcs, and are not recorded
    twice: bool = False  # a second pass goes back over the same rows


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
    """Modelled cost of one run; all of it counted or modelled, nothing of it measured on a GPU."""

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
        return sum(self.transactions.values())

    @property
    def transactions_per_request(self) -> float:
        """1 is perfectly coalesced, the warp's size is not at all."""
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
    graph : the graph.
    algorithm : one of `PROFILES`.
    approx : a technique or several, as every algorithm takes them.
    policy : how rows are given to threads: "topology", "frontier", "split" or "heavy-light".
    device : "k40c", "a100", or a `Device`.
    threshold : edges of a virtual node (split), or above which a row is a block's (heavy-light).
    parameters : what the algorithm takes; its source is the vertex of highest out-degree if left out.

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
    if policy not in POLICIES:
        raise InvalidArgumentError(f"policy must be one of {', '.join(POLICIES)}, not {policy!r}")
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
    """The algorithm's parameters, with a source, or few sources, where it needs them."""
    named = dict(given)
    if "source" in known and "source" not in named:
        named["source"] = int(np.argmax(graph.out_degrees)) if graph.n else 0
    if "sources" in known and "sources" not in named and graph.n:
        named["sources"] = [int(np.argmax(graph.out_degrees))]
    return named


class Counter:
    """Counts rounds on one device; a round over all rows of a graph is counted once."""

    def __init__(self, moved: GraphMap, profile: Profile, policy: str, device: Device, threshold: int | None) -> None:
        self.profile, self.policy, self.device = profile, policy, device
        self.threshold = threshold or (_HEAVY if policy == "heavy-light" else _VIRTUAL)
        self.cluster = cluster_of(moved)
        self.weighted = profile.weights and moved.graph.weighted
        self.known: dict[int, np.ndarray] = {}

    def round(self, expanded: Expanded) -> dict[str, float]:
        """The counts of a round, and its modelled seconds."""
        graph, items, changed = expanded
        sums = self.known.get(id(graph)) if items is None else None
        if sums is None:
            sums = self._sums(graph, items)
        if items is None:
            self.known[id(graph)] = sums
        line: dict[str, float] = {name.lower(): int(sums[getattr(counting, name)]) for name in _COUNTED}
        line["atomics"] = changed if self.profile.atomics else 0
        line["seconds"] = seconds_of(line, self.device)
        return line

    def _sums(self, graph: Graph, items: np.ndarray | None) -> np.ndarray:
        offsets, targets, _ = graph.arrays
        rows = np.empty(0, targets.dtype) if items is None else items
        tail = (
            self.cluster, np.uint64(self.device.warp), np.uint64(self.device.line),
            np.array(self.profile.values, np.uint64), self.weighted, _PIECES,
        )  # fmt: skip
        first, most = np.empty(0, np.uint64), np.uint64(self.threshold)
        total = np.zeros(counting.FIELDS, np.uint64)
        with kernel_threads(work=graph.m + graph.n):
            if self.policy == "heavy-light":
                rows = np.arange(graph.n, dtype=targets.dtype) if items is None else items
                heavy = graph.out_degrees[rows] > self.threshold
                if heavy.any():
                    out = np.zeros((_PIECES, counting.FIELDS), np.uint64)
                    counting.count_heavy(offsets, targets, rows[heavy], *tail, out)
                    total += joined(out)
                rows = rows[~heavy]
                if not rows.size:
                    return total
            if self.policy == "split":
                degrees = (graph.out_degrees if items is None else graph.out_degrees[items]).astype(np.int64)
                nodes = np.maximum(-(-degrees // self.threshold), 1)
                first = np.empty(nodes.size + 1, np.uint64)
                scan(nodes, first)
            out = np.zeros((_PIECES, counting.FIELDS), np.uint64)
            counting.count_rows(offsets, targets, rows, first, most, *tail, out)
        longest = max(total[counting.LONGEST], out[:, counting.LONGEST].max())
        total += joined(out)
        total[counting.LONGEST] = longest
        return total


_COUNTED = ("OFFSETS", "TARGETS", "WEIGHTS", "VALUES", "REQUESTS", "STEPS", "WORK", "LONGEST", "SHARED")


def joined(out: np.ndarray) -> np.ndarray:
    """The counts of all pieces: sums, but of the longest warp the maximum."""
    total = out.sum(axis=0)
    total[counting.LONGEST] = out[:, counting.LONGEST].max()
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
    """The cluster of every vertex of the transformed graph that has one."""
    if moved.clusters is None:
        return np.empty(0, np.uint64)
    starts = Clusters.unpacked(moved.clusters).starts
    cluster = np.full(moved.graph.n, counting.NOBODY, np.uint64)
    sizes = (starts[1:] - starts[:-1]).astype(np.int64)
    cluster[int(starts[0]) : int(starts[-1])] = np.repeat(np.arange(sizes.size, dtype=np.uint64), sizes)
    return cluster


def summed(algorithm: str, technique: str, policy: str, device: Device, table: list[dict[str, float]]) -> Estimate:
    """The rounds together."""

    def total(name: str) -> int:
        return int(sum(line[name] for line in table))

    steps, work = total("steps"), total("work")
    return Estimate(
        algorithm, technique, policy, device.name, len(table), work, total("requests"),
        {name: total(name) for name in ("offsets", "targets", "weights", "values")},
        work / (device.warp * steps) if steps else 1.0, total("shared"), total("atomics"),
        float(sum(line["seconds"] for line in table)), per_round=table,
    )  # fmt: skip
