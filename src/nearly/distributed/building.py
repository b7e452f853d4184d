"""From edges on workers to parts: the tasks, where they run, and what of them the client sees.

The client sees sizes, kinds, a sample of ids to cut the dictionary by, and counts of arcs for stretches of vertices;
ids and edges go from worker to worker. Vertices are numbered by their ids in ascending order, as the readers of one
machine do. The dictionary is cut into ranges of ids, one a worker: a range gets its ids from all edges, merges
them, and tells each piece the numbers of its ids.
"""

from __future__ import annotations

import uuid
from typing import Any

import numpy as np
from distributed import Client, Future

from nearly.base.errors import InvalidGraphError
from nearly.distributed import edges as work
from nearly.distributed.cluster import gathered, placing, workers_of
from nearly.distributed.part import cut_bounds

_STRETCHES = 1 << 16  # of vertices, whose arcs are counted to balance parts
_WHOLE, _SINGLE = float(2**32), float(np.finfo(np.float32).max)


class Building:
    """One way from edges to parts; `held` are the edges, each on its worker."""

    def __init__(self, client: Client, parts: int, policies: dict[str, Any]) -> None:
        self.client, self.parts, self.policies = client, parts, policies
        self.workers = list(workers_of(client))
        self.token = uuid.uuid4().hex[:8]

    def submit(self, name: str, at: Any, worker: str, function: Any, *arguments: Any) -> Future:
        """A task with a name that tells on the dashboard what it does."""
        key = f"nearly-{name}-{self.token}-{at}"
        return self.client.submit(
            function, *arguments, key=key, workers=[worker], allow_other_workers=False, pure=False
        )

    def gathered(self, futures: list[Future]) -> list[Any]:
        """The results of tasks."""
        return gathered(self.client, futures, self.workers)

    def worker(self, i: int) -> str:
        return self.workers[i % len(self.workers)]

    def parts_from(self, held: list[Future]) -> tuple[list[Future], list[str], np.ndarray]:
        """The parts, where they are, and their bounds."""
        facts = gathered(
            self.client, [self.submit("facts", f, self.worker(f), work.edge_facts, e) for f, e in _all(held)]
        )
        directed, weights = agreed(facts, self.policies.get("duplicates"))
        numbers, n, labels = self._numbered(held, facts)
        starts = np.unique(np.linspace(0, n, min(n, _STRETCHES) + 1).astype(np.int64))
        starts = starts if starts.size > 1 else np.array([0, n])
        counts = [
            self.submit("count", f, self.worker(f), work.arcs_by_target, e, numbers[f], starts) for f, e in _all(held)
        ]
        bounds = cut_bounds(sum(self.gathered(counts)), self.parts, starts)
        split = [
            self.submit("split", f, self.worker(f), work.split_edges, e, numbers[f], bounds, weights)
            for f, e in _all(held)
        ]
        places = placing(self.client, self.parts)
        made = []
        for p, place in enumerate(places):
            pieces = [self.submit("piece", (f, p), self.worker(f), work.piece_of, s, p) for f, s in _all(split)]
            ids = labels(p, place, bounds) if labels is not None else None
            made.append(self.submit("part", p, place, work.part_from, p, bounds, pieces, directed, ids, self.policies))
        held.clear()
        return made, places, bounds

    def _numbered(self, held: list[Future], facts: list[work.EdgeFacts]) -> tuple[list[Any], int, Any]:
        """For each of the edges the numbers of their ids (None where they are these), n, and ids for parts."""
        kinds = {one.kind for one in facts if one.n}
        if kinds <= {""}:
            return [None] * len(held), max((one.n for one in facts), default=0), None
        if "U" in kinds and len(kinds) > 1:
            raise InvalidGraphError("some files name vertices by words and others by numbers; pass names=True")
        sample = np.sort(
            np.concatenate([one.sample if one.kind else np.arange(one.n)[::997] for one in facts if one.n])
        )
        count = len(self.workers)
        cuts = np.unique(sample[[k * sample.size // count for k in range(1, count)]]) if count > 1 else sample[:0]
        ranges, pieces = [], []
        for b in range(cuts.size + 1):
            pieces.append(
                [self.submit("ids", (f, b), self.worker(f), work.ids_between, e, cuts, b) for f, e in _all(held)]
            )
            ranges.append(self.submit("dictionary", b, self.worker(b), work.merged_ids, pieces[b]))
        sizes = self.gathered([self.submit("size", b, self.worker(b), len, r) for b, r in _all(ranges)])
        bases = [int(base) for base in np.concatenate([[0], np.cumsum(sizes)])]
        numbers: list[Any] = []
        for f in range(len(held)):
            found = [
                self.submit("number", (f, b), self.worker(b), work.numbers_of, r, pieces[b][f], bases[b])
                for b, r in _all(ranges)
            ]
            numbers.append(self.submit("numbers", f, self.worker(f), work.joined, found))
        n = bases[-1]
        if "U" not in kinds and n and self._plain(ranges, n):
            return numbers, n, None

        def labels(p: int, place: str, bounds: np.ndarray) -> Future:
            first, last = int(bounds[p]), int(bounds[p + 1])
            some = [b for b in range(len(ranges)) if bases[b] < max(last, first + 1) and bases[b + 1] > first] or [0]
            chosen, begin = [ranges[b] for b in some], [bases[b] for b in some]
            return self.submit("names", p, place, work.ids_of_part, chosen, begin, first, last)

        return numbers, n, labels

    def _plain(self, ranges: list[Future], n: int) -> bool:
        """Whether the ids are 0..n-1: n different whole numbers, of which the least is 0 and the largest n - 1."""
        ends = self.gathered([self.submit("ends", b, self.worker(b), _ends, r) for b, r in _all(ranges)])
        known = [end for pair in ends for end in pair]
        return min(known) == 0 and max(known) == n - 1


def _ends(ids: np.ndarray) -> list[int]:
    return [int(ids[0]), int(ids[-1])] if ids.size else []


def _all(items: list[Any]) -> list[tuple[int, Any]]:
    return list(enumerate(items))


def agreed(facts: list[work.EdgeFacts], duplicates: str | None) -> tuple[bool, str]:
    """Whether the edges are directed, and the type of weights that holds those of all."""
    said = {one.directed for one in facts}
    if len(said) > 1:
        raise InvalidGraphError(
            "some files say that they are undirected and others do not; pass directed=True or False"
        )
    kinds = {one.weights for one in facts if one.edges}
    if "" in kinds and len(kinds) > 1:
        raise InvalidGraphError(
            "some files have weights and others have none; pass weights=False, or add a column of 1s"
        )
    weights = max(kinds, key=("", "uint32", "float32", "float64").index, default="")
    if duplicates == "sum" and weights in ("uint32", "float32"):
        total = sum(one.weight for one in facts)
        weights = "float64" if total >= (_WHOLE if weights == "uint32" else _SINGLE) else weights
    return said.pop() if said else True, weights
