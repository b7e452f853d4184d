"""Atomic operations on array elements, usable inside compiled kernels.

Each is a plain Python function (its body is what runs with the JIT off, where threads do not race)
that compiles to one LLVM atomic instruction. All return the old value. Ordering is
monotonic: kernels synchronise at the end of parallel regions, not through these.
"""

from __future__ import annotations

from typing import Any

from numba import types

from nearly.base.instruction import element, instruction


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


def _changed(pick: Any) -> Any:
    """The code of the `atomicrmw` operation that `pick` names for the element's type."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = element(context, builder, sig.args[0], args[0], args[1])
        return builder.atomic_rmw(pick(sig.args[0].dtype), pointer, args[2], "monotonic")

    return code


def _loaded(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    pointer = element(context, builder, sig.args[0], args[0], args[1])
    return builder.load_atomic(pointer, "monotonic", sig.args[0].dtype.bitwidth // 8)


def _is_down(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    first = context.get_constant(types.uintp, 0)
    flag = _loaded(context, builder, sig, (args[0], first))
    return builder.icmp_unsigned("==", flag, flag.type(0))


def _exchanged(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    pointer = element(context, builder, sig.args[0], args[0], args[1])
    pair = builder.cmpxchg(pointer, args[2], args[3], "monotonic", "monotonic")
    return builder.extract_value(pair, 0)


def _ordered(name: str) -> Any:
    """`name` (min or max) as LLVM spells it for a float, signed or unsigned type."""
    return lambda t: f"f{name}" if isinstance(t, types.Float) else (name if t.signed else f"u{name}")


def _of_element(array: Any, i: Any, *values: Any) -> Any:
    """The signature of what is done with an element, by values of its type."""
    return array.dtype(array, types.uintp, *[array.dtype] * len(values)) if isinstance(array, types.Array) else None


instruction(atomic_load, _of_element, _loaded)
instruction(going, lambda stop: types.boolean(stop), _is_down)
instruction(fetch_add, _of_element, _changed(lambda t: "add"))
instruction(fetch_or, _of_element, _changed(lambda t: "or"))
instruction(exchange, _of_element, _changed(lambda t: "xchg"))
instruction(atomic_min, _of_element, _changed(_ordered("min")))
instruction(atomic_max, _of_element, _changed(_ordered("max")))
instruction(compare_exchange, _of_element, _exchanged)
