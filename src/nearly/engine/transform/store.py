"""Transformed graphs that are kept, so that the work is done once: with their graph in a file, or in the disk cache.

A transformed graph is found again under a key that spells out the techniques with all their knobs and what of the
task they go by (`Technique.purpose`). `find` looks first at what came with the graph from its file (`attach`), then
in the cache; `keep` puts a new one into the cache if making it took long enough to matter. What is read is checked:
maps must lead to vertices and arcs that exist, and the graph itself is checked as any graph from a file is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nearly.base.errors import InvalidGraphError
from nearly.engine.transform import disk_cache as cache
from nearly.engine.transform.graph_map import NO_ARC, GraphMap
from nearly.engine.transform.replicas import RULES, Copies
from nearly.graph.csr import NO_WEIGHTS, Arrays, Graph

if TYPE_CHECKING:
    from nearly.engine.technique import Task, Technique

_MAPS = ("place", "arcs", "clusters")
_NUMBERS = {"unit": float, "levels": int, "chance": float}
VIEWED = ", of the undirected view"  # how keys end of what algorithms that read graphs as undirected make
_WORTH_KEEPING = 0.1  # seconds


class Found(NamedTuple):
    """A transformed graph that was kept, and the seconds it once took to make."""

    map: GraphMap
    seconds: float


def key_of(techniques: Iterable[Technique], task: Task, viewed: bool) -> str | None:
    """Under what a transformed graph is kept; None where a knob is a function, which no file can hold."""
    said = [(item.name, item.settings, item.purpose(task)) for item in techniques if not item.idle]
    if not said or any(callable(value) for _, settings, _ in said for value in settings.values()):
        return None
    spelled = [f"{name}({', '.join(f'{k}={v!r}' for k, v in knobs.items())}) for {why}" for name, knobs, why in said]
    return " + ".join(spelled) + (VIEWED if viewed else "")


def attach(graph: Graph, key: str, found: Found) -> None:
    """Let `find` know of a transformed graph that came with this one."""
    graph.__dict__.setdefault("_kept", {})[key] = found


def find(source: Graph, view: Graph, key: str | None, techniques: Iterable[Technique]) -> Found | None:
    """What was kept for this graph under this key."""
    if key is None:
        return None
    found = source.__dict__.get("_kept", {}).get(key)
    if found is None and cache.enabled():
        more = cache.load(_name(source, key, techniques), sizes)
        with suppress(InvalidGraphError):  # damaged: as good as none
            found = more and revived(more.meta, more.arrays, view)
    return found and Found(replace(found.map, given=view), found.seconds)


def knows(source: Graph, key: str | None, techniques: Iterable[Technique], in_cache: bool) -> bool:
    """Whether something is kept under this key: with the graph, or, where one may look there, in the cache."""
    if key is None or key in source.__dict__.get("_kept", {}):
        return key is not None
    return in_cache and cache.enabled() and cache.has(_name(source, key, techniques))


def keep(source: Graph, key: str | None, techniques: Iterable[Technique], found: Found) -> None:
    """Put a transformed graph into the cache, where that is on and the work was worth it."""
    if key is not None and cache.enabled() and found.seconds >= _WORTH_KEEPING:
        meta, arrays = recorded(found, "")
        cache.store(_name(source, key, techniques), {**meta, "key": key}, arrays)


def _name(source: Graph, key: str, techniques: Iterable[Technique]) -> str:
    """The name of a cache entry: the graph, the key, and the code that makes it."""
    from nearly.base.kernel_key import source_stamp

    stamps = [source_stamp(type(item).__module__) for item in techniques]
    return hashlib.sha256("\n".join([source.fingerprint, key, *stamps]).encode()).hexdigest()[:40]


def recorded(found: Found, prefix: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """A transformed graph as notes for JSON and arrays under names that begin with `prefix`."""
    moved, graph = found.map, found.map.graph
    arrays = {name: array for name, array in graph.arrays._asdict().items() if array.size or name != "weights"}
    arrays.update({name: getattr(moved, name) for name in _MAPS if getattr(moved, name) is not None})
    copies = moved.copies
    if copies is not None:
        arrays.update({"copies": copies.slot, "copied": copies.of})
    meta = {
        "prefix": prefix,
        "sizes": {name: int(array.size) for name, array in arrays.items()},
        "directed": graph.directed,
        "seconds": found.seconds,
        "report": {name: _plain(value) for name, value in moved.report.items()},
        "copies": copies and {"merge": copies.merge, "every": copies.every, "at_once": copies.at_once},
        **{name: kind(getattr(moved, name) or 0) for name, kind in _NUMBERS.items()},
    }
    return meta, {prefix + name: array for name, array in arrays.items()}


def sizes(meta: Any) -> dict[str, int]:
    """The arrays that such notes speak of, and their lengths."""
    return {meta["prefix"] + name: count for name, count in meta["sizes"].items()}


def revived(meta: Any, arrays: dict[str, np.ndarray], given: Graph) -> Found:
    """A transformed graph from its notes and arrays; `InvalidGraphError` if they make no sense."""
    mine = {name: arrays[meta["prefix"] + name] for name in meta["sizes"]}
    try:
        csr = Arrays(mine["offsets"], mine["targets"], mine.get("weights", NO_WEIGHTS))
        graph = Graph._trusted(csr, bool(meta["directed"]), checked=False)
        fields: dict[str, Any] = {name: mine[name] for name in _MAPS if name in mine}
        fields.update({name: kind(meta[name]) for name, kind in _NUMBERS.items()})
        if meta["copies"]:
            fields["copies"] = Copies.made(graph.n, mine["copies"], mine["copied"], **meta["copies"])
        moved = GraphMap(given, graph, report=dict(meta["report"]), **fields)
        seconds = float(meta["seconds"])
    except (KeyError, TypeError, ValueError):
        raise InvalidGraphError("the notes on a transformed graph are damaged; transform the graph again") from None
    _check(moved)
    return Found(moved, seconds)


def _check(moved: GraphMap) -> None:
    given, graph = moved.given, moved.graph
    sound = moved.place is not None or graph.n == given.n
    if moved.place is not None:
        sound = moved.place.size == given.n and _below(moved.place, graph.n)
    if moved.arcs is not None:
        sound = sound and moved.arcs.dtype == NO_ARC.dtype and moved.arcs.size == graph.m
        sound = sound and _below(moved.arcs[moved.arcs != NO_ARC], given.m)
    if moved.copies is not None:
        copies = moved.copies
        sound = sound and copies.slot.size == copies.of.size and copies.merge in RULES and isinstance(copies.every, int)
        sound = sound and _below(copies.slot, graph.n) and _below(copies.of, graph.n)
        sound = sound and not np.isin(copies.of, copies.slot).any()
    if moved.clusters is not None:
        from nearly.engine.transform.clusters import are_clusters

        sound = sound and are_clusters(moved.clusters, graph.n)
    if not sound:
        raise InvalidGraphError("a transformed graph does not fit the graph it is kept with; transform that again")


def _below(numbers: np.ndarray, limit: int) -> bool:
    return numbers.dtype.kind == "u" and (not numbers.size or int(numbers.max()) < limit)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
