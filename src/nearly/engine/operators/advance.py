"""Advance (MG2): one functor on the edges of frontiers, round after round, under a policy.

`advance(run, visit, state, start)` makes rounds until nothing changes; that is what `run.advance` calls. An algorithm
that has more to do between rounds keeps an `Advance` and asks it for one `step` or one `push` at a time. It owns what
rounds share: two frontier buffers, the stamps that keep a vertex from entering a frontier twice, and the choice of
kernel. The policies differ only in how a frontier is cut into work:

- `topology`: every vertex, every round, until a round changes nothing;
- `frontier`: batches of the vertices that changed; rounds with few edges run many to a call on one thread;
- `heavy-light`: as frontier, but vertices above `threshold` are expanded edge by edge by all workers;
- `split`: as frontier, over virtual nodes of bounded degree.

With `wants` (does vertex v still look for a value?) a large frontier is turned round: the vertices that want a value
look for a neighbour in the frontier (pull), when that visits fewer edges.

A run that ends at its fixed point may read values of the round under way. Where it may be cut short, or copies of
vertices are merged by a rule that is not monotone, what it has done by then must not depend on the order of work: so if
the state has a field `before`, rounds read that, a copy of the values (the state's first field) that is brought up to
date after each round. Rounds that are recorded do so too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nearly.base.errors import InvalidArgumentError
from nearly.engine import recording
from nearly.engine.functor_wrappers import WAYS, sampled, sampled_edges, set_dial, sharing, with_copies, with_dial
from nearly.engine.operators import advance_kernels as kernels
from nearly.engine.operators.advance_split import push_split
from nearly.engine.operators.frontier import bitmap_of, join_bits, vertices_of
from nearly.engine.operators.idempotent import IdempotentRounds
from nearly.engine.primitives import scan
from nearly.engine.row_pieces import widest_row
from nearly.engine.trace import Did
from nearly.engine.transform.replicas import Copies
from nearly.graph.csr import Graph

POLICIES = ("topology", "frontier", "split", "heavy-light")
_NEVER = np.uint64(2**64 - 1)
_SERIAL_EDGES = 1 << 13  # a round of fewer edges is faster on one thread
_FEW = 1 << 14  # vertices whose edges are quickly counted, to tell a short launch from a long one
_ROUNDS_A_CALL = 1 << 12
_EDGES_A_CALL = 1 << 23  # some tens of milliseconds: control comes back often enough for Ctrl-C
_HEAVY, _VIRTUAL = 1024, 64  # default thresholds: edges of a heavy vertex, edges of a virtual node
_PULL_WHEN, _PUSH_WHEN = 8, 18  # Beamer's alpha and beta; from 4 to 15 the first makes little difference


def advance(
    run: Any,
    visit: Callable[..., bool],
    state: Any,
    start: Any,
    wants: Any = None,
    graph: Graph | None = None,
    idempotent: bool = False,
) -> bool:
    """Rounds from the vertices `start` on until nothing changes; False if they were stopped before."""
    if idempotent:
        _check_idempotent(run)
    if run.device != "cpu":
        from nearly.engine.cuda.search import advance as advance_there

        return advance_there(run, visit, state, start, graph)
    apart = run.cut_short or recording.rounds is not None or _merges_otherwise(run)
    if apart and "before" in state._fields:
        state = state._replace(before=state[0].copy())
    if graph is None and run.mapped is not None and run.mapped.special:
        from nearly.engine.transform.confluence import advance_with_copies

        return advance_with_copies(run, visit, state, start, wants)
    if idempotent:
        return run.enact(IdempotentRounds(run, graph or run.graph, visit, state).start(start).step)
    rounds = Advance(run, graph or run.graph, visit, state, wants=wants, partly=True)
    return run.enact(rounds.start(start).step)


def _check_idempotent(run: Any) -> None:
    """Refuse what needs every vertex once in a frontier, or another cut of the work."""
    if run.device != "cpu" or run.policy not in ("auto", "frontier"):
        raise InvalidArgumentError(
            "idempotent rounds cut frontiers in a way of their own: use the CPU and policy 'auto'"
        )
    if run.techniques or (run.mapped is not None and run.mapped.special):
        raise InvalidArgumentError("idempotent rounds visit all arcs and know no copies; leave out approx=")


def _merges_otherwise(run: Any) -> bool:
    """Whether values of copies are merged by a rule to which it matters in which round a value was written."""
    copies = None if run.mapped is None else run.mapped.copies
    return copies is not None and copies.merge not in ("auto", "min")


class SmallRounds(Sequence[Did]):
    """What many rounds of one call did: rows of (frontier, edges, ticks), and how large the next frontier is."""

    def __init__(self, rows: np.ndarray, size: int) -> None:
        self.rows, self.size = rows, size

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, i: Any) -> Any:
        frontier, edges, ticks = (int(x) for x in self.rows[i])
        last = i % len(self.rows) + 1 == len(self.rows)
        return Did(frontier, edges, float(ticks), changed=self.size if last else int(self.rows[i + 1, 0]))


class Advance:
    """One functor bound to a graph and a policy.

    Parameters
    ----------
    run : Run
        The run this belongs to (policy, threads, limits).
    graph : Graph
        Whose arcs are visited.
    visit : function
        `visit(state, u, v, e) -> bool`, whether v changed.
    state : NamedTuple of arrays
        What the functor works on.
    wants : function, optional
        `wants(state, v) -> bool`, for functors that may be pulled; needs the reverse graph.
    partly : bool or str
        Whether techniques may have it visit only a share of the arcs each round. "along", "back" or "both": of the
        arcs, of those of the reverse, or of edges; `keep_draw` then says how long a share stays.
    copies : Copies, optional
        Vertices that are lowered together with others, and join the frontier with them.
    """

    def __init__(
        self,
        run: Any,
        graph: Graph,
        visit: Callable[..., bool],
        state: Any,
        wants: Callable[..., bool] | None = None,
        partly: bool | str = False,
        copies: Copies | None = None,
    ) -> None:
        self.run, self.graph, self.visit, self.state, self.wants = run, graph, visit, state, wants
        self.copies, self.dial, self.kept = copies, None, False
        self.values, self.before = state[0], getattr(state, "before", state[0])
        if copies is not None:
            self.visit, self.state = sharing(visit), with_copies(state, copies)
        if partly and run.techniques and run.visits() is not None:
            self.dial = np.zeros(3, np.uint64)
            self.dial[2] = WAYS.get(partly, 0)  # type: ignore[arg-type]
            self.visit = sampled(self.visit) if partly is True else sampled_edges(self.visit)
            self.state = with_dial(self.state, self.dial)
        self.policy = "frontier" if run.policy == "auto" else run.policy
        dtype = graph.arrays.targets.dtype
        self.here, self.there = np.empty(graph.n, dtype), np.empty(graph.n, dtype)
        self.stamp, self.now = np.zeros(graph.n, np.uint32), 0
        self.size = 0
        self.everything = np.empty(0, dtype)
        self.unseen = graph.m  # edges of vertices no frontier has held yet, for the choice of direction
        self.ahead = 0  # edges of the frontier, where they were counted
        self.most = np.uint64(run.threshold or (_HEAVY if self.policy == "heavy-light" else _VIRTUAL))
        self.heavy = np.empty(graph.n if self.policy == "heavy-light" else 1, dtype)

    def reading(self, values: np.ndarray, before: np.ndarray) -> Advance:
        """Let rounds write `values` and read `before`, two arrays of the state that have other names there."""
        self.values, self.before = values, before
        return self

    def keep_draw(self, number: int) -> None:
        """From now on visit the share of the arcs that this draw chooses, if only a share is to be visited."""
        if self.dial is not None:
            set_dial(self.dial, self.run.seed, number, self.run.visits().share)
            self.kept = True

    def start(self, vertices: Any) -> Advance:
        """Begin with these vertices (topology: with all)."""
        vertices = np.asarray(vertices, self.here.dtype)
        self.size = vertices.size
        self.here[: self.size] = vertices
        return self

    def step(self) -> Sequence[Did] | None:
        """One round, or many small ones; None when there is nothing to do."""
        if self.size == 0:
            return None
        if self.before is not self.values:
            return [self.one_round()]
        if self.policy == "topology":
            return [self.push(self.everything)]
        if self._may_be_small:
            small = self._small_rounds()
            if small:
                return small
            if self.wants is not None and self._worth_pulling():
                return self._pull_rounds()
        return [self.push(self.here[: self.size])]

    @property
    def _may_be_small(self) -> bool:
        """Whether rounds of few edges may run on one thread."""
        return self.policy == "frontier" and self.dial is None and recording.rounds is None

    def one_round(self) -> Did:
        """One push of the frontier (topology: of all), after which `before` holds what the values are."""
        synchronous = self.before is not self.values
        if not synchronous and self._may_be_small and not getattr(self.visit, "settles", False):
            small = self._small_rounds(1)
            if small:
                return small[0]
        did = self.push(self.everything if self.policy == "topology" else self.here[: self.size])
        if synchronous:
            changed = self.here[: self.size]
            self.before[changed] = self.values[changed]
        return did

    def push(self, items: np.ndarray) -> Did:
        """Visit the out-edges of `items` (none: of all vertices) under the policy; `here[:size]` is what comes next."""
        run, counters = self.run, np.zeros(4, np.uint64)
        if self.dial is not None and not self.kept:
            set_dial(self.dial, run.seed, self.now, run.visits().share)
        self.now += 1
        count = items.size or self.graph.n
        work = int(self.graph.out_degrees[items].sum()) + count if 0 < items.size < _FEW else None
        output = kernels.Output(self.there, counters, self.stamp, np.uint32(self.now), True, True)
        if self.policy == "split":
            kernel, wanted = push_split(self.visit), self._virtual_nodes(items)
        else:
            threshold = self.most if self.policy == "heavy-light" else _NEVER
            batch = np.uint64(min(max(count // (run.threads * 16), 1), 64))
            kernel, wanted = (
                kernels.push(self.visit),
                kernels.Items(items, np.uint64(count), batch, threshold, self.heavy),
            )
        run.launch(kernel, self.graph.rows, wanted, output, self.state, run.threads, run.stop, work=work)
        self.here, self.there = self.there, self.here
        self.size = int(counters[kernels.EMITTED])
        edges = int(counters[kernels.EDGES])
        self.unseen -= edges
        if recording.rounds is not None:
            recording.note(self.graph, items, self.size)
        return Did(count, edges, changed=self.size)

    def _virtual_nodes(self, items: np.ndarray) -> kernels.Items:
        """The items with where each one's virtual nodes start, if each takes at most `most` edges."""
        degrees = self.graph.out_degrees if items.size == 0 else self.graph.out_degrees[items]
        nodes = -(-degrees.astype(np.int64) // int(self.most))
        first = np.empty(nodes.size + 1, np.uint64)
        scan(nodes, first)
        return kernels.Items(items, np.uint64(nodes.size), np.uint64(1), self.most, first)

    def _small_rounds(self, most: int = _ROUNDS_A_CALL) -> Sequence[Did]:
        if self.size > _SERIAL_EDGES:
            return []
        trace = np.zeros((min(self.run.rounds_left, most), 3), np.uint64)
        piles = kernels.Piles(self.here, self.there, self.stamp)
        limits = kernels.Limits(widest_row(self.graph), np.uint64(_SERIAL_EDGES), np.uint64(_EDGES_A_CALL))
        size, rounds = kernels.push_serial(self.visit)(
            self.graph.rows, piles, np.uint64(self.size), limits, np.uint32(self.now + 1), self.state, trace
        )
        rounds = int(rounds)
        self.now += rounds
        self.size = int(size)
        if rounds % 2:
            self.here, self.there = self.there, self.here
        self.unseen -= int(trace[:rounds, 1].sum())
        return SmallRounds(trace[:rounds], self.size)

    def _worth_pulling(self) -> bool:
        if self.size * 64 < self.graph.n:  # too few for the check to pay
            return False
        self.ahead = int(self.graph.out_degrees[self.here[: self.size]].sum())
        return self.ahead > max(self.unseen, 0) // _PULL_WHEN

    def _pull_rounds(self) -> list[Did]:
        """Pull until pushing visits fewer edges again."""
        run, rows, kernel = self.run, self.graph.reverse.rows, kernels.pull(self.visit, self.wants)
        bitmap = bitmap_of(self.here[: self.size], self.graph.n)
        other = np.zeros_like(bitmap)
        did: list[Did] = []
        while self.size and len(did) < run.rounds_left:
            counters = np.zeros(4, np.uint64)
            run.launch(kernel, rows, bitmap, other, counters, self.state, run.threads, run.stop)
            size, self.size = self.size, int(counters[kernels.EMITTED])
            self.unseen -= self.ahead
            self.ahead = int(counters[kernels.HEAVY])
            if self.copies is not None:
                joined, degrees = join_bits(other, self.copies.slot, self.copies.of, self.graph.arrays.offsets)
                self.size, self.ahead = self.size + int(joined), self.ahead + int(degrees)
            did.append(Did(size, int(counters[kernels.EDGES]), changed=self.size))
            bitmap, other = other, bitmap
            if self.size <= self.graph.n // _PUSH_WHEN and self.ahead <= max(self.unseen, 0) // _PULL_WHEN:
                break
        vertices_of(bitmap, self.here)
        return did
