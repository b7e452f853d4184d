"""Samples divided among workers, each of which has the whole graph: betweenness, closeness, harmonic, triangles.

The first part of each worker does the run of one machine's estimator (`nearly.budget.estimators`), with all threads of
the worker. All of them do the same run and decide alike, for decisions depend on the graph, the seed and sums over
samples. Samples are divided: where the run draws samples a to b, each worker searches for its share of them, and sums
over all workers take the place of its own (`Shared`). Samples depend on the seed and their numbers, and sums are of
whole numbers: so the answer does not depend on the number of workers, and is that of one machine's estimator, except
where that one is cut short because an exact run would be faster there (a pilot, or the whole).

Where sampling refuses, or would draw more than there are vertices, closeness and harmonic closeness are computed from
all vertices, also divided; of triangles the caller is told that there is no estimate ("none").

A program is a generator; an estimator is not. So it runs in a thread of its own, and hands what is to be exchanged to
the generator, which waits (`Talk`). Parts that are not the first of their worker have no samples: they answer each
exchange with nothing, until a number says that it is over and their values come along.
"""

from __future__ import annotations

import math
import queue
import threading
from collections.abc import Callable, Generator
from typing import Any

import numpy as np

from nearly.base.errors import InvalidArgumentError
from nearly.budget.estimator import Estimator, estimators_of
from nearly.budget.pairs import PairEstimator
from nearly.budget.question import Question
from nearly.distributed.errors import RunCancelled
from nearly.distributed.messages import Got, Send
from nearly.distributed.part import Part
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.run import Run

_KEPT = ("guarantee", "error", "error_kind", "error_scope", "confidence", "samples", "total")


class Talk:
    """Work in a thread of its own that can exchange messages through a generator."""

    def __init__(self, work: Callable[[Talk], Any]) -> None:
        self.sends: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.gots: queue.SimpleQueue[Got | None] = queue.SimpleQueue()
        self.answer: Any = None
        self.error: BaseException | None = None
        self.work = work

    def exchange(self, send: Send) -> Got:
        """In the thread: what other parts sent."""
        self.sends.put(send)
        got = self.gots.get()
        if got is None:
            raise RunCancelled("the run was given up")
        return got

    def _run(self) -> None:
        try:
            self.answer = self.work(self)
        except BaseException as error:
            self.error = error
        self.sends.put(None)

    def rounds(self) -> Generator[Send, Got, None]:
        """In the program: exchange as long as the work asks for it."""
        threading.Thread(target=self._run, name="nearly-samples", daemon=True).start()
        try:
            while (send := self.sends.get()) is not None:
                self.gots.put((yield send))
        finally:
            self.gots.put(None)
        if self.error is not None:
            raise self.error


class Shared:
    """What divides samples among the workers; see the top of the file."""

    def __init__(self, talk: Talk, part: Part) -> None:
        self.talk, self.firsts = talk, part.__dict__["firsts"]
        self.place, self.index = self.firsts.index(part.index), part.index

    def range(self, low: int, high: int) -> tuple[int, int]:
        """The share of this worker."""
        count, size = len(self.firsts), high - low
        return low + size * self.place // count, low + size * (self.place + 1) // count

    def total(self, own: np.ndarray) -> np.ndarray:
        """The sum over all workers."""
        others = [q for q in self.firsts if q != self.index]
        if not others:
            return own
        got = self.talk.exchange(Send(dict.fromkeys(others, (own,)), (0,), 0, own.size))
        summed = own.copy()
        for q in others:
            summed += got.values[q][0]
        return summed


class Samples:
    """The program; see the top of the file."""

    view = "in"

    @staticmethod
    def needs(arguments: dict[str, Any]) -> tuple[str, ...]:
        """What must have been prepared."""
        return ("replica",)

    def __init__(self, part: Part, arguments: dict[str, Any], kept: dict[str, Any] | None) -> None:
        self.part, self.asked = part, arguments
        self.facts: dict[str, Any] = {}
        self.values = np.zeros(part.size)

    def keep(self) -> dict[str, Any]:
        """Nothing: samples are drawn again."""
        return {}

    def rounds(self) -> Generator[Send, Got, None]:
        part, firsts = self.part, self.part.__dict__["firsts"]
        if part.index not in firsts:
            got = yield Send({}, (0,))
            while not got.numbers[:, 0].any():
                got = yield Send({}, (0,))
            for arrays in got.values.values():
                self.values = arrays[0]
            return
        talk = Talk(self._answered)
        yield from talk.rounds()
        values, self.facts = talk.answer
        message = {}
        if values is not None:
            self.values = values[part.first : part.first + part.size].copy()
            if part.index == firsts[0]:
                rest = [q for q in range(part.parts) if q not in firsts]
                message = {q: (values[part.bounds[q] : part.bounds[q + 1]].copy(),) for q in rest}
        yield Send(message, (1,))

    def _answered(self, talk: Talk) -> tuple[np.ndarray | None, dict[str, Any]]:
        """The values of all vertices, None where there are none, and what is known of them."""
        name, asked = self.asked["algorithm"], self.asked
        entry, graph = ALGORITHMS.get(name), self.part.__dict__["replica"]
        given = {key: asked[key] for key in ("seed", "max_error", "confidence")}
        options = entry.options(given)
        budget = options.budget()
        if budget is None:
            question = None
            run = entry.begin(graph)
        else:
            question = Question.of(entry, graph, (), asked["own"], options, budget)
            question.__dict__["exact_seconds"] = math.inf  # no estimator gives up because an exact run were faster
            run = question.begin()
        run.progress, run.shared = _silent, Shared(talk, self.part)

        def body() -> Any:
            found = None if question is None else estimate(question, run)
            if found is not None:
                return found
            return entry.body(run, **asked["own"]) if name in EXACT else entry.result(None)

        result = entry.measured(run, body, self.part.__dict__["threads"])
        facts = {key: getattr(result, key, None) for key in _KEPT}
        if result.values is None and facts["total"] is None:
            facts["guarantee"] = "none"
        return result.values, facts


EXACT = ("closeness", "harmonic")  # where all vertices are sources, divided among workers


def estimate(question: Question, run: Run) -> Any:
    """What the sampling estimator of an algorithm answers; None where it gives up."""
    one: Estimator = estimators_of(question.entry.name)[0](question)
    refused = one.refuses()
    if refused is not None:
        if question.entry.name in EXACT:
            return None
        raise InvalidArgumentError(f"{question.entry.name} on a cluster goes by samples, and {refused}")
    if isinstance(one, PairEstimator):
        one.predict(run)
    return one.answer(run)


def _silent(stage: str, done: int, total: int | None) -> None:
    """Progress that is not told: the client shows how many exchanges there were."""
