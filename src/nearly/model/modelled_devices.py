"""Devices to model: the numbers of a GPU that decide how fast irregular memory accesses are.

They are the makers' numbers (K40c: board specification BD-06902-001; A100: the architecture white paper of 2020; K20c,
a Kepler, and C2070, a Fermi: what Kumar and Vadhiyar print, and the bandwidth of the boards). A Kepler fetches from
memory in pieces of 32 bytes, a Fermi in lines of 128. From `step` on they are not the makers', but `resident`: they are
round numbers of the size that microbenchmarks report for these generations. `managed` and `child` are the least
certain: the CUDA guide says only that the device's runtime "may impose an overhead on any kernel which is running",
and no two programs tell the same cost of a launch. `child` is chosen such that the best MDA for a graph like the
R-MAT graph of Kumar and Vadhiyar, at its size, is theirs (169). A model built on these numbers can rank layouts of one
graph on one device; its seconds are no promise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from nearly.base.errors import InvalidArgumentError


@dataclass(frozen=True)
class Device:
    """A GPU as the model sees it.

    Attributes
    ----------
    name : str
        What it is called in tables.
    warp : int
        Threads that run in step, 1 to 1024.
    line : int
        Bytes that one memory transaction moves, at least 4.
    shared : int
        Bytes of fast memory that a block may use.
    multiprocessors : int
        How many multiprocessors it has.
    issue : int
        Warps that a multiprocessor advances in a cycle.
    gigahertz : float
        Its clock.
    bandwidth : float
        Gigabytes of memory moved in a second.
    step : float
        Cycles of instructions for one edge of a lane.
    latency : float
        Cycles that a lone warp waits in a step: data take about 400, and a few requests are under way at once.
    atomic : float
        Nanoseconds that an atomic costs the memory system while all its units work.
    launch : float
        Seconds to start a kernel.
    resident : int
        Blocks of 256 threads that a multiprocessor holds at a time; a block keeps its place until its slowest warp is
        done. 0: not modelled, as if there were room for all.
    managed : float
        By what share a kernel that may launch others is slower, even if it launches none (dynamic parallelism).
    child : float
        Seconds of the device for each launch by a thread of it; infinite where threads cannot launch.

    Examples
    --------
    >>> from dataclasses import replace
    >>> import nearly
    >>> replace(nearly.model.K40C, name="wide", warp=64).warp
    64
    """

    name: str
    warp: int
    line: int
    shared: int
    multiprocessors: int
    issue: int
    gigahertz: float
    bandwidth: float
    step: float = 8.0
    latency: float = 100.0
    atomic: float = 1.0
    launch: float = 5e-6
    resident: int = 0
    managed: float = 0.1
    child: float = 4e-7


K40C = Device("k40c", 32, 128, 48 << 10, 15, 4, 0.745, 288.0)
A100 = Device("a100", 32, 32, 164 << 10, 108, 4, 1.41, 1555.0, atomic=0.25)
K20C = Device("k20c", 32, 32, 48 << 10, 13, 4, 0.706, 208.0, latency=600.0, resident=8)
C2070 = Device("c2070", 32, 128, 48 << 10, 14, 1, 1.15, 144.0, latency=1000.0, atomic=9.0, resident=6, child=math.inf)
DEVICES = {device.name: device for device in (K40C, A100, K20C, C2070)}


def device_of(device: Device | str) -> Device:
    """A device by name, or as it is.

    >>> device_of("k40c").warp
    32
    """
    if isinstance(device, Device):
        if not 1 <= device.warp <= 1024 or device.line < 4:
            raise InvalidArgumentError("a device's warp must be 1 to 1024 threads, its line at least 4 bytes")
        return device
    known = DEVICES.get(str(device).lower())
    if known is None:
        raise InvalidArgumentError(f"no device is called {device!r}; there are {', '.join(DEVICES)}, or make a Device")
    return known
