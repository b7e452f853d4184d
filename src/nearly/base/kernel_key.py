"""What a compiled function was made from, as a hash: its own code, what it refers to, and the source files behind it.

numba's own cache looks only at the file of the function itself, so an edit in a module that the kernel calls into is
not noticed, and a function that closes over another compiled one is never found again in a new process. Here a kernel's
key is a hash of its file *and* of every module of this package that the file imports, transitively (`source_stamp`),
and of the code it runs and the values it closes over (`code_key`). So an operator bound to a functor is compiled once
for each functor and found again, also for functors in a user's file. No key depends on where the files lie. Modules of
`base` that say how kernels are called, kept and checked, but hold nothing that is compiled, are left out (`_NO_CODE`).
"""

from __future__ import annotations

import hashlib
import inspect
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

_PACKAGE = Path(__file__).resolve().parent.parent
_NO_CODE = frozenset(
    _PACKAGE / "base" / f"{name}.py"
    for name in (
        "arguments", "aside", "cache_dir", "compiling", "errors", "files", "kernel_cache", "kernel_key", "memory",
        "one_at_a_time", "progress", "registry", "threads",
    )
)  # fmt: skip
_IMPORT = re.compile(
    rb"^\s*(?:from\s+(nearly[\w.]*)\s+import\s+(\([^)]*\)|[^\n]*)|import\s+(nearly[\w.]*))", re.MULTILINE
)


def code_key(function: Any) -> str:
    """A hash of what a function computes: its bytecode, constants, and the functions and plain values it refers to."""
    digest = hashlib.sha256()
    _feed(digest, function, set())
    return digest.hexdigest()


def _feed(digest: Any, thing: Any, seen: set[int]) -> None:
    if hasattr(thing, "py_func"):  # compiled: a plain function of the same code may have an overload in kernels
        digest.update(b"compiled")
        thing = thing.py_func
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
    return tuple(sorted(found - _NO_CODE))


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


def function_stamp(function: Callable[..., Any]) -> str:
    """`source_stamp` of a function's module; for one typed into a prompt, its code."""
    file = Path(inspect.getfile(function))
    return _stamp(file.resolve()) if file.is_file() else code_key(function)
