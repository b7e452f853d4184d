"""The operations of `nearly.base.atomics` inside CUDA kernels: import this module and they are what is meant there.

Functors and kernels call the plain functions of `nearly.base.atomics` whatever they are compiled for; which instruction
comes out is decided there for the CPU, and by the overloads here for the GPU. All work on 32 and 64 bits.

The minimum of floats has no instruction of its own. Floats that are not negative are ordered as their bits are,
read as unsigned numbers, so that the minimum of bits is the minimum of floats, in one instruction. Distances are
never negative; an array that may hold negative numbers must not be lowered by it.

In numba's simulator kernels are Python code on threads that race, and nothing is overloaded: `LOCKED` has the plain
functions, each call of which has the one lock.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any

import numba
from numba import cuda

from nearly.base import atomics

SIMULATED = bool(numba.config.ENABLE_CUDASIM)
_OPERATIONS = (
    atomics.atomic_load,
    atomics.fetch_add,
    atomics.fetch_or,
    atomics.atomic_min,
    atomics.atomic_max,
    atomics.exchange,
    atomics.compare_exchange,
)
_lock = threading.Lock()


def _locked(operation: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(operation)
    def alone(*arguments: Any) -> Any:
        with _lock:
            return operation(*arguments)

    return alone


LOCKED = {operation: _locked(operation) for operation in _OPERATIONS}


def _overload_all() -> None:
    from numba.cuda import cgutils, types
    from numba.cuda.extending import intrinsic, overload

    @intrinsic
    def min_of_bits(typingctx: Any, array: Any, i: Any, value: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            struct = context.make_array(sig.args[0])(context, builder, args[0])
            pointer = cgutils.get_item_pointer(context, builder, sig.args[0], struct, [args[1]], wraparound=False)
            bits = cgutils.int32_t if sig.args[0].dtype.bitwidth == 32 else cgutils.intp_t
            place, wanted = builder.bitcast(pointer, bits.as_pointer()), builder.bitcast(args[2], bits)
            old = builder.atomic_rmw("umin", place, wanted, "monotonic")
            return builder.bitcast(old, args[2].type)

        return array.dtype(array, types.uintp, array.dtype), codegen

    def lowered(array, i, value):  # without annotations: numba compares its signature with that of what it returns
        if isinstance(array.dtype, types.Float):
            return lambda array, i, value: min_of_bits(array, i, value)
        return lambda array, i, value: cuda.atomic.min(array, i, value)

    overload(atomics.atomic_min)(lowered)
    overload(atomics.atomic_max)(lambda array, i, value: lambda array, i, value: cuda.atomic.max(array, i, value))
    overload(atomics.fetch_add)(lambda array, i, value: lambda array, i, value: cuda.atomic.add(array, i, value))
    overload(atomics.fetch_or)(lambda array, i, value: lambda array, i, value: cuda.atomic.or_(array, i, value))
    overload(atomics.exchange)(lambda array, i, value: lambda array, i, value: cuda.atomic.exch(array, i, value))
    overload(atomics.atomic_load)(lambda array, i: lambda array, i: cuda.atomic.or_(array, i, 0))
    overload(atomics.compare_exchange)(
        lambda array, i, expected, value: lambda array, i, expected, value: cuda.atomic.cas(array, i, expected, value)
    )


if not SIMULATED:
    _overload_all()
