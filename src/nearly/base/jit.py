"""Compilation: the decorators kernels use, and two forms of every kernel with parallel loops.

`kernel` compiles serial code, `light_kernel` small functions that other kernels call millions of times, `inner_kernel`
such functions that Python never calls, `parallel_kernel` code with `prange`. All release the GIL, divide as C does, and
keep their machine code on disk (`kernel_cache`). What a kernel calls becomes part of it (`called_kernel`).

A kernel with `prange`, or one that calls such a kernel, has two forms. The parallel one takes twice as long to compile
and starts the threading layer, which costs microseconds a region, is slow on a busy machine, and does not survive a
fork. So small graphs use the serial form: the same code with `range` for `prange` and with the serial forms of the
kernels it calls. Either is compiled when it is first used. What only several threads need is left out of the serial
form where a kernel asks `if ALONE or ...`, a constant that is true there.

The compiler works aside (`base.aside`), so that Ctrl-C need not wait for it; it ends at its next pass.
"""

from __future__ import annotations

import gc
import os
import threading
import time
from collections.abc import Callable
from functools import partial
from types import CellType, FunctionType
from typing import Any, TypeVar

import numba
from llvmlite.binding import ffi
from numba.core import event
from numba.core.compiler_lock import global_compiler_lock

from nearly.base.aside import aside, is_aside, look
from nearly.base.compiling import compiling
from nearly.base.kernel_cache import KernelCache, spent
from nearly.base.threads import crowding, current

try:
    from nearly.base.called_kernel import KernelDispatcher
except (ImportError, AttributeError):  # a numba that has other names inside: the same kernels, but slower to compile
    from numba.core.registry import CPUDispatcher as KernelDispatcher  # type: ignore[no-redef]

# inf and NaN keep their meaning (they are sentinels); only the order of a sum may change
SUM_ORDER_FREE = {"reassoc", "contract", "nsz", "arcp"}

ALONE = False  # true in the serial forms of kernels; the branches that are never taken are not compiled

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F | None = None, **options: Any) -> Any:
    """Compile a serial function: no GIL, C division, kept on disk."""
    return _compile(function, options)


def light_kernel(function: F | None = None, **options: Any) -> Any:
    """Compile a small serial function that counts no references to arrays and so cannot make any.

    Every array handed to a compiled function is counted up and down, atomically, unless the compiler sees that the two
    cancel. In a function of a few nanoseconds this counting would take most of the time.
    """
    return _compile(function, {"_nrt": False, **options})


def inner_kernel(function: F | None = None, **options: Any) -> Any:
    """Compile as `light_kernel` what only other kernels call: the name says so, and no form for Python is ever made."""
    return light_kernel(function, **options)


def parallel_kernel(function: F | None = None, **options: Any) -> Any:
    """Compile a function with `prange` loops; otherwise as `kernel`."""
    return _compile(function, {"parallel": True, **options})


def _compile(function: Callable[..., Any] | None, options: dict[str, Any]) -> Any:
    if function is None:
        return lambda f: _compile(f, options)
    if numba.config.DISABLE_JIT:
        return function
    if options.get("parallel") or any(isinstance(value, ParallelKernel) for _, value in _named(function)):
        return ParallelKernel(function, options)
    return _dispatcher(function, options, "")


def _dispatcher(function: Callable[..., Any], options: dict[str, Any], form: str) -> Any:
    options = {"no_cfunc_wrapper": True, **options}  # nothing calls kernels from C
    every = {"nopython": True, "boundscheck": None, "nogil": True, "error_model": "numpy"}
    compiled = KernelDispatcher(function, targetoptions={**every, **options})
    compiled._cache = KernelCache(function, options, form)
    compiled.compile = partial(_compile_aside, compiled.compile)
    return compiled


def _compile_aside(compile: Callable[[Any], Any], signature: Any) -> Any:
    """What numba calls for machine code: the compiler, or what was kept, on a helper thread."""
    return aside(partial(compile, signature), compiling.look)


class ParallelKernel:
    """A kernel with parallel loops in it or in what it calls: both its forms, and the choice between them."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        self.py_func = self.__wrapped__ = function
        self.__doc__, self.__name__ = function.__doc__, function.__name__
        self._options = options
        self.parallel = _dispatcher(function, options, "parallel")
        self._serial: Any = None

    @property
    def serial(self) -> Any:
        """The form for one thread."""
        if self._serial is None:
            options = {key: value for key, value in self._options.items() if key != "parallel"}
            self._serial = _dispatcher(_serial_function(self.py_func), options, "serial")
        return self._serial

    def __call__(self, *arguments: Any) -> Any:
        if current.serial:
            return (self._serial or self.serial)(*arguments)
        look()
        return crowding.run(self.parallel, arguments) if current.threads > 1 else self.parallel(*arguments)

    @property
    def _numba_type_(self) -> Any:
        """What another kernel sees that calls this one; its own serial form names the serial form instead."""
        return self.parallel._numba_type_


def _named(function: Any) -> list[tuple[str, Any]]:
    """What a function refers to beside its arguments, by name."""
    outside, cells = function.__globals__, zip(function.__code__.co_freevars, function.__closure__ or ())
    named = [(name, outside[name]) for name in function.__code__.co_names if name in outside]
    return named + [(name, cell.cell_contents) for name, cell in cells]


def _serial_function(function: Any) -> FunctionType:
    """The same code, calling the serial forms of the parallel kernels it names."""
    forms = {name: value.serial for name, value in _named(function) if isinstance(value, ParallelKernel)}
    if "ALONE" in function.__code__.co_names:
        forms["ALONE"] = True
    cells = tuple(
        CellType(forms[name]) if name in forms else cell
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ())
    )
    outside = {**function.__globals__, **forms} if forms else function.__globals__
    made = FunctionType(function.__code__, outside, function.__name__, function.__defaults__, cells or None)
    made.__module__, made.__qualname__, made.__kwdefaults__ = (
        function.__module__,
        function.__qualname__,
        function.__kwdefaults__,
    )
    return made


class _Outermost(event.Listener):  # type: ignore[misc]
    """Counts the time from the start to the end of outermost compilations; loading on the way counts itself.

    Meanwhile Python looks for no garbage: numba makes millions of objects that stay, and a look at them all, again and
    again, is a tenth of its time.
    """

    _since = 0.0
    _collecting = False

    def on_start(self, event: Any) -> None:
        if spent.depth == 0:
            self._since = time.perf_counter() - spent.loading
            compiling.begin()
            self._collecting = gc.isenabled()
            gc.disable()
        spent.depth += 1

    def on_end(self, event: Any) -> None:
        spent.depth -= 1
        if spent.depth == 0:
            if self._collecting:
                gc.enable()
            spent.compiling += time.perf_counter() - spent.loading - self._since
            compiling.end()


class _Passes(event.Listener):  # type: ignore[misc]
    """Looks at the clock, and for Ctrl-C, now and then while something compiles."""

    def on_start(self, event: Any) -> None:
        look()
        if not is_aside():  # else the main thread looks
            compiling.look()

    def on_end(self, event: Any) -> None:
        pass


def _before_fork() -> None:
    """Let what LLVM does for another thread come to its end: half done, no child could use it."""
    ffi.lib._lock._lock.acquire()


def _after_fork(child: bool) -> None:
    ffi.lib._lock._lock.release()
    if child:  # compilations of other threads are gone
        global_compiler_lock._lock = threading.RLock()
        spent.depth = 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork, after_in_parent=partial(_after_fork, False), after_in_child=partial(_after_fork, True)
    )
event.register("numba:compile", _Outermost())
event.register("numba:run_pass", _Passes())


def compile_seconds() -> float:
    """Seconds this process has spent compiling kernels or loading compiled ones; differences count."""
    return spent.seconds
