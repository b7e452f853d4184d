"""Edges on their way to parts: what workers do to them.

A worker holds some of the edges (of a file, or made by a generator) as `Edges`, their ends numbered within it. Then all
of this happens by tasks on the workers, each of which sees a piece: a dictionary of ids, cut into ranges, numbers the
vertices; edges are counted to balance the parts; each worker splits its edges by the part that owns the target; and a
part is built from the pieces that come for it.
"""

from __future__ import annotations

import os
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from nearly.base.threads import kernel_threads
from nearly.distributed.part import Part, build_part
from nearly.graph.names import Labels, Names

_SAMPLE = 1000  # ids of a file that are looked at to cut the dictionary


class Edges(NamedTuple):
    """Edges as arcs; an undirected one is there both ways. `ids`, ascending, name the ends; None for their numbers."""

    source: np.ndarray
    target: np.ndarray
    weights: np.ndarray | None
    ids: np.ndarray | None
    n: int
    directed: bool


class EdgeFacts(NamedTuple):
    """What the client learns of some edges."""

    n: int
    edges: int
    directed: bool
    weights: str  # their type, "" for none
    weight: float  # the sum of their sizes
    kind: str  # of the ids: "" for 0..n-1, "U" for words, "u" for wide numbers, "-" for negative ones, else "i"
    sample: np.ndarray


def read_edges(path: str, format: str | None, options: dict[str, Any]) -> Edges:
    """The edges of a file, by the reader of its format; errors name the file and the line."""
    from nearly.graph.io import read

    with kernel_threads(1, work=0):
        graph = read(path, format=format, mmap=False, duplicates="keep", progress=_quiet, **options)
        sources, targets = graph.arc_rows(), graph.arrays.targets
    weights = graph.arrays.weights if graph.weighted else None
    ids = graph.labels.array if isinstance(graph.labels, Names) else graph.labels
    if ids is not None:
        ids = np.asarray(ids)
        if ids.size > 1 and not bool((ids[1:] > ids[:-1]).all()):
            order = np.argsort(ids, kind="stable")
            place = np.empty(ids.size, targets.dtype)
            place[order] = np.arange(ids.size)
            sources, targets, ids = place[sources], place[targets], ids[order]
    return Edges(sources, np.asarray(targets), weights, ids, graph.n, graph.directed)


def _quiet(stage: str, done: int, total: int | None) -> None:
    """No bar on a worker."""


def edge_facts(edges: Edges) -> EdgeFacts:
    """What the client learns of some edges."""
    weights = "" if edges.weights is None else str(edges.weights.dtype)
    weight = 0.0 if edges.weights is None else float(np.abs(edges.weights).sum(dtype=np.float64))
    kind, sample = "", np.empty(0, np.int64)
    if edges.ids is not None:
        kind = "U" if edges.ids.dtype.kind in "UO" else edges.ids.dtype.kind
        kind = "-" if kind == "i" and edges.ids.size and edges.ids[0] < 0 else kind
        sample = edges.ids[:: max(1, edges.ids.size // _SAMPLE)]
    return EdgeFacts(edges.n, edges.target.size, edges.directed, weights, weight, kind, sample)


def ids_between(edges: Edges, cuts: np.ndarray, b: int) -> np.ndarray:
    """Those of the ids that fall into range b of the dictionary, in its type."""
    ids = np.arange(edges.n, dtype=np.int64) if edges.ids is None else edges.ids
    ids = ids if cuts.dtype.kind in "UO" else ids.astype(cuts.dtype, copy=False)
    low = int(np.searchsorted(ids, cuts[b - 1])) if b > 0 else 0
    high = int(np.searchsorted(ids, cuts[b])) if b < cuts.size else ids.size
    return ids[low:high]


def merged_ids(pieces: list[np.ndarray]) -> np.ndarray:
    """The different ids of a range, ascending."""
    return np.unique(np.concatenate(pieces))


def numbers_of(ids: np.ndarray, piece: np.ndarray, base: int) -> np.ndarray:
    """The numbers of some ids of a range, of which the first has the number `base`."""
    return np.searchsorted(ids, piece) + base


def joined(pieces: list[np.ndarray]) -> np.ndarray:
    """The pieces one after the other."""
    return np.concatenate(pieces)


def ids_of_part(ranges: list[np.ndarray], bases: list[int], first: int, last: int) -> Labels:
    """The ids of the vertices [first, last), from the ranges of the dictionary that have any."""
    pieces = [ids[max(first - base, 0) : max(last - base, 0)] for ids, base in zip(ranges, bases)]
    found = np.concatenate(pieces)
    return Names.of(found) if found.dtype.kind in "UO" else found


def arcs_by_target(edges: Edges, numbers: np.ndarray | None, starts: np.ndarray) -> np.ndarray:
    """How many arcs lead to the vertices of each stretch, which begin at `starts`."""
    target = edges.target if numbers is None else numbers[edges.target]
    return np.bincount(np.searchsorted(starts, target, side="right") - 1, minlength=starts.size - 1)


def split_edges(edges: Edges, numbers: np.ndarray | None, bounds: np.ndarray, weights: str) -> list[Any]:
    """The edges by the part that owns the target, in order: targets, sources and weights of each."""
    kind = np.uint32 if bounds[-1] < 2**32 else np.uint64
    ends = [edges.target, edges.source] if numbers is None else [numbers[edges.target], numbers[edges.source]]
    owner = (np.searchsorted(bounds, ends[0], side="right") - 1).astype(np.uint16 if bounds.size < 2**16 else np.int64)
    order = np.argsort(owner, kind="stable")
    cuts = np.searchsorted(owner[order], np.arange(bounds.size))
    ends = [end.astype(kind, copy=False)[order] for end in ends]
    some = None if edges.weights is None else edges.weights.astype(weights, copy=False)[order]
    del owner, order
    spans = [slice(low, high) for low, high in pairwise(cuts.tolist())]
    return [(ends[0][span], ends[1][span], None if some is None else some[span]) for span in spans]


def piece_of(pieces: list[Any], p: int) -> Any:
    """What goes to a part."""
    return pieces[p]


def part_from(
    p: int, bounds: np.ndarray, pieces: list[Any], directed: bool, ids: Labels, policies: dict[str, Any]
) -> Part:
    """The part, built from what came for it."""
    return build_part(p, bounds, [piece for piece in pieces if piece[0].size], directed, ids, policies)


def file_edges(path: str, format: str) -> int:
    """About how many edges a file holds, without reading it."""
    size = os.path.getsize(path)
    if format == "parquet":
        from pyarrow import parquet

        return int(parquet.read_metadata(path).num_rows)
    return size // 8 if not path.endswith(".gz") else size // 2
