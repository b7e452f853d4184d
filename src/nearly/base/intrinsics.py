"""Single instructions and hints, usable inside compiled kernels; plain Python with the JIT off.

- `apart()`: the function that calls this is not inlined. Where a rare case is inlined, the function around it grows too
  long to be inlined itself, and saves registers for nothing;
- `prefetch(array, i)`: this element will be read soon. For loops that follow indices through memory (frontier to row,
  row to vertex): asking for a line some iterations ahead hides most of its latency. A hint never faults, so the index
  may lie outside the array;
- `eight_bytes(array, i)`: bytes from anywhere as one word, the first one lowest; all eight must lie in the array;
- `trailing_zeros`, `ones`: bits of a word;
- `ticks`: the processor's counter, so that a kernel which runs many rounds in one call can say how long each took.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from nearly.base.instruction import element, instruction


def apart() -> None:
    """Do not inline the compiled function that calls this; nothing where compilation is off."""


def keep_apart(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """What is compiled for the call: no code, but an attribute of the function it stands in."""
    builder.function.attributes.add("noinline")
    return context.get_dummy_value()


instruction(apart, lambda: types.none(), keep_apart)


def prefetch(array: Any, i: Any) -> None:
    """Start to load `array[i]`; nothing where compilation is off."""


def _asked_for(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    pointer = element(context, builder, sig.args[0], args[0], args[1])
    address, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [address, flag, flag, flag])
    hint = builder.module.declare_intrinsic("llvm.prefetch", (address,), kind)
    builder.call(hint, [builder.bitcast(pointer, address), flag(0), flag(3), flag(1)])  # read, keep, data
    return context.get_dummy_value()


instruction(prefetch, lambda array, i: types.none(array, types.uintp), _asked_for)


def eight_bytes(array: Any, i: Any) -> Any:
    """Eight elements of a uint8 array from `i` on as a uint64, the first one lowest.

    >>> hex(eight_bytes(np.arange(1, 10, dtype=np.uint8), 1))
    '0x908070605040302'
    """
    return np.uint64(int.from_bytes(array[int(i) : int(i) + 8].tobytes(), "little"))


def _as_word(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    pointer = element(context, builder, sig.args[0], args[0], args[1])
    return builder.load(builder.bitcast(pointer, ir.IntType(64).as_pointer()), align=1)


instruction(eight_bytes, lambda array, i: types.uint64(array, types.uintp), _as_word)


def trailing_zeros(word: Any) -> Any:
    """How many zeros a uint64, which must not be 0, ends with.

    >>> int(trailing_zeros(np.uint64(40)))
    3
    """
    return np.uint64((int(word) & -int(word)).bit_length() - 1)


def _of_word(word: Any) -> Any:
    """The signature of what is counted in a word."""
    return types.uint64(types.uint64)


instruction(trailing_zeros, _of_word, lambda context, builder, sig, args: builder.cttz(args[0], cgutils.true_bit))


def ones(bits: Any) -> Any:
    """How many bits are set."""
    return np.uint64(int(bits).bit_count())


instruction(ones, _of_word, lambda context, builder, sig, args: builder.ctpop(args[0]))


def ticks() -> int:
    """A counter that only grows; differences are proportional to time."""
    return time.perf_counter_ns()


def _cycles(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    counter = builder.module.declare_intrinsic("llvm.readcyclecounter", (), ir.FunctionType(ir.IntType(64), ()))
    return builder.call(counter, ())


instruction(ticks, lambda: types.uint64(), _cycles)
