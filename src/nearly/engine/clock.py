"""Time inside compiled code, and time spent compiling.

`ticks` reads the processor's counter, so that a kernel which runs many rounds in one call can say how
long each took. `compiling` adds up what numba spends compiling, so that results can report it apart.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import event
from numba.extending import intrinsic, overload

from nearly.base.jit import cache_seconds


def ticks() -> int:
    """A counter that only grows; differences are proportional to time."""
    return time.perf_counter_ns()


@intrinsic
def _cycles(typingctx: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        counter = builder.module.declare_intrinsic("llvm.readcyclecounter", (), ir.FunctionType(ir.IntType(64), ()))
        return builder.call(counter, ())

    return types.uint64(), codegen


overload(ticks)(lambda: lambda: _cycles())


class _Outermost(event.Listener):  # type: ignore[misc]
    """Seconds between the start and the end of outermost compilations."""

    def __init__(self) -> None:
        self.depth, self.seconds, self._since = 0, 0.0, 0.0

    def on_start(self, event: Any) -> None:
        if self.depth == 0:
            self._since = time.perf_counter()
        self.depth += 1

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if self.depth == 0:
            self.seconds += time.perf_counter() - self._since


class CompileTime:
    """Seconds spent compiling, or loading compiled code, inside a `compiling` block."""

    seconds: float = 0.0


@contextmanager
def compiling() -> Iterator[CompileTime]:
    """Measure compilation inside the block; read `.seconds` after it."""
    listener, total, loaded = _Outermost(), CompileTime(), cache_seconds()
    event.register("numba:compile", listener)
    try:
        yield total
    finally:
        event.unregister("numba:compile", listener)
        total.seconds = listener.seconds + cache_seconds() - loaded
