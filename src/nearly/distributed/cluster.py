"""The client's side: where workers are, how actors are placed and called, and how a lost worker is noticed.

Calls go straight to the worker where the client can reach it, else through the scheduler: they are small, but for
values that the caller asks for. A call that fails because of a connection, or because the actor is gone with its
worker, is a `PartLost`; what the actor itself raised comes as it was.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from concurrent.futures import CancelledError
from typing import Any, NamedTuple

from distributed import Client, Future, wait
from distributed.client import FutureCancelledError
from distributed.comm import CommClosedError
from distributed.protocol import to_serialize
from distributed.scheduler import KilledWorker

from nearly.base.arguments import shown, whole_number
from nearly.base.errors import InvalidArgumentError, MemoryBudgetError
from nearly.base.memory import human_bytes
from nearly.distributed.errors import ClusterError, PartLost

_PATIENCE = 30.0  # seconds to wait for workers to come (back)
_KNOCK = 5.0  # seconds in which a worker answers that can be reached
LOSSES = (PartLost, KilledWorker, CancelledError, FutureCancelledError, CommClosedError, OSError)
_LOOK = 1.0  # seconds between two looks whether all workers are there


class Host(NamedTuple):
    """The actor of a part: where it is, its key, and what keeps it alive."""

    address: str
    key: str
    future: Future
    direct: bool  # whether the client reaches the worker itself


def checked_client(client: Any) -> Client:
    """The client, or an error that says how to get one."""
    if not isinstance(client, Client):
        raise InvalidArgumentError(
            f"client must be a dask.distributed.Client, such as Client(n_workers=4), not {shown(client)}"
        )
    if client.asynchronous:
        raise InvalidArgumentError("client must be a synchronous one: leave out asynchronous=True")
    return client


def workers_of(client: Client, at_least: int = 1) -> dict[str, dict[str, Any]]:
    """The workers by address, once there are as many as wanted; what the scheduler knows of each."""
    try:
        client.wait_for_workers(at_least, timeout=_PATIENCE)
    except TimeoutError:
        raise ClusterError(f"the cluster has no worker after {_PATIENCE:.0f} s; start some, then try again") from None
    found = client.sync(client.scheduler.identity, n_workers=-1)["workers"]
    return dict(sorted(found.items(), key=lambda item: str(item[1]["name"])))


def part_count(client: Client, parts: int | None) -> int:
    """How many parts: as many as asked for, else one for each thread of the workers."""
    if parts is not None:
        return whole_number("parts", parts)
    return sum(int(facts["nthreads"]) for facts in workers_of(client).values())


def placing(client: Client, parts: int) -> list[str]:
    """A worker for each part, as many for each thread, neighbouring parts together."""
    places = [address for address, facts in workers_of(client).items() for _ in range(int(facts["nthreads"]))]
    return [places[p * len(places) // parts] for p in range(parts)]


def memory_left(client: Client) -> dict[str, int]:
    """The memory that each worker has left; nothing where one of them has no limit."""
    left: dict[str, int] = {}
    for address, facts in workers_of(client).items():
        limit = int(facts.get("memory_limit") or 0)
        if not limit:
            return {}
        left[address] = max(limit - int(facts.get("metrics", {}).get("memory", 0)), 0)
    return left


def require_memory_of_each(client: Client, needed: int, what: str) -> None:
    """Raise `MemoryBudgetError` if a worker has less memory left than `what` takes on every worker."""
    left = memory_left(client)
    if left and needed > min(left.values()):
        address = min(left, key=lambda one: left[one])
        raise MemoryBudgetError(
            f"{what} needs about {human_bytes(needed)} on every worker, and {address} has {human_bytes(left[address])} "
            "left; samples need the graph on each of them: give workers more memory, or ask what works on parts"
        )


def require_memory(client: Client, needed: int, what: str) -> None:
    """Raise `MemoryBudgetError` if all workers together have less memory left than `what` takes."""
    left = memory_left(client)
    free = sum(left.values())
    if left and needed > free:
        raise MemoryBudgetError(
            f"{what} needs about {human_bytes(needed)} on the workers, which have {human_bytes(free)} left together; "
            "add workers, or give them more memory"
        )


async def call(client: Client, host: Host, method: str, *arguments: Any) -> Any:
    """The answer of an actor's method."""
    message = {"actor": host.key, "function": method, "args": [to_serialize(one) for one in arguments], "kwargs": {}}
    try:
        if host.direct:
            answer = await client.rpc(host.address).actor_execute(**message)
        else:
            answer = await client.scheduler.proxy(worker=host.address, msg={"op": "actor_execute", **message})
    except OSError as error:
        raise PartLost(f"the worker {host.address} does not answer: {error}") from None
    except KeyError:
        raise PartLost(f"the worker {host.address} has lost its part") from None
    if answer["status"] == "OK":
        return answer["result"]
    raise answer["exception"]


async def call_all(client: Client, hosts: list[Host], method: str, *arguments: Any) -> list[Any]:
    """The answers of all parts; the first error where there is one, once all other calls have ended or were given up.

    A worker that the scheduler no longer knows counts as lost, though its connection may seem alive.
    """
    calls = [asyncio.ensure_future(call(client, host, method, *arguments)) for host in hosts]
    try:
        waiting: set[Any] = set(calls)
        while waiting:
            done, waiting = await asyncio.wait(waiting, timeout=_LOOK, return_when=asyncio.FIRST_EXCEPTION)
            for one in done:
                one.result()
            if waiting:
                known = (await client.scheduler.identity(n_workers=-1))["workers"]
                gone = {host.address for host in hosts} - known.keys()
                if gone:
                    raise PartLost(f"the scheduler has lost the worker {min(gone)}")
        return [one.result() for one in calls]
    finally:
        for one in calls:
            one.cancel()
        await asyncio.gather(*calls, return_exceptions=True)


def start_actors(client: Client, parts: list[Future], addresses: list[str]) -> list[Host]:
    """An actor for each part, on the worker that has it."""
    from nearly.distributed.part_actor import PartActor

    futures = [
        client.submit(PartActor, part, actor=True, workers=[address], key=f"nearly-part-{part.key}")
        for part, address in zip(parts, addresses)
    ]
    actors = gathered(client, futures, addresses)
    direct = reaches(client, addresses[0])
    return [Host(actor._address, future.key, future, direct) for actor, future in zip(actors, futures)]


def reaches(client: Client, address: str) -> bool:
    """Whether the client can connect to a worker; from outside a cluster it often sees the scheduler alone."""

    async def knock() -> bool:
        try:
            await asyncio.wait_for(client.rpc(address).identity(), _KNOCK)
        except (TimeoutError, OSError):
            return False
        return True

    return client.sync(knock)


def gathered(client: Client, futures: list[Future], workers: Iterable[str] = ()) -> list[Any]:
    """The results of tasks; `PartLost` where one of the workers they are bound to went away."""
    while True:
        try:
            wait(futures, timeout=_LOOK)
            return client.gather(futures)
        except TimeoutError:
            gone = set(workers) - client.sync(client.scheduler.identity, n_workers=-1)["workers"].keys()
            if gone:
                raise PartLost(f"the worker {min(gone)} was lost while the graph was made") from None


def let_settle(client: Client) -> None:
    """After a loss: wait until the scheduler knows no worker that does not answer."""

    async def silent() -> bool:
        known = (await client.scheduler.identity(n_workers=-1))["workers"]
        for address in known:
            try:
                await client.scheduler.proxy(worker=address, msg={"op": "identity"})
            except (OSError, KeyError, ValueError):
                return True
        return False

    until = time.monotonic() + _PATIENCE
    while client.sync(silent) and time.monotonic() < until:
        time.sleep(0.2)
