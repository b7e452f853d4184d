"""Compilation: the three decorators kernels use, and a disk cache that notices edits.

`kernel` compiles serial code, `light_kernel` small functions that other kernels call millions of times,
`parallel_kernel` code with `prange`. All release the GIL, divide as C does, and keep their machine code on
disk. numba's own cache has two gaps that matter here:

- it looks only at the file of the function itself, so an edit in a module that the kernel calls into
  is not noticed. Here the stamp of a kernel is a hash of its file *and* of every module of this
  package that the file imports, transitively;
- a kernel that closes over another compiled function (an operator bound to a functor) is never found
  again in a new process. Here such a kernel's key is the code of what it closes over, so an operator
  bound to a functor is compiled once per functor and found again, also for functors in user files.

The cache lives in a directory of the user's (mode 0700), one folder per package location, numba
version and bounds-checking mode.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import re
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar

import numba
from numba.core import event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

from nearly.base.cache_dir import cache_dir

# inf and NaN keep their meaning (they are sentinels); only the order of a sum may change
SUM_ORDER_FREE = {"reassoc", "contract", "nsz", "arcp"}

_PACKAGE = Path(__file__).resolve().parent.parent
_IMPORT = re.compile(
    rb"^\s*(?:from\s+(nearly[\w.]*)\s+import\s+(\([^)]*\)|[^\n]*)|import\s+(nearly[\w.]*))", re.MULTILINE
)
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


def parallel_kernel(function: F | None = None, **options: Any) -> Any:
    """Compile a function with `prange` loops; otherwise as `kernel`."""
    return _compile(function, {"parallel": True, **options})


def _compile(function: Callable[..., Any] | None, options: dict[str, Any]) -> Any:
    if function is None:
        return lambda f: _compile(f, options)
    compiled = numba.njit(nogil=True, error_model="numpy", **options)(function)
    if not numba.config.DISABLE_JIT:
        compiled._cache = _KernelCache(function)
    return compiled


class Spent:
    """Seconds this process has spent compiling kernels, and loading compiled ones from disk; differences count."""

    compiling = 0.0
    loading = 0.0

    @property
    def seconds(self) -> float:
        return self.compiling + self.loading


spent = Spent()


class _Outermost(event.Listener):  # type: ignore[misc]
    """Counts the time from the start to the end of outermost compilations; loading on the way counts itself."""

    def __init__(self) -> None:
        self.depth, self._since = 0, 0.0

    def on_start(self, event: Any) -> None:
        if self.depth == 0:
            self._since = time.perf_counter() - spent.loading
        self.depth += 1

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if self.depth == 0:
            spent.compiling += time.perf_counter() - spent.loading - self._since


event.register("numba:compile", _Outermost())


def compile_seconds() -> float:
    """Seconds this process has spent compiling kernels or loading compiled ones; differences count."""
    return spent.seconds


def code_key(function: Any) -> str:
    """A hash of what a function computes: its bytecode, constants, and the functions and plain values it refers to."""
    digest = hashlib.sha256()
    _feed(digest, function, set())
    return digest.hexdigest()


def _feed(digest: Any, thing: Any, seen: set[int]) -> None:
    thing = getattr(thing, "py_func", thing)
    if isinstance(thing, FunctionType):
        if id(thing) in seen:
            return
        seen.add(id(thing))
        _feed_code(digest, thing.__code__)
        named = inspect.getclosurevars(thing)
        for name, value in sorted({**named.globals, **named.nonlocals}.items()):
            digest.update(name.encode())
            _feed(digest, value, seen)
    elif isinstance(thing, ModuleType):
        digest.update(thing.__name__.encode())
        if thing.__name__.split(".")[0] == "nearly" and thing.__file__:
            digest.update(_stamp(Path(thing.__file__)).encode())
    elif hasattr(thing, "tobytes"):
        digest.update(str(getattr(thing, "dtype", "")).encode() + thing.tobytes())
    else:
        digest.update(
            repr(thing).encode() if isinstance(thing, (int, float, str, bytes, tuple, frozenset)) else _name_of(thing)
        )


def _name_of(thing: Any) -> bytes:
    kind = thing if isinstance(thing, type) else type(thing)
    return f"{kind.__module__}.{kind.__qualname__}".encode()


def _feed_code(digest: Any, code: CodeType) -> None:
    digest.update(code.co_code)
    digest.update(repr(code.co_names + code.co_varnames).encode())
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            _feed_code(digest, constant)
        else:
            digest.update(repr(constant).encode())


def source_stamp(module: str) -> str:
    """A hash of a module's source and of all of this package it imports, so that what it makes can be told apart."""
    file = getattr(sys.modules.get(module), "__file__", None)
    return _stamp(Path(file).resolve()) if file else module


@cache
def _imports(path: Path) -> tuple[Path, ...]:
    """The files of this package that `path` imports."""
    found: set[Path] = set()
    for origin, names, plain in _IMPORT.findall(path.read_bytes()):
        base = (origin or plain).decode()
        candidates = [base] + [f"{base}.{name}" for name in re.findall(r"\w+", names.decode())]
        for dotted in candidates:
            stem = _PACKAGE.joinpath(*dotted.split(".")[1:])
            found.update(p for p in (stem.with_suffix(".py"), stem / "__init__.py") if p.is_file())
    return tuple(sorted(found))


@cache
def _stamp(path: Path) -> str:
    """A hash over `path` and all files of this package it reaches by imports."""
    reached, todo = set(), [path]
    while todo:
        file = todo.pop()
        if file not in reached:
            reached.add(file)
            todo.extend(_imports(file))
    digest = hashlib.sha256()
    for file in sorted(reached):
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


@cache
def _jit_dir() -> Path:
    setting = f"{_PACKAGE} {numba.__version__} {bool(numba.config.BOUNDSCHECK)}"
    return cache_dir() / "jit" / hashlib.sha256(setting.encode()).hexdigest()[:16]


class _Locator(_CacheLocator):  # type: ignore[misc]
    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._function, self._file = function, Path(file).resolve()
        self._py_file = file

    def ensure_cache_path(self) -> None:
        _jit_dir().mkdir(mode=0o700, parents=True, exist_ok=True)
        super().ensure_cache_path()

    def get_cache_path(self) -> str:
        return os.fspath(_jit_dir())

    def get_source_stamp(self) -> str:
        return _stamp(self._file) if self._file.is_file() else code_key(self._function)

    def get_disambiguator(self) -> str:
        bound = code_key(self._function)[:12] if self._function.__closure__ else ""
        return f"{self._function.__module__}-{self._function.__code__.co_firstlineno}-{bound}"

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _Locator:
        return cls(py_func, py_file)


class _KernelCacheImpl(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Locator,)


class _KernelCache(FunctionCache):  # type: ignore[misc]
    _impl_class = _KernelCacheImpl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        since = time.perf_counter()
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # damaged, or it names a class of arguments that has since been renamed: start afresh
            self.flush()
            return None
        finally:
            spent.loading += time.perf_counter() - since

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return sig, codegen.magic_tuple(), code_key(self._py_func)
