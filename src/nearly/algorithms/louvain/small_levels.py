"""What is left of a climb, in one compiled call: on small levels what is done between phases takes longer than phases.

It does what `phases` does from phase to phase, with the same pieces, so that the answer is the same: rounds (see
`one_by_one`), communities numbered, refined where that is asked for (see `refine`), the level above, its modularity.
One worker does all. It comes back when the climb is over, or when what there is to write on is full.

Only levels of communities are climbed so, not the given graph, whose arrays may be read-only and of other types.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nearly.algorithms.louvain.kernels import Rows, Scratch, State, Turn
from nearly.algorithms.louvain.level import ARCS, Groups, Level, contract_rows, group, modularity_of, number_labels
from nearly.algorithms.louvain.one_by_one import play_alone, wants_to_move
from nearly.algorithms.louvain.refine import Parts, merge_all
from nearly.algorithms.louvain.rounds import LOOKED, MOVED, VISITED, Phase
from nearly.base.jit import kernel
from nearly.base.random import stream_key
from nearly.base.unsigned import U0, U1

ROUNDING = 1e-12
LOTS, REFINING = (
    np.uint64(0x4C00),
    np.uint64(0x4D00),
)  # which random numbers: one stream a phase, and another for its refinement
PHASES = 32  # that fit into a book
ROUNDS = np.uint64(64)  # of a phase at most
MAP, TOP, TURNS = (np.uint64(i) for i in range(3))  # columns of `Book.sizes`


class Book(NamedTuple):
    """What was found on the way."""

    did: np.ndarray  # float64[rounds, 4], what rounds did
    sizes: np.ndarray  # uint64[PHASES, 3]: of the map and of the communities of a phase, 0 if it found none; its rounds
    found: np.ndarray  # float64[PHASES], the modularity after each phase
    pages: np.ndarray  # the maps and communities one after the other
    seed: np.uint64
    first: np.uint64  # how many phases there were before


class Place(NamedTuple):
    """Where a climb stands between two phases."""

    rows: Any
    arcs: np.uint64
    label: np.ndarray  # the communities to begin with
    plain: bool  # whether every vertex is one
    modularity: float


class Aim(NamedTuple):
    """What the climb is after."""

    least: float  # what a round or a phase must gain for another to follow
    resolution: float
    unit: float
    total: float
    refine: bool


def new_book(level: Level, seed: int, phases: int) -> Book:
    """Empty pages, enough for levels that shrink by a quarter each."""
    pages = np.empty(8 * level.n, level.rows.targets.dtype)
    did = np.empty((4 * int(ROUNDS), 4))
    return Book(did, np.zeros((PHASES, 3), np.uint64), np.zeros(PHASES), pages, np.uint64(seed), np.uint64(phases))


def read_book(book: Book, phases: int) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """For each phase what its rounds did, its map and its communities; these are empty where it found none."""
    read: list[tuple[Any, Any, Any]] = []
    row = at = 0
    for size, top, rounds in book.sizes[:phases].tolist():
        read.append((book.did[row : row + rounds], book.pages[at : at + size], book.pages[at + size : at + size + top]))
        row, at = row + rounds, at + size + top
    return read


@kernel
def begin(rows, label):
    """The state of a phase, all vertices awake."""
    n = np.uint64(label.size)
    weight, size = np.zeros(n, np.int64), np.zeros(n, np.int64)
    awake, margin, moved_in = np.ones(n, np.bool_), np.zeros(n, np.int64), np.zeros(n, np.uint8)
    state = State(np.empty_like(label), np.empty_like(label), weight, size, awake, margin, moved_in)
    for v in range(n):
        state.label[v] = label[v]
        weight[label[v]] += rows.strength[v]
    return state


@kernel
def merged(rows, top, count, rule, tables, lot, stop):
    """Parts of the communities 0 to count - 1, as labels."""
    n = np.uint64(top.size)
    parts = Parts(np.empty_like(top), tables.pairs, np.ones(n, np.bool_), np.empty(n, np.float64))
    for v in range(n):
        parts.label[v] = v
    groups = Groups(top, np.empty_like(top), np.zeros(count + U1, np.uint64))
    merge_all(rows, parts, rule, groups, tables, lot, stop)
    return parts.label


@kernel
def contracted(rows, arcs, number, count, tables):
    """The rows of the level above, and how many arcs they have."""
    groups = Groups(number, np.empty_like(number), np.zeros(count + U1, np.uint64))
    starts, ends = np.empty(count, np.uint64), np.empty(count, np.uint64)
    targets, weights = np.empty(arcs, number.dtype), np.empty(arcs, np.float64)
    coarse = Rows(starts, ends, targets, weights, np.empty(count, np.int64), np.empty(count, np.float64))
    counters = np.zeros(2, np.uint64)
    group(groups)
    contract_rows(rows, groups, coarse, Scratch(tables.sums, tables.used, tables.keys, U0), U0, count, counters)
    return coarse, counters[ARCS]


@kernel
def renumbered(label):
    """As `numbered`."""
    number = np.empty_like(label)
    return number, number_labels(label, np.zeros_like(label), number)


@kernel
def play(place, rule, tables, book, phase, row, least, stop):
    """The rounds of a phase; returns its communities, how many rounds there were, and whether any vertex moved."""
    rows, label = place.rows, place.label
    state, lot = begin(rows, label), stream_key(book.seed, LOTS + book.first + phase)
    turn = Turn(np.empty(0, np.uint16), lot, U0)
    if not place.plain:
        scratch = Scratch(tables.sums, tables.used, tables.keys, U0)
        wants_to_move(rows, state, rule, turn, scratch, U0, np.uint64(label.size))
    known = Phase(rows, state, rule, turn, tables, np.empty(0, np.uint64), np.empty((0, 0), np.uint64))
    rounds = np.uint64(play_alone(known, U1, least, book.did, row, row + ROUNDS, stop))
    if not place.plain:
        book.did[row, LOOKED] += np.float64(label.size)
        book.did[row, VISITED] += np.float64(place.arcs)
    moved = 0.0
    for r in range(row, row + rounds):
        moved += book.did[r, MOVED]
    return state.label, rounds, moved > 0.0


@kernel
def rise(place, here, aim, rule, tables, lot, stop):
    """The place above with the communities `here`, the map that leads there, and whether nothing merged inside them."""
    n, rows = np.uint64(here.size), place.rows
    top, count = renumbered(here)
    number, parts = top, count
    if aim.refine and count < n:
        number, parts = renumbered(merged(rows, top, count, rule, tables, lot, stop))
        number = top if parts == count else number
    stuck = count < parts and parts == n
    above, arcs = (rows, place.arcs) if stuck else contracted(rows, place.arcs, number, parts, tables)
    inside = np.empty(parts, top.dtype)
    for v in range(n):
        inside[number[v]] = top[v]
    reached = modularity_of(above, inside, aim.unit, aim.total, aim.resolution)
    return Place(above, arcs, inside, parts == count, reached), number, stuck


@kernel
def note(book, phase, at, number, top):
    """Write down a map and the communities above it; returns where the next ones are to stand."""
    n, parts, pages = np.uint64(number.size), np.uint64(top.size), book.pages
    for v in range(n):
        pages[at + v] = number[v]
    for c in range(parts):
        pages[at + n + c] = top[c]
    book.sizes[phase, MAP], book.sizes[phase, TOP] = n, parts
    return at + n + parts


@kernel
def climb_levels(place, aim, rule, tables, book, stop):
    """Phases until the climb is over or the book is full; where it stands then, how many there were, if it is over."""
    row, at, over, phase = U0, U0, False, U0
    while phase < np.uint64(book.sizes.shape[0]) and not over:
        n = np.uint64(place.label.size)
        if row + ROUNDS > np.uint64(book.did.shape[0]) or at + n + n > np.uint64(book.pages.size):
            break
        here, rounds, moved = play(place, rule, tables, book, phase, row, aim.least, stop)
        row += rounds
        book.sizes[phase, TURNS], gain, in_parts = rounds, 0.0, False
        if moved or not place.plain:
            lot = stream_key(book.seed, REFINING + book.first + phase)
            above, number, stuck = rise(place, here, aim, rule, tables, lot, stop)
            gain = above.modularity - place.modularity
            if gain > 0.0 or (aim.refine and np.uint64(above.label.size) < n and gain > -ROUNDING):
                at = note(book, phase, at, number, above.label)
                place = above
                in_parts = not stuck and not above.plain
            gain = 0.0 if stuck else gain
        book.found[phase] = place.modularity
        phase += U1
        over = gain <= aim.least and not in_parts
    return place, phase, over
