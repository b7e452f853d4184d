"""One algorithm, exact and by techniques, on one graph: the machinery below `compare`, `sweep` and the papers' tables.

The exact answer under `auto` is the one with which all others are compared. Graphs are transformed once per technique,
before the clock runs. Every contestant runs once to warm up, and its answer is judged. Then all of them take turns, so
that other work of the machine disturbs all alike. Betweenness has the same sources everywhere: those that the seed
draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from nearly.accuracy import inaccuracy, metrics
from nearly.base.errors import NearlyError
from nearly.engine.algorithm import Algorithm
from nearly.engine.applied import Applied, check_supported
from nearly.engine.result import Result
from nearly.engine.technique import Technique
from nearly.experiments.comparison import EXACT, SAME_ERROR, Comparison, Row, Skip
from nearly.experiments.contestants import Contestant, Stopwatch, TooLong, take_turns
from nearly.experiments.equal_error import EqualError
from nearly.graph.csr import Graph


class Pair(NamedTuple):
    """Techniques to apply together under a policy, within a budget or not, or a budget alone.

    `knob` and `value` say what a sweep is turning.
    """

    techniques: tuple[Technique, ...]
    policy: str = "auto"
    knob: str | None = None
    value: Any = None
    max_error: float | None = None

    @property
    def spec(self) -> str:
        named = "+".join(t.spec for t in self.techniques)
        if self.max_error is None:
            return named
        return f"{named} within {self.max_error:g}" if named else f"budget {self.max_error:g}"


@dataclass(frozen=True)
class Settings:
    """The settings that all contestants share."""

    source: int | None
    sources: int
    repeat: int
    seed: int
    threads: int | None
    limit: float


@dataclass
class Entry:
    """A contestant of the table, and what is known about it besides its times."""

    technique: str
    policy: str
    contestant: Contestant
    inaccuracy: float = 0.0
    metrics: dict[str, float] | None = None
    preprocess: float = 0.0
    compiled: float = 0.0
    extra_space: float = 0.0
    builds: bool = False  # whether its first run builds things on a graph of its own
    note: str = ""
    knob: str | None = None
    value: Any = None
    choice: str = ""
    bound: float | None = None


class Bench:
    """The contestants of one algorithm; `tick(what, runs)` is called for every run done or dropped."""

    def __init__(
        self, graph: Graph, algorithm: Algorithm, settings: Settings, tick: Callable[[str, int], None]
    ) -> None:
        self.graph, self.algorithm, self.settings, self._tick = graph, algorithm, settings, tick
        self.entries: list[Entry] = []
        self.skipped: list[Skip] = []
        self._exact: dict[str, Entry] = {}
        self._applied: dict[tuple[Technique, ...], tuple[Any, float, float]] = {}
        self._stopped: dict[str, EqualError] = {}
        self._same_error: dict[tuple[str, int], Contestant] = {}

    def run(self, pairs: Iterable[Pair]) -> Comparison:
        pairs = [pair for pair in pairs if self._applies(pair)]
        if not pairs:
            return Comparison([], self.skipped)
        for policy in dict.fromkeys(["auto", *(pair.policy for pair in pairs)]):
            self._attempt(EXACT, policy, partial(self._add_exact, policy))
        for pair in pairs:
            self._attempt(pair.spec, pair.policy, partial(self._add, pair))
        take_turns(self._waiting(), self.settings.repeat, lambda: self._tick(self.algorithm.name, 1))
        return Comparison([self._row(entry) for entry in self.entries], self.skipped)

    def _applies(self, pair: Pair) -> bool:
        """Whether the techniques are for this algorithm at all; if not, that is noted, and no run is spent on it."""
        try:
            check_supported(pair.techniques, self.algorithm.name)
        except NearlyError as error:
            self.skipped.append(Skip(self.algorithm.name, pair.spec, pair.policy, str(error)))
            return False
        return True

    def _attempt(self, technique: str, policy: str, add: Callable[[], None]) -> None:
        """Add a contestant, or note why there is none."""
        name, known, waiting = self.algorithm.name, len(self.entries), len(self._waiting())
        self._tick(f"{name}, {technique}", 0)
        try:
            if technique != EXACT and not {"auto", policy} <= set(self._exact):
                missing = "auto" if "auto" not in self._exact else policy
                raise _Pointless(f"there is nothing to compare with: exact under {missing} was skipped")
            add()
        except (NearlyError, TooLong, _Pointless) as error:
            del self.entries[known:]
            self.skipped.append(Skip(name, technique, policy, str(error)))
        expected = 1 if technique == EXACT or name != "pagerank" else 2
        repeat = self.settings.repeat
        self._tick(f"{name}, {technique}", expected * (1 + repeat) - (len(self._waiting()) - waiting) * repeat)

    def _waiting(self) -> list[Contestant]:
        """Those that will take turns, each once."""
        return list({id(e.contestant): e.contestant for e in self.entries if not e.contestant.once}.values())

    def _call(self, policy: str, **more: Any) -> Callable[..., Any]:
        chosen, own = self.settings, self.algorithm.parameters
        if "source" in own:
            more["source"] = chosen.source
        if "sources" in own:
            more["sources"] = min(chosen.sources, self.graph.n) if self.graph.n else None
        return partial(
            self.algorithm.function, self.graph, policy=policy, seed=chosen.seed, threads=chosen.threads, **more
        )

    def _warm(self, policy: str, **more: Any) -> Contestant:
        return Contestant(self._call(policy, **more)).warm_up(self.settings.limit)

    def _add_exact(self, policy: str) -> None:
        entry = Entry(EXACT, policy, self._warm(policy))
        self._exact[policy] = entry
        self._judge(entry)
        self.entries.append(entry)

    def _add_budget(self, pair: Pair) -> None:
        """A call with a budget: what the planner chose, and the bound that it gave."""
        budget: dict[str, Any] = {"max_error": pair.max_error, "approx": list(pair.techniques) or None}
        made = self._warm(pair.policy, **budget)
        entry = Entry(pair.spec, pair.policy, made, knob=pair.knob, value=pair.value)
        result = entry.contestant.result
        entry.choice, entry.bound = "exact" if result.plan.fell_back else result.plan.choice, result.error
        self._judge(entry)
        self.entries.append(entry)

    def _add(self, pair: Pair) -> None:
        if pair.max_error is not None:
            self._add_budget(pair)
            return
        applied, seconds, compiled = self._apply(pair.techniques)
        entry = Entry(pair.spec, pair.policy, self._warm(pair.policy, approx=applied), knob=pair.knob, value=pair.value)
        entry.preprocess, entry.compiled = seconds, compiled
        if isinstance(applied, Applied):
            entry.extra_space, entry.builds = applied.map.extra_space, applied.transforms
        self._judge(entry)
        self.entries.append(entry)
        if self.algorithm.name == "pagerank":
            self._add_same_error(entry)

    def _apply(self, techniques: tuple[Technique, ...]) -> tuple[Any, float, float]:
        """What to pass as `approx`, with the seconds that making it took, those of compiling apart."""
        if all(t.idle for t in techniques):
            return list(techniques), 0.0, 0.0
        if techniques not in self._applied:
            watch = Stopwatch()
            made = self.algorithm.apply(techniques, self.graph, seed=self.settings.seed, threads=self.settings.threads)
            seconds, compiled = watch.read()
            self._applied[techniques] = made, max(seconds, made.built), compiled  # kept ones took that long once
        applied: Applied = self._applied[techniques][0]
        if not applied.transforms and not any(t.in_rounds(applied.task) for t in techniques):
            raise _Pointless("it changes nothing here")
        return self._applied[techniques]

    def _judge(self, entry: Entry) -> None:
        truth, answer = self._exact["auto"].contestant.result, entry.contestant.result
        if answer.values is None:  # one number within a budget
            entry.inaccuracy = _difference(truth, answer)
        else:
            entry.inaccuracy = inaccuracy(truth, answer, self.graph)
            entry.metrics = metrics(truth, answer, self.graph)
        if entry.contestant.once:
            entry.note = f"over {self.settings.limit:g} s, so measured once"

    def _add_same_error(self, entry: Entry) -> None:
        """Exact PageRank under the same policy, stopped when it is as good as the technique's answer."""
        policy, truth = entry.policy, self._exact["auto"].contestant.result
        if policy not in self._stopped:
            call = self._call(policy)

            def error_after(rounds: int) -> float:
                return inaccuracy(truth, call(max_rounds=rounds), self.graph)

            self._stopped[policy] = EqualError(error_after, self._exact[policy].contestant.result.rounds)
        rounds = self._stopped[policy].rounds_for(entry.inaccuracy)
        if (policy, rounds) not in self._same_error:
            self._same_error[policy, rounds] = self._warm(policy, max_rounds=rounds)
        stopped = replace(entry, technique=SAME_ERROR, contestant=self._same_error[policy, rounds], builds=False)
        stopped.preprocess = stopped.compiled = stopped.extra_space = 0.0
        self._judge(stopped)
        stopped.note = f"{rounds} round{'s' if rounds > 1 else ''}, for {entry.technique}"
        self.entries.append(stopped)

    def _row(self, entry: Entry) -> Row:
        taken, result = entry.contestant.seconds, entry.contestant.result
        exact = self._exact[entry.policy].contestant.seconds
        best = min(e.contestant.seconds for e in self._exact.values())
        preprocess = entry.preprocess + (max(entry.contestant.first - taken, 0.0) if entry.builds else 0.0)
        return Row(
            self.algorithm.name, entry.technique, entry.policy,
            speedup=exact / taken, speedup_vs_best=best / taken,
            inaccuracy=entry.inaccuracy, metrics=entry.metrics or {}, guarantee=result.guarantee,
            seconds=taken, exact_seconds=exact, best_exact_seconds=best,
            preprocess_seconds=preprocess, compile_seconds=entry.compiled + entry.contestant.compile_seconds,
            extra_space=entry.extra_space, break_even_runs=preprocess / (exact - taken) if taken < exact else None,
            edges_touched=int(result.trace.edges), rounds=result.rounds,
            seed=self.settings.seed, repeat=max(len(entry.contestant.runs), 1),
            spread=entry.contestant.spread, settled=entry.contestant.settled,
            knob=entry.knob, value=entry.value, note=entry.note, choice=entry.choice, bound=entry.bound,
        )  # fmt: skip


def _difference(exact: Result, answer: Result) -> float:
    """How far the number that a budget is about is off: relative for totals, absolute for averages."""
    if "total" in answer.fields:
        return abs(answer.total - exact.total) / max(exact.total, 1)  # type: ignore[attr-defined]
    return abs(answer.average - exact.average)  # type: ignore[attr-defined]


class _Pointless(Exception):
    """A pair that makes no sense on this graph."""
