"""One run of a program on all parts: started, watched, started again after a loss, or ended by Ctrl-C.

All parts are called to run; they find their way among themselves. The client waits, shows progress, and looks whether
all workers are there. Where one is lost, the others are told to end, the graph is made again on the workers that are
left (or have come instead), and the run goes on from the last checkpoint that all parts have, or from the start; at
most `RESTARTS` times.
"""

from __future__ import annotations

import asyncio
import os
import time
import uuid
import weakref
from contextlib import suppress
from typing import Any

from distributed import Client

from nearly.base.arguments import whole_number
from nearly.base.progress import Progress, following
from nearly.distributed.checkpoints import Checkpoint, sign_of
from nearly.distributed.cluster import Host, call, call_all
from nearly.distributed.errors import ClusterError, PartLost, RunCancelled
from nearly.distributed.graph import DistributedGraph
from nearly.distributed.programs import needs
from nearly.distributed.result import DistributedResult, Loss, trace_of
from nearly.distributed.values import DistributedArray

RESTARTS = 3
_TICK = 0.3  # seconds between two looks at how far a run is
_LOST = (PartLost, RunCancelled)


def run(
    dg: DistributedGraph,
    name: str,
    arguments: dict[str, Any],
    *,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: int = 10,
    progress: Progress | None = None,
) -> DistributedResult:
    """Run a program to its end; see the top of the file."""
    kept = None
    if checkpoint is not None:
        every, sign = whole_number("checkpoint_every", checkpoint_every), sign_of(name, arguments, dg.n, dg.m, dg.parts)
        kept = Checkpoint(os.path.abspath(os.fspath(checkpoint)), every, sign)
    losses: list[Loss] = []
    begin = time.perf_counter()
    with following(progress, name) as tell:
        while True:
            number = f"{name}-{uuid.uuid4().hex}"
            try:
                told, since = _attempt(dg, number, name, arguments, kept, tell)
                break
            except _LOST as error:
                losses.append(Loss(time.perf_counter() - begin, str(error)))
                if len(losses) > RESTARTS:
                    raise ClusterError(
                        f"{name} was started {RESTARTS + 1} times and lost a worker each time, at last: {error}"
                    ) from None
                dg.make()
            except BaseException:
                dg.cancel(number)
                raise
        if kept is not None:
            with suppress(PartLost):  # the answer is there all the same
                dg.call_all("tidy", kept)
    values = DistributedArray(dg, number, told[0]["dtype"])
    weakref.finalize(values, _forget, dg.client, list(dg.hosts), number).atexit = False
    trace = trace_of([one["rounds"] for one in told])
    facts = {**told[0]["facts"], "peaks": [one["peak"] for one in told], "since": since}
    facts["boundary"] = sum(one["boundary"] for one in told)
    return DistributedResult.made(name, values, facts, trace, losses, time.perf_counter() - begin)


def run_after(
    values: DistributedArray, name: str, arguments: dict[str, Any]
) -> tuple[DistributedArray, dict[str, Any]]:
    """Run a program on the values of a run before, where they are; if these are lost, so is this.

    Returns its own values, and facts.
    """
    dg, number = values.graph, f"{name}-{uuid.uuid4().hex}"
    arguments = {**arguments, "of": values.run, "thinned": None}
    try:
        values.check()
        dg.prepare(needs(name, arguments))
        told = values.ask("run", number, name, arguments)
    except BaseException:
        dg.cancel(number)
        raise
    made = DistributedArray(dg, number, told[0]["dtype"])
    weakref.finalize(made, _forget, dg.client, list(dg.hosts), number).atexit = False
    return made, told[0]["facts"]


def _attempt(
    dg: DistributedGraph, number: str, name: str, arguments: dict[str, Any], kept: Checkpoint | None, tell: Progress
) -> tuple[list[dict[str, Any]], int]:
    """What all parts say at the end of one run, and the round it began with."""
    dg.prepare(needs(name, arguments))
    since = 0
    if kept is not None:
        common = set.intersection(*(set(rounds) for rounds in dg.call_all("kept", kept)))
        since = max(common, default=0)
    client, hosts = dg.client, dg.hosts
    try:
        return client.sync(_watched, client, hosts, number, (name, arguments, kept, since), tell), since
    except _LOST:
        dg.cancel(number)
        raise


async def _watched(client: Client, hosts: list[Host], number: str, what: tuple[Any, ...], tell: Progress) -> Any:
    """The answers of all parts, while progress is told."""
    running = asyncio.ensure_future(call_all(client, hosts, "run", number, *what))
    try:
        while not running.done():
            await asyncio.wait({running}, timeout=_TICK)
            if not running.done():
                turn, _ = await call(client, hosts[0], "where")
                tell(what[0], int(turn), None)
        return running.result()
    finally:
        running.cancel()


def _forget(client: Client, hosts: list[Host], number: str) -> None:
    """Let the parts drop the values of a run whose result is gone; nothing is waited for."""
    if client.status != "running":
        return

    async def each() -> None:
        calls = [asyncio.wait_for(call(client, host, "forget", number), 5) for host in hosts]
        await asyncio.gather(*calls, return_exceptions=True)

    client.loop.add_callback(each)
