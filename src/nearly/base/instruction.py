"""Plain Python functions that are single instructions in compiled code.

`instruction` gives a function its type and its code directly. An overload that is inlined would do as well, but numba's
inlining of overloads is not safe: in a function that unpacks a tuple, arguments of the inlined call may be taken for
dead behind it and read as 0 (`tests/engine/test_hazards.py`). It is slower to compile, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import lower_builtin


def instruction(function: Callable[..., Any], signature: Callable[..., Any], code: Callable[..., Any]) -> None:
    """Compile calls of `function` to what `code(context, builder, sig, args)` emits.

    `signature(*types)` is that of the call, to whose types arguments are converted; None where they do not fit.
    """

    @infer_global(function)
    class Typing(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            return None if kws else signature(*args)

    lower_builtin(function, types.VarArg(types.Any))(code)


def element(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    """A pointer to `array[index]`; the index is unsigned and not checked."""
    struct = context.make_array(array_type)(context, builder, array)
    return cgutils.get_item_pointer(context, builder, array_type, struct, [index], wraparound=False)
