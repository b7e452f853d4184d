"""Devices to model: what of a GPU decides how fast irregular memory accesses go.

Figures are the makers' (K40c: board specification BD-06902-001; A100: the architecture white paper of 2020), except the
last four, which are round numbers of the size that microbenchmarks report for these generations. A model built on them
can rank layouts of one graph on one device; its seconds are no promise.
"""

from __future__ import annotations

from dataclasses import dataclass

from nearly.base.errors import InvalidArgumentError


@dataclass(frozen=True)
class Device:
    """A GPU as the model sees it."""

    name: str
    warp: int  # threads that run in step
    line: int  # bytes one memory transaction moves
    shared: int  # bytes of fast memory a block may use
    multiprocessors: int
    issue: int  # warps a multiprocessor advances in a cycle
    gigahertz: float
    bandwidth: float  # gigabytes a second
    step: float = 8.0  # cycles of instructions for one edge of a lane
    latency: float = 100.0  # cycles a lone warp waits a step: some 400 for its data, of which a few are under way
    atomic: float = 1.0  # nanoseconds an atomic costs the memory system, all units together working
    launch: float = 5e-6  # seconds to start a kernel


K40C = Device("k40c", 32, 128, 48 << 10, 15, 4, 0.745, 288.0)
A100 = Device("a100", 32, 32, 164 << 10, 108, 4, 1.41, 1555.0, atomic=0.25)
DEVICES = {device.name: device for device in (K40C, A100)}


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
