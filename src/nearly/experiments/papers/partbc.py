"""ParTBC: speedup of top-k betweenness over the exact run at ~6% error, and error against the number of sources.

Stand-ins for the slides' seven graphs, named by what they share with them; or given graph files. As an exact run takes
time in proportion to vertices times arcs, stand-ins have a quarter of the vertices that the scale says.
One exact run of all sources gives the true values and the time to compare with. Every order of sources then runs once,
up to two fifths of them, and lists the leading vertices after each batch. So one run gives the whole curve of error
against sources. It shows where the error falls to 6% for good, which can only be told with the true values, and where
a rule that does not need them (`stable`) would have stopped. Sampled paths stand beside the orders.
ParTBC itself (DynRR, one source at a time, on a graph renumbered by a breadth-first forest) runs further, as its
speedups on the slides are those of about half of the sources. The slides' exact run takes one source at a time, too,
with all threads; so that is what ParTBC is compared with. Our exact run, where each thread has sources of its own,
stands beside it.
The error is the share of the top 100 that do not belong there. The loss is how much less betweenness they have together
than the true top 100; it is the better measure where many vertices nearly tie.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import nearly
from nearly.accuracy.ranks import top_k_overlap
from nearly.algorithms.topk_betweenness.order import ORDERS
from nearly.algorithms.topk_betweenness.stop import FEWEST
from nearly.base.progress import Progress, silent
from nearly.engine.result import Result
from nearly.experiments.contestants import interleaved
from nearly.experiments.means import geometric
from nearly.experiments.reproduction import Reproduced, Table, reproduction
from nearly.graph.csr import Graph

K, SHARE, ERROR, STABLE = 100, 0.4, 0.06, 0.95
WORDS = ("graph", "stands for", "vertices", "best")
SAMPLED = (0.01, 0.003, 0.001, 0.0003)
SOURCES = 128  # with which renumbering is measured
REACH = 0.8  # of the sources, for ParTBC itself
JUDGED = 400  # batches of a course at which errors are computed, at most
PARTBC = "dynrr, one at a time"
ONE_BY_ONE = {PARTBC: "dynrr", "dyn, one at a time": "dyn"}
MARKS = (1, 2, 5, 10, 20, 30, 40, 50, 60, 70, 80)  # percent of the sources
# the slides' speedups: in all, by renumbering, by DynRR
PAPER = {
    "fb-Friendships": (2.80, 1.22, 2.29),
    "usroad48": (2.68, 1.13, 2.37),
    "rmat17": (2.65, 1.19, 2.22),
    "random17": (1.67, 1.04, 1.61),
    "roadnetSF": (2.71, 1.13, 2.40),
    "loc-Gowalla": (2.48, 1.18, 2.10),
    "soc-Pokec": (2.76, 1.20, 2.30),
}
ALONE: dict[str, Any] = {"batch": 1, "renumber": True, "stop": REACH}
MEAN = (2.5, 1.15, 2.17)
STANDS_FOR = {
    "friendship-like": "fb-Friendships",
    "country road-like": "usroad48",
    "rmat": "rmat17",
    "random": "random17",
    "city road-like": "roadnetSF",
    "check-in-like": "loc-Gowalla",
    "social-like": "soc-Pokec",
}
NOTE = (
    f"Speedup over our exact run of all sources. Error: share of the top {K} that do not belong there; loss: how much "
    f"less betweenness they have than the true top. At {ERROR:.0%}: at the first batch after which the error (loss) "
    f"is never larger; '-': not within {SHARE:.0%} of the sources. By rule: where stable={STABLE} or the bound stops; "
    "sampling stops at the latest when it has taken as long as the exact run (or a second)."
)
SUMMARY = (
    "Exact, one by one: all sources, one at a time with all threads, as on the slides. ParTBC: DynRR, one source at a "
    "time, on a renumbered graph, over that, where its error falls to 6% for good; the share of sources that takes. By "
    "renumbering: the speedup by it alone; by DynRR: without renumbering. In batches, over our exact run: DynRR, and "
    "the best order at 6% error and at 6% loss. The slides' columns: their graph, a GPU. Means: of graphs that have a "
    f"number. '-': not within {REACH:.0%} of the sources, or {SHARE:.0%} in batches."
)
CURVES = "Error in percent after so much of the sources (DynRR, one at a time); the slides have a picture of this."


class Course(NamedTuple):
    """The course of a run by one order: what was known after each batch."""

    shares: np.ndarray  # of the sources
    seconds: np.ndarray
    errors: np.ndarray
    losses: np.ndarray
    stability: np.ndarray

    def settled(self, off: np.ndarray) -> int | None:
        """The first batch after which `off`, the errors or the losses, is never above the bound."""
        beyond = np.flatnonzero(off > ERROR + 1e-12)
        first = 0 if beyond.size == 0 else int(beyond[-1]) + 1
        return first if first < off.size else None

    def ruled(self) -> int | None:
        """The batch at which the rule stops."""
        found = np.flatnonzero(self.stability[FEWEST - 1 :] >= STABLE)
        return int(found[0]) + FEWEST - 1 if found.size else None


def stand_ins(scale: int) -> dict[str, Graph]:
    """Graphs of the slides' classes, with as many edges a vertex, of 2^(scale - 2) vertices; undirected as theirs."""
    make, scale = nearly.generate, max(scale - 2, 4)
    n, side = 1 << scale, math.isqrt(1 << scale)
    like = partial(make.rmat, scale, params="gtgraph", directed=False)
    return {
        "friendship-like": like(13, seed=1),
        "country road-like": make.grid(side, side, seed=1, delete=0.28, weights=None),
        "rmat": make.rmat(scale, 16, seed=1, directed=False),
        "random": make.random(n, 16 * n, seed=1, directed=False),
        "city road-like": make.grid(side // 2, 2 * side, seed=2, delete=0.36, weights=None),
        "check-in-like": like(5, seed=2),
        "social-like": like(19, seed=3),
    }


@reproduction("partbc", scale=13, rows=tuple(PAPER))
def partbc(graphs: dict[str, Graph], scale: int, repeat: int, progress: Progress) -> Reproduced:
    """Top-k betweenness by order of sources: speedup at 6% error, error against sources, sampled paths beside them."""
    chosen = graphs or stand_ins(scale)
    tables: list[Table] = []
    pictures: dict[str, Callable[[Path], None]] = {}
    summary, curves = Table("Speedup at 6%", note=SUMMARY), Table("Error against sources", note=CURVES)
    for name, graph in chosen.items():
        told = partial(_told, progress, name)
        exact = nearly.betweenness(graph, progress=partial(told, "all sources"))
        one_by_one = {o: course(graph, how, exact.values, partial(told, o), **ALONE) for o, how in ONE_BY_ONE.items()}
        courses = one_by_one | {o: course(graph, o, exact.values, partial(told, o)) for o in ORDERS}
        table = Table(f"Top {K} of {name}: {graph.n:,} vertices, {graph.m:,} arcs", note=NOTE)
        table.rows = [_row(order, found, exact) for order, found in courses.items()]
        table.rows += [_sampled(graph, error, exact) for error in SAMPLED]
        tables.append(table)
        curves.rows.append(_curve(name, courses[PARTBC]))
        shares = _shares(graph, courses[PARTBC], partial(told, "all sources, one by one"), repeat)
        summary.rows.append(_line(name, graph, courses, exact, shares))
        pictures[name.replace(" ", "-")] = partial(draw, courses, f"{name}: {graph.n:,} vertices, {graph.m:,} arcs")
    means = {c: geometric(r[c] for r in summary.rows if r[c]) or None for c in summary.rows[0] if c not in WORDS}
    words = dict.fromkeys(WORDS, "")
    summary.rows.append({**words, **means, "graph": "geometric mean", **_published(MEAN)})
    return Reproduced([summary, curves, *tables], pictures=pictures).on(chosen, STANDS_FOR)


def _told(progress: Progress, name: str, what: str, stage: str, done: int, total: int | None) -> None:
    progress(f"{name}, {what}: {stage}", done, total)


def course(graph: Graph, order: Any, exact: np.ndarray, progress: Progress = silent, **how: Any) -> Course:
    """Run one order up to a share of the sources; how good its leading vertices were after each batch."""
    r = nearly.topk_betweenness(graph, K, order=order, progress=progress, **{"stop": SHARE, **how})
    batches = np.unique(np.linspace(0, r.rounds - 1, min(r.rounds, JUDGED)).round().astype(int))
    judged = np.array([_judged(exact, r.history[batch]) for batch in batches])
    taken = np.cumsum([step.milliseconds for step in r.trace])[batches] / 1000 + r.renumber_seconds
    done = np.array([step.extra["sources"] for step in r.trace])[batches] / max(graph.n, 1)
    stability = np.array([step.extra["stability"] for step in r.trace])[batches]
    return Course(done, taken, judged[:, 0], judged[:, 1], stability)


def _judged(exact: np.ndarray, top: np.ndarray) -> tuple[float, float]:
    """The share of the top that does not belong there, and how much less betweenness it has."""
    chosen = np.zeros(exact.size)
    chosen[top] = 1.0
    best = np.sort(exact)[exact.size - top.size :].sum()
    return 1 - top_k_overlap(exact, chosen, top.size), max(1 - exact[top].sum() / best, 0.0) if best > 0 else 0.0


def _row(order: str, found: Course, exact: Result) -> dict[str, Any]:
    at, ruled = found.settled(found.errors), None if order in ONE_BY_ONE else found.ruled()
    return {
        "order": order,
        "6% error: sources %": None if at is None else 100 * found.shares[at],
        "6% error: speedup": _speedup(found, at, exact),
        "6% loss: speedup": _speedup(found, found.settled(found.losses), exact),
        "by rule: sources %": None if ruled is None else 100 * found.shares[ruled],
        "by rule: speedup": _speedup(found, ruled, exact),
        "error %": None if ruled is None else 100 * found.errors[ruled],
        "loss %": None if ruled is None else 100 * found.losses[ruled],
        "guarantee": "estimated" if order == "random" else "heuristic",
    }


def _speedup(found: Course, batch: int | None, exact: Result) -> float | None:
    return None if batch is None else float(exact.seconds / max(found.seconds[batch], 1e-9))


def _sampled(graph: Graph, error: float, exact: Result) -> dict[str, Any]:
    longest = f"seconds={max(exact.seconds, 1.0):g}"
    r = nearly.topk_betweenness(graph, K, method="sampling", error=error, stop=longest)
    wrong, loss = _judged(exact.values, r.vertices)
    return {
        "order": f"sampling, error={error:g}",
        "by rule: sources %": f"{r.samples:,} paths",
        "by rule: speedup": exact.seconds / r.seconds,
        "error %": 100 * wrong,
        "loss %": 100 * loss,
        "guarantee": r.guarantee,
    }


class Shares(NamedTuple):
    """What ParTBC's speedup comes from; all runs take one source at a time."""

    exact: float  # seconds of all sources
    renumbering: float
    order: float | None


def _shares(graph: Graph, found: Course, progress: Progress, repeat: int) -> Shares:
    """The speedup by renumbering alone, its own time apart, and that by as many sources without renumbering."""
    run = partial(nearly.topk_betweenness, graph, K, batch=1, renumber=False)
    exact = run(order="random", progress=progress)
    some = partial(run, order="random", stop=min(1.0, SOURCES / max(graph.n, 1)))
    again = partial(some, renumber=True)
    times = interleaved({"no": some, "yes": again}, repeat)
    renumbering = times["no"] / max(times["yes"] - again().renumber_seconds, 1e-9)
    at = found.settled(found.errors)
    plain = None if at is None else run(order="dynrr", stop=float(found.shares[at])).seconds
    return Shares(exact.seconds, renumbering, None if plain is None else exact.seconds / max(plain, 1e-9))


def _line(name: str, graph: Graph, courses: dict[str, Course], exact: Result, shares: Shares) -> dict[str, Any]:
    ours = {o: courses[o] for o in ORDERS}
    by_error = {o: _speedup(c, c.settled(c.errors), exact) or 0.0 for o, c in ours.items()}
    by_loss = {o: _speedup(c, c.settled(c.losses), exact) or 0.0 for o, c in ours.items()}
    best, least = (max(found, key=lambda o: found[o]) for found in (by_error, by_loss))
    known, found = STANDS_FOR.get(name, name), courses[PARTBC]
    at = found.settled(found.errors)
    return {
        "graph": name,
        "stands for": known if known in PAPER else "-",
        "vertices": f"{graph.n:,}",
        "exact s": exact.seconds,
        "exact, one by one s": shares.exact,
        "ParTBC": None if at is None else shares.exact / float(found.seconds[at]),
        "sources %": None if at is None else 100 * found.shares[at],
        "by renumbering": shares.renumbering,
        "by DynRR": shares.order,
        "ParTBC over our exact": _speedup(found, at, exact),
        "DynRR in batches": by_error["dynrr"] or None,
        "best": best if by_error[best] else "-",
        "6% error": by_error[best] or None,
        "6% loss": by_loss[least] or None,
        **_published(PAPER.get(known, (None,) * 3)),
    }


def _published(theirs: tuple[float | None, ...]) -> dict[str, float | None]:
    return dict(zip(("slides: ParTBC", "slides: by renumbering", "slides: by DynRR"), theirs))


def _curve(name: str, found: Course) -> dict[str, Any]:
    """The error at marks on the way."""
    at = [int(np.argmax(found.shares >= mark / 100 - 1e-9)) for mark in MARKS]
    reached = found.shares[-1] if found.shares.size else 0.0
    here = [100 * float(found.errors[i]) if reached >= mark / 100 - 1e-9 else None for mark, i in zip(MARKS, at)]
    return {"graph": name, **{f"{mark}%": error for mark, error in zip(MARKS, here)}}


def draw(courses: dict[str, Course], title: str, path: Path) -> None:
    """Error against sources, a line per order."""
    from nearly.experiments.pictures import picture

    with picture(path) as axes:
        for order, found in courses.items():
            axes.plot(100 * found.shares, 100 * found.errors, label=order, lw=1.4)
        axes.axhline(100 * ERROR, color="black", lw=0.8, ls=":")
        axes.set(title=f"ParTBC, {title}", xlabel="sources (%)", ylabel=f"error in the top {K} (%)", ylim=(0, 100))
        axes.grid(alpha=0.25)
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
