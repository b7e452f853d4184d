"""The device: kernels and functors made for it, arrays on it, launches.

A functor is the same plain function that the CPU's operators take, compiled as it stands. (For numba's simulator it
has a twin; see `simulator`.)

A graph's arrays go to the device once and stay with the graph. Loops in kernels stride over the whole grid, so a launch
has as many blocks as there is work for, up to `MOST_BLOCKS`. The simulator starts a thread for each of the
grid's threads, so there blocks are tiny.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import cuda

from nearly.base.atomics_cuda import SIMULATED
from nearly.base.errors import MemoryBudgetError
from nearly.base.jit import spent
from nearly.base.memory import human_bytes
from nearly.graph.csr import Arrays, Graph

if SIMULATED:
    from nearly.engine.cuda import simulator
else:
    from numba.cuda.core import config

    config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a frontier of few vertices needs few blocks, and there are many such

BLOCK, WARP, MOST_BLOCKS = (4, 2, 2) if SIMULATED else (256, 32, 4096)
KERNELS: dict[str, Any] = {}  # the last kernel made at each place in the sources, so that tests can miss none


def device_kernel(function: Callable[..., None]) -> Any:
    """A kernel, to be run by `launch`."""
    made = cuda.jit(simulator.twin(function) if SIMULATED else function)
    KERNELS[f"{function.__module__}.{function.__qualname__}"] = made
    return made


@cache
def device_functor(function: Callable[..., Any]) -> Any:
    """A one-element function as kernels call it."""
    if SIMULATED:
        return simulator.twin(function)
    return function if hasattr(function, "py_func") else cuda.jit(device=True)(function)


def launch(kernel: Any, work: int, *arguments: Any, each: int = 1, most: int = MOST_BLOCKS) -> int:
    """Run a kernel on a grid for `work` items of `each` threads; returns how many blocks that were."""
    blocks = min(-(-work * each // BLOCK), most)
    if blocks and SIMULATED:
        simulator.run(kernel[blocks, BLOCK], *arguments)
    elif blocks:
        known, since = len(kernel.overloads), time.perf_counter()
        kernel[blocks, BLOCK](*arguments)
        if len(kernel.overloads) > known:  # a launch does not wait for the kernel, so the time went into compiling
            spent.compiling += time.perf_counter() - since
    return blocks


def require_there(nbytes: int, what: str) -> None:
    """Raise if the device has no memory left for `what`."""
    free = cuda.current_context().get_memory_info().free
    if nbytes > free:
        raise MemoryBudgetError(
            f"{what} takes {human_bytes(nbytes)} and the device has {human_bytes(free)} left; "
            "use device='cpu' or a smaller one"
        )


def graph_arrays(graph: Graph) -> Arrays:
    """The graph's arrays on the device, copied there once."""
    kept = graph.__dict__.get("_on_cuda")
    if kept is None:
        require_there(graph.nbytes, "the graph")
        kept = graph.__dict__["_on_cuda"] = Arrays(*(cuda.to_device(array) for array in graph.arrays))
    return kept


def state_arrays(state: Any, graph: Graph) -> Any:
    """A state's arrays on the device; the graph's are there already, and one array in two fields stays one."""
    kept = {id(here): there for here, there in zip(graph.arrays, graph_arrays(graph))}
    for array in state:
        if id(array) not in kept:
            kept[id(array)] = cuda.to_device(array) if isinstance(array, np.ndarray) else array
    return type(state)(*(kept[id(array)] for array in state))


def fetch(there: Any, here: Any, graph: Graph) -> None:
    """Bring a state's arrays back from the device, but for the graph's, which never change."""
    own = {id(array) for array in graph.arrays}
    for device, host in zip(there, here):
        if id(host) not in own:
            device.copy_to_host(host)


def put(array: Any, *values: Any) -> None:
    """Set a small array on the device, such as the number of the round."""
    array.copy_to_device(np.array(values, array.dtype))
