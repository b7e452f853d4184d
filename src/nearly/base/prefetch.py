"""A hint to the processor: this array element will be read soon.

For loops that follow indices through memory (frontier to row, row to vertex): asking for a line some
iterations ahead hides most of its latency. A hint never faults, so the index may lie outside the array.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload


def prefetch(array: Any, i: Any) -> None:
    """Start to load `array[i]`; nothing where compilation is off."""


@intrinsic
def _prefetch(typingctx: Any, array: Any, i: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        struct = context.make_array(sig.args[0])(context, builder, args[0])
        pointer = cgutils.get_item_pointer(context, builder, sig.args[0], struct, [args[1]], wraparound=False)
        address, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [address, flag, flag, flag])
        hint = builder.module.declare_intrinsic("llvm.prefetch", (address,), kind)
        builder.call(hint, [builder.bitcast(pointer, address), flag(0), flag(3), flag(1)])  # read, keep, data
        return context.get_dummy_value()

    return types.none(array, types.uintp), codegen


overload(prefetch, inline="always")(lambda array, i: lambda array, i: _prefetch(array, i))
