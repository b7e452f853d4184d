"""PageRank on parts: plain rounds in float64 whose past is combined, and the bound that comes with every round.

With ranks x that sum to s, p uniform and f the mass on vertices that have arcs, a round computes
F'(x) = d A x + (1 - d f) p. It sums to 1 whatever x is, and where s = 1 it is the map F of
`nearly.algorithms.pagerank`, since 1 - d f = (1 - d) + d (mass on dangling vertices). In general
F(x) - F'(x) = d (s - 1) p. (With leaking, F'(x) = d A x + (1 - d) p is F itself.)

The bound is a theorem. F brings any two vectors nearer by d in the sum of absolute differences. Let y be what a round
computed, off from F'(x) by rounding of at most e in sum. Then ||x - F(x)|| <= ||x - y|| + e + d |s - 1| = r, so ||x -
x*|| <= r / (1 - d), and ||y - x*|| <= d r / (1 - d) + d |s - 1| + e. Each part adds up its share of ||x - y||, of s and
of e (an arc adds one rounding to its row's sum, and each part one to a vertex's total weight, so e is the sum over v of
(arcs + 8 + parts) eps y[v]); the numbers go along with the boundary values. So no further sweep is needed, and every
part ends in the same round: when r - e <= tol ("exact", as on one machine), when the bound is within `max_error`, or
when rounds run out ("certified").

Every five rounds the last ranks are combined (`nearly.algorithms.pagerank.combination`); the products of steps are sums
over parts. A combination after which a round changes more than before it is taken back. In the exchange before a
combination only numbers go, because the ranks are about to be replaced.

Within a budget, not all that changed is sent (`freezing`). What is withheld, the lag, moves what a round computes from
x, as rounding does, and enters the bound with it; where a round is judged by `tol`, it counts as change.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from nearly.algorithms.pagerank.combination import KEPT, PRODUCTS, STEPS, find_factors, mix_piece, products
from nearly.algorithms.shared.tiles import Tiles, add_strip, tiles_of
from nearly.algorithms.shared.weights import forbid_extremes, forbid_negative
from nearly.base.threads import kernel_threads
from nearly.distributed.messages import Arrays, Got, Send
from nearly.distributed.part import Part
from nearly.distributed.programs.freezing import Freezer
from nearly.distributed.programs.kernels import gather, row_totals, tally

_EPSILON = float(np.finfo(np.float64).eps)
_SUMS = 4 * 300 * _EPSILON  # what the sums of `tally` may be off, of which each is about 1 at most
_RING, _LAST = int(KEPT), int(KEPT) - 1


class Ranks:
    """The ranks of a part's vertices; see the top of the file."""

    view = "in"

    @staticmethod
    def needs(arguments: dict[str, Any]) -> tuple[str, ...]:
        """What must have been prepared."""
        totals = "weight totals" if arguments["weighted"] else "arc totals"
        return totals, *(() if arguments.get("thinned") is None else ((totals, arguments["thinned"]),))

    def __init__(self, part: Part, arguments: dict[str, Any], kept: dict[str, Any] | None) -> None:
        self.part, self.asked = part, arguments
        self.damping, self.leak = arguments["damping"], arguments["leak"]
        self.weighted = arguments["weighted"] and part.graph.weighted
        if self.weighted:
            forbid_negative(part.graph, "pagerank", "follow all arcs alike")
            forbid_extremes(part.graph, 1e-300, 1e300)
        self.rows = part.graph.arrays if self.weighted else part.graph.rows
        self.past = np.zeros((_RING, part.size))
        self.at, self.held, self.since, self.wait, self.check = 0, 1, 0, _LAST, False
        self.before = self.last = np.inf
        self.swept = 1.0  # the sum of the ranks before the last round
        self.lag = 0.0  # how far off the last round is for what was withheld from it
        self.freezer: Freezer | None = None
        self.fresh, self.done = True, 0
        self.kept = kept
        self.given = np.zeros(part.graph.n)
        self.arrived = np.zeros(part.graph.n)
        self.boxes: list[dict[int, np.ndarray]] = [{}, {}]
        self.facts: dict[str, Any] = {}

    def keep(self) -> dict[str, Any]:
        """The ranks held, and where in the cycle of combinations they are."""
        marks = [self.at, self.held, self.since, self.wait, self.check, self.fresh, self.done]
        return {"past": self.past, "marks": marks, "numbers": [self.before, self.last, self.swept, self.lag]}

    def _take(self, kept: dict[str, Any]) -> None:
        self.past[:] = kept["past"]
        self.at, self.held, self.since, self.wait, check, fresh, self.done = kept["marks"].tolist()
        self.check, self.fresh = bool(check), bool(fresh)
        self.before, self.last, self.swept, self.lag = kept["numbers"].tolist()

    @property
    def ranks(self) -> np.ndarray:
        return self.past[self.at]

    def _ready(self) -> tuple[np.ndarray, Tiles | None]:
        """What the arcs of the vertices weigh, and the arcs in tiles."""
        part = self.part
        totals = part.__dict__["arc_totals"][self.weighted]
        with np.errstate(divide="ignore"):
            self.inverse = np.where(totals > 0, 1 / totals, 0.0)
        self.roundings = _EPSILON * (np.diff(part.graph.arrays.offsets)[part.own] + 8.0 + part.parts)
        return totals, self._tiles()

    def rounds(self) -> Generator[Send, Got, None]:
        part, d = self.part, self.damping
        totals, tiles = self._ready()
        if self.kept is not None:
            self._take(self.kept)
        elif not part.directed and not self.weighted and self.asked["arcs"]:  # without jumps, ranks would be degrees
            self.ranks[:] = (1 - d) / part.n + d * totals / self.asked["arcs"]
        else:
            self.ranks[:] = 1 / max(part.n, 1)
        if self.asked["max_error"] is not None:
            self.freezer = Freezer(part, part.__dict__["read_totals"][self.weighted], d, self.asked["max_error"])
        self._tally()
        while True:
            combining = self.since >= self.wait
            more = self._products() if combining else ()
            values, lag = ({}, 0.0) if combining else self._boundary()
            extra = {} if self.fresh else {"change": float(self.sums[0])}
            got = yield Send(values, (*self.sums, lag, *more), part.graph.m, part.size, not combining, extra)
            change, follow, total, rounding, lag = (got.total(k) for k in range(5))
            self._hear(got)
            if not self.fresh and self._ends(change, rounding + _SUMS):
                break
            if self._went_back(change) or (combining and self._combined(change, got.numbers[:, 5:])):
                continue
            if combining:  # not after all: what others read is still to be sent
                self.since = 0
                continue
            self.last = np.inf if self.fresh else change
            self.swept, self.lag = total, lag
            self._sweep(tiles, 1 - d if self.leak else 1 - d * follow)
        self.values = self.ranks.copy()

    def _tally(self) -> None:
        """What goes out with the ranks as they are now: shares, and the sums of this part."""
        before = self.ranks if self.fresh else self.past[(self.at + _RING - 1) % _RING]
        low = np.uint64(self.part.own.start)
        self.sums = tally(self.ranks, before, self.inverse, self.roundings, self.given, low)

    def _boundary(self) -> tuple[dict[int, Arrays], float]:
        """The shares that other parts read, in the room of the exchange before last, which all have read by now.

        Room is used again because in workers of Dask new memory is fetched from the system each time.
        """
        if self.freezer is not None:
            return self.freezer.messages(self.given, float(self.sums[0]))
        self.boxes.reverse()
        share = self.given[self.part.own]
        for q, wanted in self.part.needed.items():
            if q not in self.boxes[0]:
                self.boxes[0][q] = np.empty(wanted.size)
            np.take(share, wanted, out=self.boxes[0][q], mode="clip")
        return {q: (box,) for q, box in self.boxes[0].items()}, 0.0

    def _hear(self, got: Got) -> None:
        """What other parts' vertices hand on."""
        if self.freezer is not None:
            self.freezer.hear(got, self.given)
            return
        for q, (arrived,) in got.values.items():
            self.given[self.part.ghost_slices[q]] = arrived

    def _sweep(self, tiles: Tiles | None, spread: float) -> None:
        """One round, into the next row of the ring."""
        part, new = self.part, (self.at + 1) % _RING
        if tiles is None:
            gather(self.rows, self.given, np.uint64(part.own.start), np.uint64(part.own.stop), self.arrived)
        else:
            self.arrived[:] = 0
            for s in range(tiles.strips.size - 1):
                low, high = int(tiles.strips[s]), int(tiles.strips[s + 1])
                add_strip(tiles, np.uint64(s), self.given, self.arrived[low:high])
        np.multiply(self.arrived[part.own], self.damping, out=self.past[new])
        self.past[new] += spread / max(part.n, 1)
        self.at, self.held, self.since = new, min(self.held + 1, _RING), self.since + 1
        self.fresh, self.done = False, self.done + 1
        self._tally()

    def _ends(self, change: float, rounding: float) -> bool:
        """Whether this was the last round; if so, what is known of the ranks."""
        d = self.damping
        off = 0.0 if self.leak else d * abs(self.swept - 1)
        rounding += self.lag
        residual = change + rounding + off
        bound = d * residual / (1 - d) + off + rounding
        converged = change + off + self.lag <= self.asked["tol"]
        enough = self.asked["max_error"] is not None and bound <= self.asked["max_error"]
        if not converged and not enough and self.done < self.asked["max_rounds"]:
            return False
        self.facts = {"residual": d * residual + off + rounding, "bound": bound, "converged": bool(converged)}
        return True

    def _went_back(self, change: float) -> bool:
        """Take a combination back that was no gain."""
        if self.fresh:
            return False
        worse = self.check and change > self.before
        self.check = False
        if worse:
            self.at, self.held, self.since = (self.at + _RING - 2) % _RING, 1, 0
            self.wait, self.fresh = 2 * self.wait, True
            self._tally()
        return worse

    def _products(self) -> np.ndarray:
        """The products of the last steps with each other, over this part."""
        steps, sums = self.held - 1, np.zeros(PRODUCTS)
        first = (self.at + _RING - steps) % _RING
        products(self.past, np.uint64(first), np.uint64(steps), np.uint64(0), np.uint64(self.part.size), sums)
        return sums

    def _combined(self, change: float, sums: np.ndarray) -> bool:
        """Combine the last ranks, unless the next round will be the last anyway."""
        steps, soon = self.held - 1, change * change <= self.asked["tol"] * self.last
        factors = np.empty(STEPS)
        if soon or not find_factors(np.ascontiguousarray(sums), np.uint64(steps), factors):
            return False
        first = (self.at + _RING - steps) % _RING
        bounds = (np.uint64(0), np.uint64(self.part.size))
        mix_piece(self.past, np.uint64(first), np.uint64(steps), factors, True, *bounds)
        self.at, self.held, self.since, self.wait = (self.at + 1) % _RING, 1, 0, max(self.wait, _LAST)
        self.before, self.check, self.fresh = change, True, True
        self._tally()
        return True

    def _tiles(self) -> Tiles | None:
        """The arcs in tiles where that pays; kept with the part for the next run."""
        if self.weighted:
            return None
        part = self.part
        if "tiles" not in part.__dict__:
            with kernel_threads(1, work=0):
                part.__dict__["tiles"] = tiles_of(part.push)
            if part.__dict__["tiles"] is not None:  # then nothing of a round reads these
                part.__dict__.pop("push", None)
                part.graph.__dict__.pop("_reverse", None)
        return part.__dict__["tiles"]


class Residual(Ranks):
    """How far given ranks are from those of the whole graph at most, by one round: for ranks of some of the arcs."""

    def rounds(self) -> Generator[Send, Got, None]:
        d, (_, tiles) = self.damping, self._ready()
        self.ranks[:] = self.asked["values"]
        self._tally()
        got = yield Send(self._boundary()[0], self.sums, self.part.graph.m, self.part.size)
        self._hear(got)
        follow, total = got.total(1), got.total(2)
        self._sweep(tiles, 1 - d if self.leak else 1 - d * follow)
        got = yield Send({}, self.sums)
        residual = got.total(0) + got.total(3) + _SUMS + (0.0 if self.leak else d * abs(total - 1))
        self.facts = {"residual": residual, "bound": residual / (1 - d)}
        self.values = np.empty(0)


def arc_totals(part: Part, weighted: bool) -> Generator[Send, Got, None]:
    """What the arcs of each owned vertex weigh together, wherever they lead, and for each part those it has; kept."""
    if weighted:
        totals = np.empty(part.graph.n)
        row_totals(part.push.arrays, totals)
    else:
        totals = np.diff(part.push.arrays.offsets).astype(np.uint32)
    got = yield Send({q: (totals[there],) for q, there in part.ghost_slices.items()})
    own = totals[part.own].astype(np.float64)
    for q in sorted(got.values):
        own[part.needed[q]] += got.values[q][0]
    part.__dict__.setdefault("arc_totals", {})[weighted] = own
    part.__dict__.setdefault("read_totals", {})[weighted] = {q: arrays[0] for q, arrays in got.values.items()}
