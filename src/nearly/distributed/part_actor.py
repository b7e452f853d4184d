"""The actor that holds a part on a worker, runs programs on it, and exchanges messages with the others.

A program (`nearly.distributed.programs`) is a generator: it computes, yields what it sends (`Send`), and goes on with
what came (`Got`). All parts go through the same rounds: the numbers that each part adds to its message reach all
others, so that each decides the same without a leader, the client or the scheduler. A message goes from worker to
worker by a call of `deliver`; between parts of one worker it is handed over as it is.

Programs compute in a pool of the worker's threads, kernels in their serial form, while the event loop takes in
messages. A part goes on when it has all messages of a round, not when it is known that its own have arrived: that it
asks one round later. A part that waits for others keeps no thread, and several parts of one worker never wait for each
other's thread. A run can be cancelled at any exchange.
"""

from __future__ import annotations

import asyncio
import resource
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any

import numpy as np
from distributed import get_worker
from distributed.protocol import to_serialize

from nearly.distributed.checkpoints import Checkpoint
from nearly.distributed.errors import PartLost, RunCancelled
from nearly.distributed.messages import Arrays, Got, Send
from nearly.distributed.part import Part
from nearly.distributed.part_files import write_part, write_values
from nearly.distributed.programs import INNER, PREPARATIONS, PROGRAMS
from nearly.distributed.replica import rows_of_part
from nearly.distributed.thinning import Thinning, thinned_part
from nearly.distributed.views import undirected_part
from nearly.graph.names import Names

_READ = 1000  # the exchange in which parts tell what they read


@lru_cache(maxsize=8)
def pool(address: str, threads: int) -> ThreadPoolExecutor:
    """The threads of a worker that compute."""
    return ThreadPoolExecutor(threads, thread_name_prefix="nearly-part")


class PartActor:
    """One part of a graph on a worker."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.views: dict[Any, Part] = {"in": part}  # by name, or by what was left out
        self.worker = get_worker()
        self.pool = pool(self.worker.address, self.worker.state.nthreads)
        self.peers: list[tuple[str, str]] = []
        self.inbox: dict[tuple[str, int], dict[int, Any]] = {}
        self.arrived = asyncio.Event()
        self.cancelled: set[str] = set()
        self.unheard: Any = None  # what was sent last, of which it is not yet known that it arrived
        self.results: dict[str, np.ndarray] = {}
        self.progress: tuple[int, float] = (0, 0.0)

    async def meet(self, peers: list[tuple[str, str]]) -> dict[str, Any]:
        """Learn where the other parts are; what is known of this one."""
        self.peers, part = peers, self.part
        addresses = [address for address, _ in peers]
        part.__dict__["firsts"] = sorted({addresses.index(address) for address in addresses})
        part.__dict__["threads"] = self.worker.state.nthreads
        facts = {"arcs": part.graph.m, "weights": str(part.graph.arrays.weights.dtype) if part.graph.weighted else ""}
        ids = "" if part.ids is None else "names" if isinstance(part.ids, Names) else "numbers"
        return {**facts, "ids": ids, "directed": part.directed}

    async def deliver(self, run: str, turn: int, sender: int, numbers: Any, *arrays: np.ndarray) -> None:
        """A message from another part."""
        if run not in self.cancelled:
            self.inbox.setdefault((run, turn), {})[sender] = (numbers, arrays)
            self.arrived.set()

    async def cancel(self, run: str) -> None:
        """End a run at its next exchange, and forget what came for it."""
        self.cancelled.add(run)
        self.inbox = {key: held for key, held in self.inbox.items() if key[0] != run}
        self.arrived.set()

    async def where(self) -> tuple[int, float]:
        """The round that the last run is in, and what it says of how far it is."""
        return self.progress

    async def run(
        self, run: str, name: str, arguments: dict[str, Any], checkpoint: Checkpoint | None = None, since: int = 0
    ) -> dict[str, Any]:
        """Run a program to its end; its values stay here under the name of the run."""
        self.progress = (0, 0.0)
        try:
            return await self._run(run, name, arguments, checkpoint, since)
        except BaseException:
            self.unheard = None
            await self.cancel(run)
            raise

    async def _run(
        self, run: str, name: str, arguments: dict[str, Any], checkpoint: Checkpoint | None, since: int
    ) -> dict[str, Any]:
        kind = (PROGRAMS | INNER)[name]
        if "of" in arguments:
            arguments = {**arguments, "values": self.results[arguments["of"]]}
        view = self.views[arguments.get("thinned") or kind.view]
        rounds: list[tuple[Any, ...]] = []
        kept, last = None, since
        if checkpoint is not None and since:
            kept = await self._compute(checkpoint.read, self.part.index, since)
        program = await self._compute(kind, view, arguments, kept)
        steps, got = program.rounds(), None
        while True:
            begin = time.perf_counter()
            send, _ = await self._compute(_next, steps, got)
            computed = time.perf_counter()
            if send is None:
                break
            number = since + len(rounds)
            if checkpoint is not None and send.whole and number - last >= checkpoint.every:
                await self._compute(checkpoint.write, self.part.index, number, program.keep())
                last = number
            got, sent = await self._exchange(run, len(rounds), send)
            waited = time.perf_counter() - computed
            rounds.append((send.edges, send.frontier, computed - begin, waited, sent, send.extra))
            self.progress = (number + 1, float(send.frontier))
        await self._heard()
        self.results[run] = program.values
        return {
            "facts": program.facts, "rounds": rounds, "dtype": str(program.values.dtype), "since": since,
            "peak": peak_memory(), "boundary": view.boundary,
        }  # fmt: skip

    async def prepare(self, run: str, name: Any) -> int:
        """Make what programs need: a view of the part and what others read of it, or sums kept with a view; its arcs.

        A view is "in", "undirected" or a `Thinning`; sums are named, alone or with the view that they are of.
        """
        what, on = name if isinstance(name, tuple) else (name, "in")
        view = self.views[on]
        if isinstance(what, Thinning):
            view = self.views[what] = await self._followed(run, thinned_part(self.views[what.view], what))
        elif what in PREPARATIONS:
            await self._followed(run, PREPARATIONS[what](view))
        else:
            if what == "undirected" and view.directed:
                view = await self._followed(run, undirected_part(view))
            got, _ = await self._exchange(run, _READ, Send({q: (view.ghosts_of(q),) for q in view.ghost_slices}))
            view.needed = {q: arrays[0].astype(np.int64) for q, arrays in sorted(got.values.items())}
            self.views[what] = view
        await self._heard()
        return view.graph.m

    async def _followed(self, run: str, steps: Any) -> Any:
        """What a generator returns that exchanges messages with those of other parts."""
        got, turn = None, 0
        while True:
            send, value = await self._compute(_next, steps, got)
            if send is None:
                return value
            got, _ = await self._exchange(run, turn, send)
            turn += 1

    async def _compute(self, function: Any, *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self.pool, function, *arguments)

    async def _exchange(self, run: str, turn: int, send: Send) -> tuple[Got, int]:
        """Send, and wait for the messages of all other parts; what came, and how many bytes went to other workers."""
        numbers = np.array(tuple(send.numbers), np.float64)
        others = [q for q in range(len(self.peers)) if q != self.part.index]
        sent = sum(
            array.nbytes
            for q, arrays in send.values.items()
            for array in arrays
            if self.peers[q][0] != self.worker.address
        )
        going = asyncio.gather(*(self._tell(q, run, turn, numbers, send.values.get(q, ())) for q in others))
        going.add_done_callback(self._told_all)
        while len(self.inbox.get((run, turn), ())) < len(others):
            if run in self.cancelled:
                going.cancel()
                raise RunCancelled(f"the run {run} was cancelled")
            if going.done():
                going.result()  # a part that cannot be told is lost
            self.arrived.clear()
            await self.arrived.wait()
        await self._heard()
        self.unheard = going
        came = self.inbox.pop((run, turn), {})
        came[self.part.index] = (numbers, ())
        rows = np.stack([came[q][0] for q in sorted(came)])
        return Got({q: arrays for q, (_, arrays) in came.items() if len(arrays)}, rows), sent

    def _told_all(self, going: Any) -> None:
        """All that was to be sent in a round has arrived, or one message has not: what waits for others looks."""
        if not going.cancelled():
            going.exception()
        self.arrived.set()

    async def _heard(self) -> None:
        """Wait until what was sent last has arrived."""
        going, self.unheard = self.unheard, None
        if going is not None:
            await going

    async def _tell(self, q: int, run: str, turn: int, numbers: np.ndarray, arrays: Arrays) -> None:
        address, key = self.peers[q]
        if address == self.worker.address:
            await self.worker.state.actors[key].deliver(run, turn, self.part.index, numbers, *arrays)
            return
        message = [to_serialize(one) for one in (run, turn, self.part.index, numbers, *arrays)]
        try:
            told = await self.worker.rpc(address).actor_execute(actor=key, function="deliver", args=message, kwargs={})
        except (OSError, KeyError) as error:
            raise PartLost(f"the worker {address}, which has part {q}, does not answer: {error}") from None
        if told["status"] != "OK":
            raise PartLost(f"the worker {address} has lost part {q}: {told['exception']}")

    async def fetch(self, what: str) -> Any:
        """The values of a run, the ids of the owned vertices, or the part itself, for the caller's own use."""
        if what == "ids":
            return self.part.ids
        if what == "part":
            return rows_of_part(self.part)
        return self.results[what]

    async def fetch_some(self, run: str, vertices: np.ndarray) -> np.ndarray:
        """The values of some owned vertices."""
        return self.results[run][np.asarray(vertices) - self.part.first]

    async def find(self, name: Any) -> int:
        """The number of the owned vertex of this id or name; -1 for none."""
        return await self._compute(_find, self.part, name)

    async def write(self, run: str, folder: str, column: str) -> str:
        """Write the values of a run as one Parquet file of a folder."""
        return await self._compute(write_values, self.part, self.results[run], folder, column)

    async def save(self, folder: str) -> str:
        """Write the part to a folder."""
        return await self._compute(write_part, self.part, folder)

    async def forget(self, run: str) -> None:
        """Let go of the values of a run."""
        self.results.pop(run, None)

    async def tidy(self, checkpoint: Checkpoint) -> None:
        """Remove the checkpoints of a run that has ended well."""
        await self._compute(checkpoint.remove, self.part.index)

    async def kept(self, checkpoint: Checkpoint) -> list[int]:
        """The rounds of which there is a checkpoint of this part."""
        return await self._compute(checkpoint.rounds, self.part.index)


def _next(steps: Any, got: Got | None) -> tuple[Send | None, Any]:
    """What a generator sends next, or else what it returns."""
    try:
        return (next(steps) if got is None else steps.send(got)), None
    except StopIteration as end:
        return None, end.value


def _find(part: Part, name: Any) -> int:
    if part.ids is None:
        return -1
    if isinstance(part.ids, Names):
        at = int(part.ids.find([str(name)])[0])
    else:
        found = np.flatnonzero(part.ids == name)
        at = int(found[0]) if found.size else -1
    return at + part.first if at >= 0 else -1


def peak_memory() -> int:
    """The most memory this process has had, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
