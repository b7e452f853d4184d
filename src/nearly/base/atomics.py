"""Atomic operations on array elements, usable inside compiled kernels.

Each is a plain Python function (its body is what runs with the JIT off, where threads do not race)
with an overload that emits one LLVM atomic instruction. All return the old value. Ordering is
monotonic: kernels synchronise at the end of parallel regions, not through these.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload


def atomic_load(array: Any, i: Any) -> Any:
    """Read `array[i]` afresh: the compiler may not keep an earlier value, as it may with a plain read."""
    return array[i]


def going(stop: Any) -> bool:
    """Whether the stop flag a kernel polls is still down."""
    return atomic_load(stop, 0) == 0


def fetch_add(array: Any, i: Any, value: Any) -> Any:
    """Add `value` to `array[i]`; integers only, because sums of floats would depend on the order."""
    old = array[i]
    array[i] = old + value
    return old


def fetch_or(array: Any, i: Any, value: Any) -> Any:
    """Set the bits of `value` in `array[i]`."""
    old = array[i]
    array[i] = old | value
    return old


def atomic_min(array: Any, i: Any, value: Any) -> Any:
    """Lower `array[i]` to `value` if that is smaller."""
    old = array[i]
    if value < old:
        array[i] = value
    return old


def atomic_max(array: Any, i: Any, value: Any) -> Any:
    """Raise `array[i]` to `value` if that is larger."""
    old = array[i]
    if value > old:
        array[i] = value
    return old


def exchange(array: Any, i: Any, value: Any) -> Any:
    """Put `value` into `array[i]`."""
    old = array[i]
    array[i] = value
    return old


def compare_exchange(array: Any, i: Any, expected: Any, value: Any) -> Any:
    """Put `value` into `array[i]` if it holds `expected`."""
    old = array[i]
    if old == expected:
        array[i] = value
    return old


def _element(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    struct = context.make_array(array_type)(context, builder, array)
    return cgutils.get_item_pointer(context, builder, array_type, struct, [index], wraparound=False)


def _emit(pick: Any) -> Any:
    """An intrinsic for the `atomicrmw` operation that `pick` names for the element's type."""

    @intrinsic
    def operation(typingctx: Any, array: Any, i: Any, value: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            pointer = _element(context, builder, sig.args[0], args[0], args[1])
            return builder.atomic_rmw(pick(sig.args[0].dtype), pointer, args[2], "monotonic")

        return array.dtype(array, types.uintp, array.dtype), codegen

    return operation


@intrinsic
def _load(typingctx: Any, array: Any, i: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = _element(context, builder, sig.args[0], args[0], args[1])
        return builder.load_atomic(pointer, "monotonic", sig.args[0].dtype.bitwidth // 8)

    return array.dtype(array, types.uintp), codegen


@intrinsic
def _compare_exchange(typingctx: Any, array: Any, i: Any, expected: Any, value: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = _element(context, builder, sig.args[0], args[0], args[1])
        pair = builder.cmpxchg(pointer, args[2], args[3], "monotonic", "monotonic")
        return builder.extract_value(pair, 0)

    return array.dtype(array, types.uintp, array.dtype, array.dtype), codegen


def _ordered(name: str) -> Any:
    """`name` (min or max) as LLVM spells it for a float, signed or unsigned type."""
    return lambda t: f"f{name}" if isinstance(t, types.Float) else (name if t.signed else f"u{name}")


_add, _or, _swap = _emit(lambda t: "add"), _emit(lambda t: "or"), _emit(lambda t: "xchg")
_min, _max = _emit(_ordered("min")), _emit(_ordered("max"))

overload(atomic_load, inline="always")(lambda array, i: lambda array, i: _load(array, i))
overload(going, inline="always")(lambda stop: lambda stop: _load(stop, 0) == 0)
overload(fetch_add, inline="always")(lambda array, i, value: lambda array, i, value: _add(array, i, value))
overload(fetch_or, inline="always")(lambda array, i, value: lambda array, i, value: _or(array, i, value))
overload(exchange, inline="always")(lambda array, i, value: lambda array, i, value: _swap(array, i, value))
overload(atomic_min, inline="always")(lambda array, i, value: lambda array, i, value: _min(array, i, value))
overload(atomic_max, inline="always")(lambda array, i, value: lambda array, i, value: _max(array, i, value))
overload(compare_exchange, inline="always")(
    lambda array, i, expected, value: lambda array, i, expected, value: _compare_exchange(array, i, expected, value)
)
