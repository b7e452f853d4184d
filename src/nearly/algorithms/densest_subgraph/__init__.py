"""The densest subgraph: vertices with the most edges among them for each of them.

Returns whether each vertex is in it; `.density` is its edges over its vertices, and `.upper` what no subgraph exceeds.
Exact is the default, and then it is the largest of the densest ones, which is unique. A directed graph is read as
undirected; loops and parallel edges play no role.
Method: a densest subgraph lies in the core of its density, which is mostly a small part of the graph. There, rounds of
peeling bring density and bound together (`peeling`), and a flow that starts from what they leave decides the rest
(`flow`). With `max_error` rounds end when density / upper is within it, and no flow is needed: certified. A small
`max_error` is reached faster by the flow than by the many rounds it would need.
The certificate counts the edges of the answer, and sees that edges can be shared out so that no vertex of the core gets
more than the bound.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.accuracy.judges import SETS
from nearly.algorithms.densest_subgraph.flow import (
    FAR,
    divide,
    edges_inside,
    mark_closed,
    new_flow,
    pass_on,
    spread_levels,
)
from nearly.algorithms.densest_subgraph.peeling import cut_to, peel_round, whole
from nearly.algorithms.kcore import kcore
from nearly.algorithms.shared.pair_scores import plain_degrees
from nearly.base.memory import require
from nearly.engine.algorithm import ONE_POLICY, algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Did, Run
from nearly.graph.csr import Graph
from nearly.graph.opposite_arcs import find_opposites

_ROUNDS = 12  # before the flow; more make its start better, and cost more than they save


class Shares(NamedTuple):
    """A proof of the bound: every edge of a core has `units`, and `held` are those at the source of each arc."""

    vertices: np.ndarray
    targets: np.ndarray  # of the arcs of the core, in the numbers of `vertices`
    rows: np.ndarray
    held: np.ndarray
    units: int


class DensestResult(Result):
    """A densest subgraph."""

    shows = "members"

    values: np.ndarray = field("whether each vertex is in the subgraph, bool", column="inside")
    vertices: np.ndarray = field("the vertices of the subgraph, ascending, int64")
    density: float = field("its edges over its vertices")
    upper: float = field("no subgraph is denser than this")
    shares: Shares = field("how edges are shared out so that no vertex gets more than the bound")


def simple_view(graph: Graph) -> Graph:
    """The undirected graph without loops and parallel edges."""
    view = graph.symmetrized()
    if int(plain_degrees(view).sum(dtype=np.int64)) == view.m:
        return view
    rows, targets = view.arc_rows(), view.arrays.targets
    once = rows < targets
    return Graph.from_edges(rows[once], targets[once], n=view.n, directed=False, duplicates="first")


def certificate(graph: Graph, result: DensestResult) -> Certificate:
    """The edges of the answer counted again, and the shares of the bound."""
    claim = "the vertices have that many edges, and the edges of the core can be shared out within the bound"
    simple, member, held = simple_view(graph), np.asarray(result.values, bool), result.shares.held
    density = int(edges_inside(*simple.arrays[:2], member)) / 2 / max(int(member.sum()), 1)
    core, shares = np.flatnonzero(kcore(simple).values >= np.ceil(density - 1e-9)), result.shares
    same = np.isin(core, shares.vertices).all()
    part = cut_to(whole(simple), np.isin(np.arange(simple.n), shares.vertices))
    rows = np.repeat(np.arange(part.vertices.size), np.diff(part.offsets).astype(np.int64))
    if not same or not np.array_equal(part.targets, shares.targets) or not np.array_equal(rows, shares.rows):
        return Certificate(False, claim)
    mirror = np.arange(rows.size, dtype=np.uint64)
    find_opposites(part.offsets, part.targets, mirror)
    shared = bool((held >= 0).all() and (held + held[mirror] == shares.units).all())
    most = int(np.bincount(rows, held, minlength=1).max(initial=0)) / shares.units
    near = 1e-9 * max(result.upper, 1.0)
    ok = shared and most <= result.upper + near and abs(density - result.density) <= near
    gap = (result.upper - density) / result.upper if result.upper > 0 else 0.0
    if result.guarantee == "exact":
        return Certificate(ok and abs(result.upper - density) <= near, claim + ", which is its density", 0.0)
    return Certificate(ok and density <= result.upper + near, claim, max(gap, 0.0))


class Search:
    """The densest subgraph found so far, and the least bound."""

    def __init__(self, run: Run) -> None:
        self.run, self.graph = run, simple_view(run.graph)
        require(48 * self.graph.m, "the densest subgraph")
        self.core = kcore(self.graph, threads=run.threads).values
        level = int(self.core.max(initial=0))
        self.part = cut_to(whole(self.graph), self.core >= (level + 1) // 2)  # its own density is half the level
        self.density, self.rounds = -1.0, 0
        self.found = np.empty(0, np.int64)

    def round(self) -> Did:
        """Another round of peeling."""
        part, run = self.part, self.run
        size = part.vertices.size
        order = np.empty(size, np.uint32)
        work = 8 * part.targets.size
        best, edges = run.launch(peel_round, part, order, run.stop, work=work)
        self.rounds += 1
        self.keep(part.vertices[order[int(best) :]], int(edges))
        if self.rounds == 1:
            keep = self.core[part.vertices] >= np.ceil(self.density - 1e-9)
            self.part = cut_to(part, keep)
        return Did(size, part.targets.size)

    def keep(self, vertices: np.ndarray, edges: int) -> None:
        """Note a subgraph if it is denser."""
        density = edges / max(vertices.size, 1)
        if density > self.density:
            self.density, self.found = density, np.sort(vertices)

    @property
    def upper(self) -> float:
        """No subgraph is denser."""
        return int(self.part.load.max(initial=0)) / max(self.rounds, 1)

    @property
    def gap(self) -> float:
        """How far below the bound the density may be, relative to it."""
        return 1.0 - self.density / self.upper if self.upper > 0 else 0.0

    def result(self) -> DensestResult:
        """What is certain after some rounds."""
        return self.made(self.found, self.upper, self.part.given, self.rounds, "certified")

    def made(self, vertices: np.ndarray, upper: float, held: np.ndarray, units: int, word: str) -> DensestResult:
        member = np.zeros(self.graph.n, np.bool_)
        member[vertices] = True
        rows = np.repeat(np.arange(self.part.vertices.size), np.diff(self.part.offsets).astype(np.int64))
        shares = Shares(self.part.vertices, self.part.targets, rows, held, units)
        result = DensestResult(
            member, guarantee=word, vertices=vertices, density=self.density, upper=upper, shares=shares
        )
        result.error_kind, result.error_scope = "relative", "aggregate"
        if word != "exact":
            result.error = self.gap
            result.interval = self.density, upper
        return result

    def exact(self) -> DensestResult:
        """The largest densest subgraph, by flow."""
        part, run, work = self.part, self.run, 8 * self.part.targets.size
        flow = new_flow(part.offsets, part.targets)
        member = np.isin(part.vertices, self.found)
        while True:
            units, room = max(int(member.sum()), 1), int(edges_inside(part.offsets, part.targets, member)) // 2
            divide(flow, part.given, max(self.rounds, 1), units)
            while run.launch(spread_levels, flow, room, work=work):
                run.launch(pass_on, flow, room, run.stop, work=work)
            if not (flow.load > room).any():
                break
            member = flow.level < FAR  # what the too full ones reach
        closed = np.empty(member.size, np.bool_)
        mark_closed(flow, room, closed)
        self.density = room / units
        return self.made(part.vertices[closed], self.density, flow.held, units, "exact")


@algorithm(
    memory=Needs(vertex=150, arc=48),
    policies=ONE_POLICY,
    certificate=certificate,
    judge=SETS,
    undirected=True,
    direct=True,
)
def densest_subgraph(run: Run) -> DensestResult:
    """The densest subgraph, with the most edges for each of its vertices; the largest, where there are several.

    A directed graph is read as undirected. `max_error` is relative: the density is at most that share below the upper
    bound. After a limit on the rounds, the answer is certified to lie between `.density` and `.upper`.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 0, 0, 1, 1, 2, 3], [1, 2, 3, 2, 3, 3, 4], directed=False)
    >>> r = nearly.densest_subgraph(g)
    >>> r.vertices.tolist(), r.density, r.upper
    ([0, 1, 2, 3], 1.5, 1.5)
    """
    search = Search(run)
    asked = run.max_error

    def step() -> list[Did] | None:
        enough = search.rounds >= _ROUNDS or search.gap <= (asked or 0.0)
        return None if search.rounds and enough else [search.round()]

    finished = run.enact(step) if run.graph.n else True
    within = asked is not None and search.rounds > 0 and search.gap <= asked
    return search.exact() if finished and not within else search.result()
