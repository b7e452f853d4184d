"""`called_by_name`: for a large function that kernels rarely need.

A kernel contains, and the compiler goes through, a copy of everything it calls; this function it finds by its name
instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


def called_by_name(kernel: Any, *example: Any) -> Callable[..., Any]:
    """A function for kernels that calls `kernel`, whose arguments are like the example, with a tuple of arguments.

    The kernel, which must have a way in for C (`no_cfunc_wrapper=False`), is compiled, or loaded, now.
    """
    if numba.config.DISABLE_JIT:
        return lambda arguments: kernel(*arguments)
    if kernel.targetoptions.get("no_cfunc_wrapper"):
        raise TypeError(f"{kernel.py_func.__name__} has no way in for C: compile it with no_cfunc_wrapper=False")
    kernel(*example)
    made = next(iter(kernel.overloads.values()))
    name = f"{kernel.py_func.__module__}.{kernel.py_func.__name__}"
    binding.add_symbol(name, made.library.get_pointer_to_function(made.fndesc.llvm_cfunc_wrapper_name))

    @intrinsic
    def call(typingctx: Any, arguments: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            result, *given = (context.get_value_type(t) for t in (made.signature.return_type, *made.signature.args))
            function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(result, given), name)
            return builder.call(function, cgutils.unpack_tuple(builder, args[0], len(given)))

        return made.signature.return_type(types.BaseTuple.from_types(made.signature.args)), codegen

    return call
