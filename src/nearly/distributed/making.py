"""The ways to get a `DistributedGraph`: from files, from a graph here, from a saved one."""

from __future__ import annotations

import glob
import os
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from distributed import Client, Future

from nearly.base.errors import FileAccessError, InvalidArgumentError
from nearly.distributed.building import Building
from nearly.distributed.cluster import checked_client, part_count, placing, reaches, require_memory
from nearly.distributed.edges import file_edges, read_edges
from nearly.distributed.graph import DistributedGraph
from nearly.distributed.part import parts_of
from nearly.distributed.part_files import read_part, read_whole
from nearly.graph.csr import Graph
from nearly.graph.io import format_of
from nearly.graph.io.read_options import Options

BYTES_AN_EDGE = 64  # on all workers together while parts are made: as read, split, sent and built; 62 were measured


def read(  # noqa: PLR0913
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    client: Client,
    directed: bool | None = None,
    *,
    parts: int | None = None,
    format: str | None = None,
    duplicates: str | None = None,
    self_loops: str = "keep",
    negative: str = "reject",
    nan: str = "reject",
    weight_dtype: Any = None,
    weights: bool = True,
    names: bool | None = None,
    header: bool | None = None,
) -> DistributedGraph:
    """Read a graph whose edges lie in many files, each of which a worker reads; it is never on one machine at once.

    Parameters
    ----------
    paths : str or os.PathLike or list of these
        Files, or patterns such as `edges/*.parquet`; all workers must reach them by these names. A file is read whole
        by one worker. Any format of `nearly.read` will do, such as .parquet, .csv, .txt or .npz.
    client : dask.distributed.Client
        The cluster.
    directed, format, duplicates, self_loops, negative, nan, weight_dtype, weights, names, header
        As in `nearly.read`, for all files together.
    parts : int, optional
        How many parts; one for each thread of the workers when left out.

    Returns
    -------
    DistributedGraph
        Its vertices are numbered as `nearly.read` numbers those of one file with all edges: by ascending ids.

    Raises
    ------
    GraphFormatError
        A file breaks the rules of its format; says the file, the line and why.
    MemoryBudgetError
        The workers have too little memory together; nothing was read.
    """
    client = checked_client(client)
    files = _files(paths)
    kinds = [format or format_of(file) for file in files]
    options = {
        "directed": directed, "self_loops": self_loops, "negative": negative, "nan": nan, "weight_dtype": weight_dtype,
        "weights": weights, "names": names, "header": header,
    }  # fmt: skip
    Options(duplicates=duplicates, **options).check()
    count = part_count(client, parts)
    known = sum(file_edges(file, kind) for file, kind in zip(files, kinds) if os.path.exists(file))
    both_ways = 1 if directed in (None, True) else 2
    policies = {"duplicates": duplicates, "self_loops": self_loops}

    def recipe() -> tuple[list[Future], list[str], np.ndarray]:
        require_memory(client, BYTES_AN_EDGE * both_ways * known, f"a graph of about {known:,} edges")
        building = Building(client, count, policies)
        held = [
            building.submit("read", f, building.worker(f), read_edges, file, kind, options)
            for f, (file, kind) in enumerate(zip(files, kinds))
        ]
        return building.parts_from(held)

    return DistributedGraph(client, recipe)


def _files(paths: Any) -> list[str]:
    """The files that names and patterns stand for, in order."""
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    found: list[str] = []
    for one in given:
        text = os.fspath(one)
        matches = sorted(glob.glob(text)) if glob.has_magic(text) and not os.path.exists(text) else [text]
        if not matches:
            raise FileAccessError(2, f"{text}: no file has such a name")
        found += [match if "://" in match else os.path.abspath(match) for match in matches]
    missing = [file for file in found if "://" not in file and not os.path.isfile(file)]
    if missing:
        raise FileAccessError(2, f"{missing[0]} is no file; for all files of a folder pass a pattern such as 'edges/*'")
    if not found:
        raise InvalidArgumentError("paths must name at least one file")
    return found


def from_graph(graph: Graph, client: Client, parts: int | None = None) -> DistributedGraph:
    """A graph of this machine in parts on a cluster, for trying, or for answers that need many workers.

    Parameters
    ----------
    graph : Graph
        The graph; it is kept here too, for workers that come in place of lost ones.
    client : dask.distributed.Client
        The cluster.
    parts : int, optional
        How many parts; one for each thread of the workers when left out.

    Returns
    -------
    DistributedGraph
    """
    client = checked_client(client)
    if not isinstance(graph, Graph):
        raise InvalidArgumentError(f"graph must be a nearly.Graph, not {type(graph).__name__}; nd.read reads files")
    count = part_count(client, parts)

    def recipe() -> tuple[list[Future], list[str], np.ndarray]:
        require_memory(client, 16 * graph.m + 16 * graph.n, f"a graph of {graph.m:,} arcs")
        places, futures, bounds = placing(client, count), [], np.zeros(1, np.int64)
        direct = reaches(client, places[0])
        for part, place in zip(parts_of(graph, count), places):
            futures.append(client.scatter(part, workers=[place], direct=direct, hash=False))
            bounds = part.bounds
        return futures, places, bounds

    return DistributedGraph(client, recipe)


def open(folder: str | os.PathLike[str], client: Client) -> DistributedGraph:
    """A graph that `DistributedGraph.save` wrote, read by the workers.

    Parameters
    ----------
    folder : str or os.PathLike
        The folder; all workers must reach it by this name.
    client : dask.distributed.Client
        The cluster.

    Returns
    -------
    DistributedGraph
    """
    client, path = checked_client(client), os.path.abspath(os.fspath(folder))
    facts = read_whole(path)
    count = int(facts["parts"])

    def recipe() -> tuple[list[Future], list[str], np.ndarray]:
        size = sum(file.stat().st_size for file in Path(path).glob("part-*.npz"))
        require_memory(client, 2 * size, f"the graph in {path}")
        places, token = placing(client, count), uuid.uuid4().hex[:8]
        futures = [
            client.submit(read_part, path, p, key=f"nearly-open-{token}-{p}", workers=[place], pure=False)
            for p, place in enumerate(places)
        ]
        bounds = client.submit(_bounds, futures[0], key=f"nearly-bounds-{token}").result()
        return futures, places, bounds

    return DistributedGraph(client, recipe)


def _bounds(part: Any) -> np.ndarray:
    return part.bounds
