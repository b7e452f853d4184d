"""What one round costs on a GPU: its rows laid out as the policy says, counted, and turned into seconds.

A round takes the longest of four times: to move its lines at the device's bandwidth, to issue its steps, to step
through its slowest warp, and, where the device says how many blocks it holds, to pass all blocks through these places,
each as long as its slowest warp takes. Atomics and launches come on top: a second launch where heavy rows are expanded
apart (`heavy-light`). Under `dynamic` (LB4) a heavy row is expanded by a launch of the thread that has it: each costs,
and the kernel that may make launches is slower throughout, even if it makes none. Where copies of vertices get their
values in a pass of their own (LB3), that pass is a launch too, and reads a vertex and writes a copy for each.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.base.threads import kernel_threads
from nearly.engine.primitives import scan
from nearly.engine.recording import Expanded
from nearly.engine.transform.clusters import Clusters
from nearly.engine.transform.graph_map import GraphMap
from nearly.graph.csr import Graph
from nearly.model import warp_counts as counts
from nearly.model.modelled_devices import Device

_PIECES = 64
_VIRTUAL, _HEAVY = 64, 1024  # the thresholds of the policy split, and of heavy-light and dynamic
_BLOCK = 256  # threads
POLICIES = ("topology", "frontier", "split", "heavy-light", "dynamic")


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


class Layout(NamedTuple):
    """How rows are given to threads."""

    policy: str
    threshold: int | None
    strided: bool


class Counter:
    """Counts rounds on one device. A round over all rows of a graph is counted once and remembered."""

    def __init__(self, moved: GraphMap, profile: Profile, layout: Layout, device: Device) -> None:
        self.profile, self.policy, self.device = profile, layout.policy, device
        self.threshold = layout.threshold or (_VIRTUAL if self.policy == "split" else _HEAVY)
        self.access = counts.Access(
            cluster_of(moved),
            np.uint64(device.warp),
            np.uint64(device.line),
            np.array(profile.values, np.uint64),
            profile.weights and moved.graph.weighted,
            np.uint64(max(_BLOCK // device.warp, 1)),
            layout.strided,
        )
        apart = moved.copies is not None and not moved.copies.at_once
        self.copies = moved.copies.slot.size if apart and moved.copies is not None else 0
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
        line["heavy"], line["copies"] = int(sums[counts.FIELDS]), self.copies
        line["atomics"] = changed if self.profile.atomics else 0
        line["seconds"] = seconds_of(line, self.device, self.policy)
        return line

    def _sums(self, graph: Graph, items: np.ndarray | None) -> np.ndarray:
        offsets, targets, _ = graph.arrays
        rows = np.empty(0, targets.dtype) if items is None else items
        first, most = np.empty(0, np.uint64), np.uint64(self.threshold)
        out, heavy = np.zeros((_PIECES, counts.FIELDS), np.uint64), 0
        with kernel_threads(work=graph.m + graph.n):
            if self.policy in ("heavy-light", "dynamic"):
                rows = np.arange(graph.n, dtype=targets.dtype) if items is None else items
                long = graph.out_degrees[rows] > self.threshold
                heavy = int(long.sum())
                more = np.zeros_like(out)
                counts.count_heavy(offsets, targets, rows[long], self.access, more)
                rows, out = rows[~long], np.concatenate([out, more])
            if self.policy == "split":
                degrees = (graph.out_degrees if items is None else graph.out_degrees[items]).astype(np.int64)
                nodes = np.maximum(-(-degrees // self.threshold), 1)
                first = np.empty(nodes.size + 1, np.uint64)
                scan(nodes, first)
            if rows.size or not heavy:
                counts.count_rows(offsets, targets, rows, first, most, self.access, out[:_PIECES])
        return np.append(joined(out), np.uint64(heavy))


_COUNTED = ("OFFSETS", "TARGETS", "WEIGHTS", "VALUES", "REQUESTS", "STEPS", "WORK", "LONGEST", "SHARED", "HELD")


def joined(out: np.ndarray) -> np.ndarray:
    """The counts of all pieces together: sums, but the maximum for the longest warp."""
    total = out.sum(axis=0)
    total[counts.LONGEST] = out[:, counts.LONGEST].max()
    return total


def seconds_of(line: dict[str, float], device: Device, policy: str = "topology") -> float:
    """Modelled seconds of a round."""
    lines = line["offsets"] + line["targets"] + line["weights"] + line["values"]
    memory = lines * device.line / (device.bandwidth * 1e9)
    cycles = 1e-9 / device.gigahertz
    issue = line["steps"] * device.step * cycles / (device.multiprocessors * device.issue)
    slowest = line["longest"] * (device.step + device.latency) * cycles
    places = device.multiprocessors * device.resident
    held = line["held"] * (device.step + device.latency) * cycles / places if places else 0.0
    busy, more = max(memory, issue, slowest, held), line["atomics"] * device.atomic * 1e-9
    if line["copies"]:
        more += line["copies"] * (device.line + 8) / (device.bandwidth * 1e9) + device.launch
    if policy == "dynamic":
        return busy * (1 + device.managed) + more + device.launch + line["heavy"] * device.child
    return busy + more + device.launch * (2 if line["heavy"] else 1)


def cluster_of(moved: GraphMap) -> np.ndarray:
    """The cluster of every vertex of the transformed graph; empty if there are no clusters."""
    if moved.clusters is None:
        return np.empty(0, np.uint64)
    starts = Clusters.unpacked(moved.clusters).starts
    cluster = np.full(moved.graph.n, counts.NO_CLUSTER, np.uint64)
    sizes = (starts[1:] - starts[:-1]).astype(np.int64)
    cluster[int(starts[0]) : int(starts[-1])] = np.repeat(np.arange(sizes.size, dtype=np.uint64), sizes)
    return cluster
