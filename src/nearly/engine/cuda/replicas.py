"""Confluence on the device: a pass after a round gives copies of a vertex its value, a thread to a group.

The rule is a number, so one kernel serves all; a rule that is a function of the caller's has no form here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import cuda

from nearly.base.atomics import exchange, fetch_add
from nearly.base.errors import DeviceUnavailableError
from nearly.base.unsigned import U0, U1
from nearly.engine.cuda.advance import Advance
from nearly.engine.cuda.device import device_functor, device_kernel, launch, put
from nearly.engine.transform import confluence
from nearly.engine.transform.replicas import Copies


class Confluence(confluence.Confluence):
    """Rounds of `advance` and passes over the copies of its graph, `now` and `before` being on the device."""

    def __init__(self, copies: Copies, advance: Advance) -> None:
        if not isinstance(copies.merge, str):
            raise DeviceUnavailableError("a confluence that is a function runs on device='cpu' only; name a rule")
        super().__init__(copies, advance)  # type: ignore[arg-type]
        self.groups = tuple(cuda.to_device(array) for array in (copies.heads, copies.first, copies.slot))
        self.size = cuda.to_device(np.zeros(1, np.uint64))

    def _merge(self) -> bool:
        advance: Any = self.advance
        rule = confluence.RULES[str(self.copies.merge) if self.passes < confluence.MOST else "min"]
        self.passes += 1
        put(self.size, advance.size)
        values = Values(self.now, self.before, self.nowhere, confluence.largest(self.nowhere))
        tail = (advance.here, self.size, advance.stamp, np.uint32(advance.now))
        launch(join_groups, self.copies.heads.size, self.groups, values, rule, *tail)
        advance.size = int(self.size.copy_to_host()[0])
        return advance.size > 0


merge = device_functor(confluence.merge_group)


class Values(NamedTuple):
    """What copies are merged of."""

    now: Any
    before: Any
    nowhere: Any  # the value of a vertex not reached yet
    largest: float  # the largest value of one that was


@device_kernel
def join_groups(groups, values, rule, here, size, stamp, turn):
    """Give every group its merged value; a vertex that changes by it goes to `here`."""
    heads, first, slot = groups
    now, before, nowhere, largest = values
    for i in range(cuda.grid(1), heads.size, cuda.gridsize(1)):
        h = np.uint64(heads[i])
        merged = merge(h, first, slot, now, nowhere, rule)
        if merged == merged:  # else none of the group was reached
            merged = min(max(merged, 0.0), largest)
            for j in range(first[h], first[h + U1] + U1):
                v = np.uint64(slot[j]) if j < first[h + U1] else h
                old = now[v]
                now[v] = merged  # rounded to the values' type, and down where that is whole numbers
                if now[v] != old:
                    before[v] = now[v]
                    if exchange(stamp, v, turn) != turn:
                        here[fetch_add(size, U0, U1)] = v
