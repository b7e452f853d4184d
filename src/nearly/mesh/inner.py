"""How functions are compiled that other kernels call.

- `inner_kernel`: for functions that Python never calls. A kernel that Python calls has two wrappers, which unpack every
  array of its arguments from Python's objects. In a function of a few instructions they are most of the code, and most
  of the time it takes to compile;
- `called_by_name`: for a large function that is rarely needed. A kernel contains, and the compiler goes through, a copy
  of everything it calls; this function it finds by its name instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from nearly.base.jit import light_kernel


def inner_kernel(function: Any) -> Any:
    """Compile a small function that makes no arrays (see `light_kernel`) for other kernels to call."""
    return light_kernel(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def called_by_name(kernel: Any, *example: float) -> Callable[..., Any]:
    """A function for kernels that calls `kernel`, of as many numbers as the example has, with a tuple of them.

    The kernel is compiled, or loaded, now. It must give the same result for the same numbers and change nothing.
    """
    if numba.config.DISABLE_JIT:
        return lambda numbers: kernel(*numbers)
    kernel(*example)
    made = next(iter(kernel.overloads.values()))
    name = f"{kernel.py_func.__module__}.{kernel.py_func.__name__}"
    binding.add_symbol(name, made.library.get_pointer_to_function(made.fndesc.llvm_cfunc_wrapper_name))

    @intrinsic
    def call(typingctx: Any, numbers: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            kind = ir.FunctionType(ir.DoubleType(), [ir.DoubleType()] * len(example))
            function = cgutils.get_or_insert_function(builder.module, kind, name)
            function.attributes.add("nounwind")
            return builder.call(function, cgutils.unpack_tuple(builder, args[0], len(example)))

        return types.float64(types.UniTuple(types.float64, len(example))), codegen

    return call
