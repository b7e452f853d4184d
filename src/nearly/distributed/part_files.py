"""Parts on disk, and values written by the workers that have them.

A saved graph is a folder: `graph.json` with what the whole is, and for each part `part-00000.npz`. Arrays are plain
NumPy ones, read without pickle; a reader checks them before any kernel sees them.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from nearly.base.errors import FileAccessError, GraphFormatError
from nearly.base.files import replacing
from nearly.distributed.part import Part
from nearly.graph.csr import Graph
from nearly.graph.names import Names

VERSION = 1
WHOLE = "graph.json"


def write_part(part: Part, folder: str) -> str:
    """Write a part to its file."""
    path = Path(folder) / f"part-{part.index:05d}.npz"
    path.parent.mkdir(parents=True, exist_ok=True)
    offsets, targets, weights = part.graph.arrays
    held: dict[str, Any] = {"bounds": part.bounds, "ghosts": part.ghosts, "offsets": offsets, "targets": targets}
    held["facts"] = np.array([VERSION, part.index, part.below, int(part.directed)])
    if part.graph.weighted:
        held["weights"] = weights
    if isinstance(part.ids, Names):
        held["names"], held["names_bounds"] = part.ids.data, part.ids.bounds
    elif part.ids is not None:
        held["ids"] = part.ids
    with replacing(path) as file:
        np.savez(file, **held)
    return str(path)


def read_part(folder: str, index: int) -> Part:
    """Read a part from its file."""
    path = Path(folder) / f"part-{index:05d}.npz"
    try:
        with np.load(path, allow_pickle=False) as file:
            held = {key: file[key] for key in file.files}
        version, number, below, directed = held["facts"].tolist()
        bounds, ghosts = held["bounds"].astype(np.int64), held["ghosts"].astype(np.int64)
        graph = Graph(held["offsets"], held["targets"], held.get("weights"))
        _check(version == VERSION and number == index, "it is of another version or another part")
        _check(bool((np.diff(bounds) >= 0).all()) and bounds[0] == 0, "its bounds do not ascend")
        size = int(bounds[index + 1] - bounds[index])
        _check(graph.n == ghosts.size + size and bool((np.diff(ghosts) > 0).all()), "its ghosts do not fit its arcs")
        outside = (ghosts < bounds[index]) | (ghosts >= bounds[index + 1])
        _check(bool(outside.all()) and (not ghosts.size or 0 <= ghosts[0] <= ghosts[-1] < bounds[-1]), "its ghosts")
        _check(below == int((ghosts < bounds[index]).sum()), "its ghosts do not lie where it says")
        ids = Names(held["names"], held["names_bounds"]) if "names" in held else held.get("ids")
        _check(ids is None or ids.size == size, "it does not hold one id for each vertex")
    except FileNotFoundError as error:
        raise FileAccessError(error.errno, f"{path} is not there: a saved graph has a file for each part") from None
    except (ValueError, KeyError, IndexError, OSError) as error:
        raise GraphFormatError(path, None, None, f"is no part of a saved graph: {error}; save it again") from None
    return Part(index, bounds, bool(directed), graph, ghosts, int(below), ids)


def _check(holds: bool, why: str) -> None:
    if not holds:
        raise ValueError(why)


def write_whole(folder: str | os.PathLike[str], facts: dict[str, Any]) -> None:
    """Say what the whole graph is."""
    path = Path(folder) / WHOLE
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        file.write(json.dumps({"version": VERSION, **facts}, indent=1).encode())


def read_whole(folder: str | os.PathLike[str]) -> dict[str, Any]:
    """What `write_whole` said."""
    path = Path(folder) / WHOLE
    try:
        facts = json.loads(path.read_bytes())
    except OSError as error:
        raise FileAccessError(error.errno, f"{folder} is no saved graph: {path} cannot be read") from None
    except ValueError:
        raise GraphFormatError(path, None, None, "is not what dg.save wrote; save the graph again") from None
    if not isinstance(facts, dict) or facts.get("version") != VERSION or not isinstance(facts.get("parts"), int):
        raise GraphFormatError(path, None, None, "is not what this version of dg.save writes; save the graph again")
    return facts


def write_values(part: Part, values: np.ndarray, folder: str, column: str) -> str:
    """Write the owned vertices' ids and values as one Parquet file."""
    import pyarrow
    from pyarrow import parquet

    path = Path(folder) / f"part-{part.index:05d}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    names = np.arange(part.first, part.first + part.size) if part.ids is None else part.ids
    vertices = pyarrow.array(names.array.tolist() if isinstance(names, Names) else names)
    with replacing(path) as file:
        parquet.write_table(pyarrow.table({"vertex": vertices, column: pyarrow.array(values)}), file)
    return str(path)
