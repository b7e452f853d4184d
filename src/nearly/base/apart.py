"""A wish to the compiler: what is long and rarely needed is called, not copied into what calls it.

Where a rare case is inlined, the function around it is no longer: it has grown too long, and saves registers for
nothing. A function that calls `apart()` stays a function of its own.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic, overload


def apart() -> None:
    """Do not inline the compiled function that calls this; nothing where compilation is off."""


def keep_apart(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """What is compiled for the call: no code, but an attribute of the function it stands in."""
    builder.function.attributes.add("noinline")
    return context.get_dummy_value()


@intrinsic
def _apart(typingctx: Any) -> Any:
    return types.none(), keep_apart


overload(apart, inline="always")(lambda: lambda: _apart())
