"""A graph file that holds the graph transformed too, with the maps back: what `nearly transform` writes.

To any other reader it is the .npz of the graph as it was given. Beside that graph it holds a transformed one for each
purpose that algorithms have for it (see `Technique.purpose`); `opened` hands these to `kept`, where runs find them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from nearly.base.errors import GraphFormatError, InvalidArgumentError, InvalidGraphError
from nearly.base.files import replacing
from nearly.base.progress import Progress, silent
from nearly.engine.algorithm import ALGORITHMS, Algorithm
from nearly.engine.applied import Applied
from nearly.engine.technique import Technique, from_spec
from nearly.engine.transform import store as kept
from nearly.graph.csr import Graph
from nearly.graph.io.npz import More, write_npz


def transformed_for(
    techniques: Sequence[Technique], graph: Graph, algorithms: Sequence[Algorithm], seed: int, progress: Progress
) -> dict[str, tuple[Applied, list[str]]]:
    """The graph transformed for each algorithm; those with one purpose share one: key -> (applied, names)."""
    made: dict[str, tuple[Applied, list[str]]] = {}
    for done, entry in enumerate(algorithms):
        progress(f"transforming for {entry.name}", done, len(algorithms))
        task = entry.task(graph, seed=seed)
        key = kept.key_of(techniques, task, viewed=entry.reads_view(graph, techniques))
        if key is None:
            raise InvalidArgumentError("a technique that changes nothing, or whose knob is a function, cannot be kept")
        if key not in made:
            made[key] = entry.apply(techniques, graph, seed=seed), []
        made[key][1].append(entry.name)
    return made


def supporting(techniques: Sequence[Technique]) -> list[Algorithm]:
    """The algorithms that all of these techniques support."""
    return [entry for entry in ALGORITHMS if all(item.guarantee(entry.name) for item in techniques)]


def write_transformed(
    path: str | os.PathLike[str],
    graph: Graph,
    techniques: Sequence[Technique],
    made: dict[str, tuple[Applied, list[str]]],
    progress: Progress = silent,
) -> None:
    """Write the graph and what it was transformed into; the file appears whole or not at all."""
    moves: list[dict[str, Any]] = []
    arrays: dict[str, np.ndarray] = {}
    for number, (key, (applied, names)) in enumerate(made.items()):
        meta, own = kept.recorded(kept.Found(applied.map, applied.built), f"moved{number}-")
        moves.append({**meta, "key": key, "algorithms": names})
        arrays.update(own)
    notes = {"techniques": [item.full_spec for item in techniques], "moves": moves}
    with replacing(path) as file:
        write_npz(graph, file, progress, More(notes, arrays))


def opened(path: str | os.PathLike[str], graph: Graph) -> tuple[Technique, ...]:
    """The techniques of such a file, once what it holds is attached to its graph; none for any other file."""
    from nearly.graph.io.npz import read_more

    if not os.fspath(path).lower().endswith(".npz"):
        return ()
    notes, arrays = read_more(path, _sizes)
    if notes is None:
        return ()
    try:
        for meta in notes["moves"]:
            view = graph.symmetrized() if str(meta["key"]).endswith(kept.VIEWED) else graph
            kept.attach(graph, str(meta["key"]), kept.revived(meta, arrays, view))
        return tuple(from_spec(str(spec)) for spec in notes["techniques"])
    except (KeyError, TypeError, InvalidGraphError) as error:
        raise GraphFormatError(path, None, None, f"{error}; write the file again with nearly transform") from None


def _sizes(notes: Any) -> dict[str, int]:
    return {name: count for meta in notes["moves"] for name, count in kept.sizes(meta).items()}
