"""Techniques as candidates: the boldest setting of their knobs that keeps a budget, found on pilots.

A technique that the caller names (`approx=` together with a budget) is used wherever one of its settings keeps the
error, faster than exact or not: it was asked for. Where the caller allows estimates and names none, every
technique that applies to the algorithm is weighed, and has to pay as any other candidate has.

The settings of a ladder (`ladders`) are tried on pilots (`trials`) by bisection. The largest error on the pilots, with
a margin, is the error that is told: estimated. Where the algorithm computes a bound on the error of any answer
(certified, as PageRank does), pilots only say where to begin: the answer on the whole graph is taken if its own bound
keeps the budget; else a milder setting is tried, at most TRIES in all.

Times are predicted from visits of arcs, counted on the pilots, and from sizes, never from the clock: same seed, same
choice.
"""

from __future__ import annotations

import math

from nearly.accuracy.judges import NORMS
from nearly.base.errors import NearlyError
from nearly.budget import rates
from nearly.budget.estimator import PAYS, PILOT, SURE, Estimator, Prediction
from nearly.budget.ladders import common_ladder
from nearly.budget.pilots import SMALL_SHARE, pilot_arcs
from nearly.budget.question import Question
from nearly.budget.trials import Setting, Trials, bound_of, ran
from nearly.engine.applied import Applied, as_techniques, check_supported
from nearly.engine.interruptible import OutOfTime
from nearly.engine.result import Result
from nearly.engine.run import Run
from nearly.engine.technique import TECHNIQUES, Technique
from nearly.engine.traits import combined
from nearly.engine.transform import store

PILOTS = 3  # where the caller names the technique; one where many are weighed
TRIES = 4  # settings that are tried on the whole graph, where errors are certified
_CALL = 1e-3  # seconds of a run on a pilot, besides its visits
_HASHING = 10e-9  # seconds an arc, to look into the cache of transformed graphs
_BOUNDS = ("bound", "factors")  # fields by which an answer bounds its own error


class ByTechniques(Estimator):
    """Techniques applied together, as much of them as a budget allows."""

    kind, scope = "relative", "aggregate"

    def __init__(self, question: Question, techniques: Setting, trials: Trials, applied: Applied | None = None) -> None:
        super().__init__(question)
        self.trials, self.applied, self.gave_up = trials, applied, ""
        self.named = question.options.approx is not None
        self.settings = [techniques] if applied is not None else common_ladder(techniques)
        self.given = self.settings.index(techniques) if techniques in self.settings else 0
        self.chosen, self.error = 0, math.inf
        self.name, self.level = "", ""
        self._take(len(self.settings) - 1)

    def _take(self, i: int) -> None:
        """Choose a setting; its name and level are what plans show."""
        self.chosen, setting = i, self.settings[i]
        word = combined(technique.guarantee(self.question.entry.name) or "heuristic" for technique in setting)
        fields = self.question.entry.result.fields
        self.certifies = word == "certified" and any(name in fields for name in _BOUNDS)
        self.level = "estimated" if word in ("heuristic", "certified") and not self.certifies else word
        self.name = "+".join(technique.spec for technique in setting)

    def refuses(self) -> str | None:
        if self.budget.allow == "certified" and not self.certifies and self.level != "exact":
            return "its error can only be estimated, and allow='certified'"
        if not self.certifies and not self._local:
            return "a pilot says nothing of how the parts of a graph hang together"
        return None if self.named else self._not_worth_trying()

    @property
    def _local(self) -> bool:
        """Whether pilots say something of the whole graph: they are the whole, or errors are of single vertices."""
        graph = self.question.graph
        return (self.question.entry.judge or NORMS).local or pilot_arcs(graph) == graph.m

    def _not_worth_trying(self) -> str | None:
        exact = self.question.exact_seconds
        if all(technique.is_exact for technique in self.settings[0]):
            return "it changes nothing"
        if PAYS * self._making(self.settings[0]) >= exact:
            return "to transform the graph takes too long, beside exact"
        if self._pilot_seconds() > PILOT * exact:
            return f"a pilot would take more than {PILOT:.0%} of exact's time"
        return None

    # predictions

    def predict(self, run: Run) -> Prediction:
        try:
            self._take(self._boldest() if self.budget.max_error is not None else self._mildest_in_time())
            told = self.trials.of(self.settings[self.chosen])
        except NearlyError as error:
            if self.named:
                raise
            return Prediction(math.inf, math.inf, f"it cannot be used here: {error}")
        self.error = told.error
        if self.budget.max_error is not None and told.error > self.budget.max_error:
            mildest = f"even its mildest setting is off by {told.error:.2g}"
            return Prediction(math.inf, told.error, f"{mildest} on {self._where}")
        return Prediction(self._seconds(self.chosen), told.error, f"{told.work:.2g} of exact's work on {self._where}")

    def _boldest(self) -> int:
        """The boldest setting that keeps the error, if errors fall along the ladder; the mildest where none does.

        Where they do not fall and the mildest is too far off, the setting as it was given may still do.
        """

        def keeps(i: int) -> bool:
            return self.trials.of(self.settings[i]).error <= (self.budget.max_error or 0.0)

        low, high = 0, len(self.settings) - 1
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if keeps(middle) else (middle + 1, high)
        return low if keeps(low) or not keeps(self.given) else self.given

    def _mildest_in_time(self) -> int:
        """The mildest setting that there is time for; the boldest where there is none."""
        for i in reversed(range(len(self.settings))):
            if self._seconds(i) <= SURE * self.budget.seconds_left:
                return i
        return 0

    def _seconds(self, i: int) -> float:
        setting = self.settings[i]
        return self.trials.of(setting).work * self.question.exact_seconds + self._making(setting)

    def _making(self, setting: Setting) -> float:
        """How long the graph is predicted to take to transform; nothing where that was done and kept."""
        question, graph = self.question, self.question.graph
        task = question.entry.task(graph, weights=question.arguments.get("weights"), seed=question.options.seed)
        making = [t for t in setting if type(t).transform is not Technique.transform and not t.in_rounds(task)]
        if all(t.idle for t in making) or self.applied is not None:
            return 0.0
        key = store.key_of(setting, task, question.entry.reads_view(graph, setting))
        in_cache = self.named or _HASHING * graph.m < PILOT * question.exact_seconds
        if store.knows(graph, key, setting, in_cache):
            return 0.0
        return sum(rates.seconds(f"transform {t.name}", graph.m + graph.n, graph.m) for t in making if not t.idle)

    def _pilot_seconds(self) -> float:
        runs = 2 + math.log2(len(self.settings))
        share = pilot_arcs(self.question.graph, SMALL_SHARE) / max(self.question.graph.m, 1)
        return runs * (_CALL * rates.machine_factor() + share * self.question.exact_seconds)

    @property
    def _where(self) -> str:
        if self.trials.whole:
            return "the graph itself"
        sizes = [pilot.graph.m for pilot, _ in self.trials.drawn]
        return f"{len(sizes)} pilot{'s' if len(sizes) > 1 else ''} of {min(sizes):,} arcs and more"

    # answers

    def answer(self, run: Run) -> Result | None:
        for attempt in range(TRIES):
            try:
                result = self._on_all(run, self.settings[self.chosen])
            except OutOfTime:
                self.gave_up = "the time was over"
                return None
            bound = bound_of(result)
            limit = math.inf if self.budget.max_error is None else self.budget.max_error
            if bound is None or bound <= limit:
                return self._told(result, bound)
            milder = self._milder(bound / limit)
            if milder is None or attempt == TRIES - 1:
                break
            self._take(milder)
        self.gave_up = f"{self.name} is off by up to {bound:.2g}, by its own bound"
        return None

    def _milder(self, excess: float) -> int | None:
        """The setting to go on with: rungs differ by the square root of 2, so twice the logarithm of the excess."""
        last = len(self.settings) - 1
        if self.chosen == last:
            return None
        return min(self.chosen + max(1, math.ceil(2 * math.log2(min(excess, 1e6)))), last)

    def _on_all(self, run: Run, setting: Setting) -> Result:
        question, options = self.question, self.question.options
        weights = question.arguments.get("weights")
        approx = setting if self.applied is None else self.applied
        applied = question.entry.apply(
            approx, question.graph, weights=weights, seed=options.seed, threads=options.threads
        )
        result = ran(question, run, question.graph, question.arguments, applied)
        run.trace = result.trace
        return result

    def _told(self, result: Result, bound: float | None) -> Result:
        """The result, saying how far off it is."""
        if bound is not None:
            if result.guarantee == "certified" and "bound" not in result.fields:
                least, most = result.factors  # type: ignore[attr-defined]
                result.error, result.error_kind = bound, "relative"
                result.interval = (result.values / most, result.values / least) if least > 0 else None
            return result
        if result.guarantee not in ("upper bound", "lower bound"):
            result.guarantee, result.interval = "estimated", None
        result.error, result.error_kind, result.error_scope, result.confidence = self.error, self.kind, self.scope, None
        return result


def named_candidate(question: Question, run: Run) -> ByTechniques:
    """What the caller named as `approx`."""
    approx = question.options.approx
    techniques = as_techniques(approx)
    check_supported(techniques, question.entry.name)
    applied = approx if isinstance(approx, Applied) else None
    return ByTechniques(question, techniques, Trials(question, run, PILOTS), applied)


def allowed_candidates(question: Question, run: Run) -> list[ByTechniques]:
    """Every technique that applies to the algorithm, where the caller will do with estimates."""
    if not question.budget.allows("estimated"):
        return []
    trials, name = Trials(question, run, 1), question.entry.name
    return [ByTechniques(question, (cls(),), trials) for cls in TECHNIQUES if cls().guarantee(name) is not None]
