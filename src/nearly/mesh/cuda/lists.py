"""Lists on the device, in the order the CPU makes them in.

Each item says how many places it takes (a functor `size(state, k)`), a scan says where these are, and each item that
takes any is put there (`put(state, k, at)`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import cuda

from nearly.engine.cuda.compiler_hints import as_written
from nearly.engine.cuda.device import device_functor, device_kernel, launch
from nearly.engine.cuda.primitives import Scan


class Lister:
    """Makes lists from any number of items; it keeps the arrays it needs for that."""

    def __init__(self) -> None:
        self._make_room(1)

    def _make_room(self, most: int) -> None:
        self.sizes, self.scan = cuda.device_array(most, np.uint64), Scan(most)

    def __call__(self, size: Callable[..., Any], put: Callable[..., None], state: Any, count: int) -> int:
        """The places that items 0..count-1 take in all."""
        if count == 0:
            return 0
        if count > self.sizes.size:
            self._make_room(count + count // 2)
        launch(measure(size), count, state, count, self.sizes)
        first = self.scan(self.sizes, count)
        launch(place(put), count, state, count, self.sizes, first)
        return int(first[count : count + 1].copy_to_host()[0])


@cache
def measure(size: Callable[..., Any]) -> Any:
    """The kernel that asks for sizes."""
    asks = device_functor(size)

    @device_kernel
    def run(state, count, sizes):
        as_written()
        for k in range(cuda.grid(1), count, cuda.gridsize(1)):
            sizes[k] = asks(state, np.uint64(k))

    return run


@cache
def place(put: Callable[..., None]) -> Any:
    """The kernel that puts items where the scan of sizes says."""
    puts = device_functor(put)

    @device_kernel
    def run(state, count, sizes, first):
        for k in range(cuda.grid(1), count, cuda.gridsize(1)):
            if sizes[k]:
                puts(state, np.uint64(k), first[k])

    return run
