"""The phases of Louvain's method: rounds on one level, then the level above it.

`Climb` holds the levels and what is known on the way. `enact` repeats `step`: a round, or on a small level all
rounds of a phase in one compiled call. What techniques say to it is in `advice`.

What a round gains is the sum of what its moves would gain one by one, which is nearly right where few neighbours move
together. Where all vertices move at once, or a gain counts by its share of what is there, modularity itself is
computed after every round. Then it may fall, too, and recover, as neighbours that move at once are both wrong; a phase
goes on until it changes by no more than the threshold, up or down, as in Grappolo, and the best communities that were
met are what the phase ends with. So no phase ends lower than it began; and it ends, after `MOST_ROUNDS` at the latest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from nearly.algorithms.louvain.advice import Patience, Thresholds, TurnOrder
from nearly.algorithms.louvain.climb_on import climb_on, may_climb_on
from nearly.algorithms.louvain.kept_climb import kept_climb, take_climb
from nearly.algorithms.louvain.kernels import STEADY, Rule, Turn
from nearly.algorithms.louvain.level import SMALL, Groups, Level, coarsened, numbered
from nearly.algorithms.louvain.one_by_one import hoped_for, play_alone, wake_unhappy
from nearly.algorithms.louvain.order import CLASSES, NO_ORDER, classes_of
from nearly.algorithms.louvain.phase_state import Rounds, state_of, tables_of
from nearly.algorithms.louvain.refine import Parts, merge_inside
from nearly.algorithms.louvain.rounds import GAINED, LOOKED, MOVED, UNCUT, VISITED, Phase, play_rounds
from nearly.algorithms.louvain.small_levels import LOTS, REFINING, ROUNDING
from nearly.base.random import stream_key
from nearly.base.threads import kernel_threads
from nearly.engine.primitives import PIECES
from nearly.engine.run import Did, Run

MOST_ROUNDS = 64  # of a phase; real graphs take some ten
ORDERED = 8  # rounds of a given order; then turns are drawn: vertices that share one might follow each other for ever
ALONE = 1 << 23  # arcs and vertices up to which one worker that goes from vertex to vertex is done first
HASTE = 1e-3  # what a round, or a phase, of the first climb must gain at least for another one to follow
SETTLED = 4e-3  # what a second climb must gain on the given graph for levels above it to follow
SLIGHT = 5e-4  # what a second climb must promise
SAMPLED = 8  # one of so many vertices is asked what it promises
_SMALL = 1 << 20  # arcs and vertices: rounds that need no look in between


class Asked(NamedTuple):
    """What the caller of the algorithm asked for."""

    resolution: float
    tol: float
    refine: bool
    everyone: bool  # whether all vertices look around in every round, in one turn
    relative: bool  # whether gains count by their share of the modularity before
    hashed: bool  # whether communities around a vertex are kept in a hash map


class Climb:
    """The state of a run between rounds; the given graph is level 0."""

    def __init__(self, run: Run, level: Level, asked: Asked) -> None:
        self.run, self.level, self.asked = run, level, asked
        self.measured, self.drawn = asked.everyone or asked.relative, 1 if asked.everyone else CLASSES
        n, resolution = level.n, asked.resolution
        self.tables = tables_of(n, level.rows.targets.dtype, run.threads, asked.hashed)
        self.pieces = PIECES if n >= UNCUT else 1
        self._take_turns(NO_ORDER, self.drawn)
        self.maps: list[np.ndarray] = []  # for each level the vertex of the next that every one becomes
        self.tops: list[np.ndarray] = []  # the communities after each phase, as labels of the next level's vertices
        self.before = self.maps, self.tops  # those of the climb before
        self.ground, self.phases, self.climbs = level, 0, 1
        thresholds, self.patience = run.advice(Thresholds), run.advice(Patience) or Patience()
        self.scaling, self.thresholds = thresholds is not None, thresholds or Thresholds()
        saves = self.patience.chance > 0.0 or self.thresholds.high is not None
        self.twice = not (self.measured or saves)  # techniques that save rounds save the second climb, too
        self.finished = n == 0 or level.total <= 0.0
        self.modularity = 0.0 if self.finished else level.modularity(level.ids, resolution)
        self.begin(level, level.ids)

    def order(self, order: str) -> None:
        """Which vertices have turns together in the first phase: by name, unless a technique says otherwise."""
        run, advised = self.run, self.run.advice(TurnOrder)
        if advised or order != "random":
            self._take_turns(*(advised.turns(run.graph, run.seed) if advised else classes_of(run, order)))

    def _take_turns(self, turns: np.ndarray, classes: int) -> None:
        """From now on vertices have these turns, or are drawn by lot; with the memory they need to line up."""
        self.turns, self.classes = turns, classes
        self.line = np.empty(classes + 1, np.uint64), np.empty((self.pieces, classes), np.uint64)

    def begin(self, level: Level, label: np.ndarray) -> None:
        self.level, self.start, self.rounds = level, label, 0
        self.moved = self.gained = 0.0
        self.state, self.reached = state_of(level, label), self.modularity
        self.best, self.best_label = self.modularity, label  # of this phase, where modularity is measured

    @property
    def least(self) -> float:
        """What a round must gain for another one to follow."""
        said = self.thresholds.high if self.scaling else self.thresholds.low
        least = self.asked.tol if said is None else said
        return max(least, HASTE) if self.twice and self.climbs == 1 else least

    @property
    def refines(self) -> bool:
        """Whether communities are refined before the next level: in the last climb."""
        return self.asked.refine and (self.climbs > 1 or not self.twice)

    def _too_little(self, gain: float, before: float) -> bool:
        """Whether so little has been gained, over a modularity of `before`, that there is no more to hope for."""
        return gain <= (self.least * abs(before) if self.asked.relative else self.least)

    def step(self) -> Sequence[Did] | None:
        """Rounds of the phase; if they end it, also the way to the next."""
        if self.finished:
            return None
        if may_climb_on(self):
            return climb_on(self)
        if self.rounds >= ORDERED and self.turns.size and not self.measured:
            self._take_turns(NO_ORDER, CLASSES)
        until = ORDERED if self.turns.size else MOST_ROUNDS
        at_once = until - self.rounds if self.level.work < _SMALL and not self.measured else 1
        did = self._play(min(at_once, self.run.rounds_left))
        self.rounds += len(did)
        self.moved, self.gained = self.moved + did[:, MOVED].sum(), self.gained + did[:, GAINED].sum()
        place, found, before = {"climb": float(self.climbs), "phase": self.phases + 1.0}, None, self.reached
        if self.measured:
            did[-1, GAINED] = self._measure()
        reached = self.reached if self.measured else None
        if self._too_little(abs(did[-1, GAINED]), before) or self.rounds >= MOST_ROUNDS:
            self.end_phase()
            found = self.modularity
        return Rounds(did, place, reached, found)

    def _play(self, most: int) -> np.ndarray:
        """At most so many rounds of the phase; what they did."""
        level, did = self.level, np.zeros((most, 4))
        turn = Turn(self.turns, self._lot(LOTS, self.phases), np.uint64(self.classes))
        phase = Phase(level.rows, self.state, self.rule(), turn, self.tables, *self.line)
        played = self._launch(phase, np.uint64(self.rounds + 1), self.least, did)
        return did[:played]

    def _launch(self, phase: Phase, first: np.uint64, least: float, did: np.ndarray) -> int:
        """Rounds by one worker, vertex after vertex, or by several in turns."""
        run, work = self.run, self.level.work
        with kernel_threads(run.threads if work > SMALL else 1) as workers:
            if work >= ALONE or self.measured or self.turns.size:
                return run.launch(play_rounds, phase, first, least, did, workers, run.stop, work=work)
            phase = phase._replace(turn=phase.turn._replace(classes=np.uint64(0)))
            woke = first == 1 and self.start is not self.level.ids
            if woke:
                run.launch(wake_unhappy, *phase[:5], workers, run.stop, work=work)
            until = np.uint64(len(did))
            played = int(run.launch(play_alone, phase, first, least, did, np.uint64(0), until, run.stop, work=work))
            if woke:
                did[0, LOOKED : VISITED + 1] += self.level.n, self.level.arcs
            return played

    def _measure(self) -> float:
        """What the last round gained in truth, which may be less than nothing; remembers the best communities."""
        before, self.reached = self.reached, self.level.modularity(self.state.label, self.asked.resolution)
        if self.reached > self.best:
            self.best, self.best_label = self.reached, self.state.label.copy()
        return self.reached - before

    def _lot(self, stream: np.uint64, phase: int) -> np.uint64:
        """The random number that a phase, counted from 0, or its refinement begins with."""
        return np.uint64(stream_key(np.uint64(self.run.seed), np.uint64(int(stream) + phase)))

    def rule(self) -> Rule:
        level, patience = self.level, self.patience
        factor = self.asked.resolution * level.unit**2 / level.total
        slack = STEADY * level.unit
        worth = 2.0 / level.total
        rounds, chance = np.uint64(patience.rounds), float(patience.chance)
        return Rule(factor, slack, worth, 1.0 / level.unit, rounds, chance, self.asked.everyone)

    def end_phase(self) -> None:
        """Climb to the level of the communities found, if they are better than those known; else the climb is over."""
        if self.finished or not self.rounds:
            return
        self.phases += 1
        gain, before, level = 0.0, self.modularity, self.level
        if self.climbs > 1 and level is self.ground and self.gained <= SETTLED and not self.refines:
            gain = self._settle()
        elif self.moved or self.start is not level.ids:
            gain = self._rise()
        in_parts = self.level is not level and self.start is not self.level.ids
        if self.level is level:
            self.begin(level, self.start)
        if self._too_little(gain, before) and not self.finished and not in_parts:
            least, self.scaling = self.least, False
            if self.least == least:
                self.end_climb()

    def end_climb(self) -> None:
        """No phase gains enough any more."""
        if self.climbs == 1 and self.tops and self.twice:
            self._climb_again()
        else:
            self.finished = True

    def _rise(self) -> float:
        """The level above, if the communities found are better than those known; by how much they are."""
        level, label, refine = self.level, self.best_label if self.measured else self.state.label, self.refines
        del self.state  # its memory is needed now
        top, count = numbered(label)
        number, parts = numbered(self._refined(top, count)) if refine and count < level.n else (top, count)
        stuck = count < parts == level.n  # nothing merges inside communities: this level is the last
        if parts == count:
            number = top
        above = level if stuck else coarsened(self.run, level, number, parts, self.tables)
        inside = above.ids
        if parts > count:
            inside = np.empty(parts, top.dtype)
            inside[number] = top
        found = above.modularity(inside, self.asked.resolution)
        gain = found - self.modularity
        if gain > 0.0 or (refine and parts < level.n and gain > -ROUNDING):
            self.maps.append(number)
            self.tops.append(inside)
            self.modularity = found
            if self.turns.size:
                self._take_turns(NO_ORDER, self.drawn)
            self.begin(above, inside)
        return 0.0 if stuck else gain

    def _settle(self) -> float:
        """Keep the communities found, if they are better, without a level above: so little has changed."""
        self.finished, gain = True, 0.0
        if self.moved:
            top, count = numbered(self.state.label)
            found = self.level.modularity(top, self.asked.resolution)
            gain = found - self.modularity
        if gain > 0.0:
            self.maps, self.tops, self.modularity = [top], [np.arange(count, dtype=top.dtype)], found
        return gain

    def _climb_again(self) -> None:
        """Begin anew on the given graph, with the communities found, unless there is little to hope for."""
        label = self.labels()
        self.climbs, self.before = self.climbs + 1, (self.maps, self.tops)
        self.maps, self.tops = [], []
        self.begin(self.ground, label)
        alone = Turn(NO_ORDER, np.uint64(0), np.uint64(0))
        hope = hoped_for(self.level.rows, self.state, self.rule(), alone, self.tables, SAMPLED)
        little = hope <= max(self.least, SLIGHT)
        if little and self.refines:  # so no vertex of the given graph needs to look around, only parts do
            self.phases += 1
            self._rise()
        self.finished = little and self.level is self.ground

    def _refined(self, part: np.ndarray, count: int) -> np.ndarray:
        """Parts of the communities 0 to count - 1, each of them connected: vertices begin alone and merge."""
        level, run = self.level, self.run
        groups = Groups(part, np.empty_like(part), np.zeros(count + 1, np.uint64))
        parts = Parts(level.ids.copy(), self.tables.pairs, np.ones(level.n, np.bool_), np.empty(level.n))
        lot = self._lot(REFINING, self.phases - 1)
        with kernel_threads(run.threads if level.work > SMALL else 1) as workers:
            asked = (level.rows, parts, self.rule(), groups, self.tables, lot, workers, run.stop)
            run.launch(merge_inside, *asked, work=level.work)
        return parts.label

    def keep(self) -> dict[str, Any] | None:
        """All that the next phase begins with; see `nearly.engine.checkpoint`. Within a phase nothing is kept."""
        return None if self.rounds or self.finished else kept_climb(self)

    def take(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        take_climb(self, state)

    def labels(self) -> np.ndarray:
        """The communities as numbers of the given vertices."""
        maps, tops = (self.maps, self.tops) if self.tops else self.before
        here = tops[-1] if tops else self.ground.ids
        for number in reversed(maps):
            here = here[number]
        return here

    def hierarchy(self) -> list[np.ndarray]:
        """The communities after each phase of the last climb that found better ones."""
        made, here = [], None
        for number, top in zip(*((self.maps, self.tops) if self.tops else self.before)):
            here = number if here is None else number[here]
            made.append(top[here])
        return made
