"""`DistributedGraph`: a graph whose parts lie on the workers of a Dask cluster.

It knows how it was made (`recipe`), so that it can be made again after workers were lost, with as many parts and
the same bounds. What programs need beside the arcs (an undirected view, sums of weights) is prepared on first use.
"""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import Callable
from typing import Any

import numpy as np
from distributed import Client, Future

from nearly.base.arguments import is_whole, shown, vertex
from nearly.base.errors import InvalidArgumentError, NearlyError
from nearly.distributed.cluster import (
    LOSSES,
    Host,
    call,
    call_all,
    let_settle,
    require_memory,
    require_memory_of_each,
    start_actors,
)
from nearly.distributed.errors import ClusterError
from nearly.distributed.part_files import write_whole
from nearly.distributed.replica import assembled, replica_bytes
from nearly.graph.csr import Graph
from nearly.graph.names import Labels, Names

# makes the parts on workers: the futures, where they are, and the bounds
Recipe = Callable[[], tuple[list[Future], list[str], np.ndarray]]


_ATTEMPTS = 4
_GIVE_UP = 5.0  # seconds for a worker to answer that a run is over


class DistributedGraph:
    """A graph in parts on the workers of a cluster; `nd.read`, `nd.from_graph`, `nd.open` and `nd.generate` make one.

    Attributes
    ----------
    n : int
        The number of vertices.
    m : int
        The number of stored arcs; an undirected edge is two.
    parts : int
        The number of parts.
    directed : bool
        Whether an arc may lack its mirror image.
    weighted : bool
        Whether the arcs have weights.
    named : bool
        Whether the vertices have names: ids that are strings.
    """

    def __init__(self, client: Client, recipe: Recipe) -> None:
        self.client, self._recipe = client, recipe
        self.hosts: list[Host] = []
        self.generation = 0  # how often the parts were made
        self.make()

    def make(self) -> None:
        """Make the parts, again if they were there; where workers are lost meanwhile, with those that are left."""
        for attempt in range(_ATTEMPTS):
            try:
                if attempt or self.generation:
                    let_settle(self.client)
                self._make()
                return
            except LOSSES as error:
                if isinstance(error, NearlyError):
                    raise
                last = error
        raise ClusterError(f"workers were lost again and again while the graph was made, at last: {last}")

    def _make(self) -> None:
        self.hosts = []
        self._prepared: set[str] = set()
        parts, addresses, self.bounds = self._recipe()
        self.hosts = start_actors(self.client, parts, addresses)
        del parts
        self.generation += 1
        peers = [(host.address, host.key) for host in self.hosts]
        facts = self.call_all("meet", peers)
        self.sizes = [int(one["arcs"]) for one in facts]
        self.m, self.weighted = sum(self.sizes), bool(facts[0]["weights"])
        self.directed, self._labelled = bool(facts[0]["directed"]), any(one["ids"] for one in facts)
        self.named = any(one["ids"] == "names" for one in facts)

    @property
    def n(self) -> int:
        return int(self.bounds[-1])

    @property
    def parts(self) -> int:
        return self.bounds.size - 1

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        weights = ", weighted" if self.weighted else ""
        workers = len({host.address for host in self.hosts})
        return f"<DistributedGraph: {self.n:,} vertices, {self.m:,} arcs, {kind}{weights}, {self.parts} parts on {workers} workers>"  # noqa: E501

    def call_all(self, method: str, *arguments: Any) -> list[Any]:
        """What all parts answer to a call."""
        return self.client.sync(call_all, self.client, self.hosts, method, *arguments)

    def prepare(self, names: tuple[str, ...]) -> None:
        """Let the parts make what programs need."""
        for name in names:
            if name not in self._prepared:
                if name == "undirected" and self.directed:
                    require_memory(self.client, 32 * self.m, "the undirected view")
                if name == "replica":
                    require_memory_of_each(self.client, replica_bytes(self.n, self.m), "the whole graph")
                run = f"prepare-{uuid.uuid4().hex}"
                try:
                    self.call_all("prepare", run, name)
                except BaseException:
                    self.cancel(run)
                    raise
                self._prepared.add(name)

    def cancel(self, run: str) -> None:
        """Tell the parts that are left to end a run; those of a worker that is known to be gone are not waited for."""

        async def each() -> None:
            known = (await self.client.scheduler.identity(n_workers=-1))["workers"]
            left = [host for host in self.hosts if host.address in known]
            calls = [asyncio.wait_for(call(self.client, host, "cancel", run), _GIVE_UP) for host in left]
            await asyncio.gather(*calls, return_exceptions=True)

        self.client.sync(each)

    def index(self, name: Any) -> int:
        """The number of the vertex that has this id or name in the files.

        Parameters
        ----------
        name : int or str
            The id or name.

        Returns
        -------
        int
        """
        if not self._labelled:
            return vertex("vertex", name, self.n)
        found = max(self.call_all("find", name), default=-1)
        if found < 0:
            raise InvalidArgumentError(f"{shown(name)} is not the id of a vertex of this graph")
        return int(found)

    def vertex(self, name: str, given: Any) -> int:
        """An argument that is a vertex: a number is an index, a string a name."""
        if isinstance(given, str):
            return self.index(given)
        if not is_whole(given):
            raise InvalidArgumentError(f"{name} must be a vertex number or a name, not {shown(given)}")
        return vertex(name, given, self.n)

    def ids(self) -> Labels:
        """The ids of all vertices, brought here; None where they are 0..n-1."""
        if not self._labelled:
            return None
        pieces = self.call_all("fetch", "ids")
        if isinstance(pieces[0], Names):
            return Names.of(np.concatenate([piece.array for piece in pieces]), ascending=None)
        return np.concatenate(pieces)

    def to_graph(self) -> Graph:
        """The whole graph as one on this machine.

        Returns
        -------
        Graph
            Equal to what the readers and generators of one machine make of the same input.
        """
        from nearly.base.memory import require

        require(2 * (16 * self.m + 16 * self.n), f"a graph of {self.n:,} vertices and {self.m:,} arcs")
        graph = assembled(self.call_all("fetch", "part"), self.directed)
        return Graph._trusted(graph.arrays, self.directed, self.ids())

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the parts to a folder, each by its worker; `nd.open` reads them back.

        Parameters
        ----------
        folder : str or os.PathLike
            A folder that all workers reach; it is made where it is not there.
        """
        path = os.path.abspath(os.fspath(folder))
        self.call_all("save", path)
        write_whole(path, {"parts": self.parts, "vertices": self.n, "arcs": self.m, "directed": self.directed})
