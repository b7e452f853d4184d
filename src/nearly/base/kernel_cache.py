"""Machine code that is found instead of compiled: in the user's cache, else among the kernels a wheel brings along.

Each compiled form of a kernel is one file, named by a hash of everything it was made from: the function and what it
refers to (`kernel_key`), the types of its arguments, the options, the versions of Python, numba and llvmlite, and the
processor. Nothing else is ever found, so nothing else is ever used. A file begins with a digest of its content, which
is checked before any of it is read: a damaged file is removed and the kernel compiled.

Shipped kernels (`make wheel`) lie in the folder `shipped` of the package. They were made for a baseline processor that
`baseline.json` describes; they are used where this processor has all its features. The user's cache comes first, since
code made for the very processor may be faster.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import pickle
import secrets
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core import compiler
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import NullCache
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps
from numba.core.types import BaseTuple  # type: ignore[attr-defined]

from nearly.base.cache_dir import cache_dir, private_folder
from nearly.base.files import replacing
from nearly.base.kernel_key import code_key, function_stamp

SHIPPED = Path(__file__).resolve().parent.parent / "shipped"
_SUFFIX, _DIGEST = ".kernel", 32
_VERSIONS = ", ".join((f"{sys.version_info[0]}.{sys.version_info[1]}", numba.__version__, llvmlite.__version__))


def number_functions_afresh() -> None:
    """Let numba number the functions it compiles from a random number on.

    It names code by these numbers. Counted from 1 in every process, as numba does, kernels that two processes compiled
    may have parts of one name, and a third process that loads both would run the one for the other.
    """
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60))


number_functions_afresh()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=number_functions_afresh)


class Spent:
    """What kernels cost this process: seconds of compiling and of loading, and how many came from where."""

    compiling = 0.0
    loading = 0.0
    compiled = 0  # kernels
    kept = 0  # in the user's cache
    shipped = 0  # in the wheel
    depth = 0  # compilations under way, one inside the other

    def __init__(self) -> None:
        self.asked_for: set[str] = set()  # names of the kernels that Python called, not of those inside others

    @property
    def seconds(self) -> float:
        """Of compiling and loading; differences count."""
        return self.compiling + self.loading


spent = Spent()


class KernelCache(NullCache):  # type: ignore[misc]
    """What numba asks for the machine code of one function, and gives it to; see the top of the file.

    `form` tells apart functions of the same code: what a kernel becomes for one thread, and for several.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], form: str) -> None:
        self.function, self.options, self.form = function, options, form

    def rebuilt(self, target_context: Any, content: Any) -> Any:
        """What was compiled, from what a file holds."""
        return compiler.CompileResult._rebuild(target_context, *content)

    @property
    def cache_path(self) -> str:
        return os.fspath(folder() or "")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        since = time.perf_counter()
        rtsys.initialize(target_context)  # what running code needs; the compiler's registries take ten times as long
        try:
            name = self._name(sig, target_context.codegen().magic_tuple())
            result = self._load(folder(), name, target_context)
            if result is not None:
                spent.kept += 1
                self._note(name)
                return result
            baseline = shipped_for()
            if baseline is not None:
                result = self._load(SHIPPED, self._name(sig, baseline), target_context, remove=False)
                spent.shipped += result is not None
            return result
        finally:
            spent.loading += time.perf_counter() - since

    def save_overload(self, sig: Any, data: Any) -> None:
        spent.compiled += 1
        place = folder()
        if place is None or data.library.has_dynamic_globals or any(not part.can_cache for part in data.lifted):
            return
        name = self._name(sig, data.codegen.magic_tuple())
        self._note(name)
        with suppress(OSError):  # a full disk: the kernel stays in memory
            _write(place / (name + _SUFFIX), dumps(data._reduce()))
            for old in place.glob(name.rpartition("-")[0] + "-*" + _SUFFIX):
                if old.stem != name:  # of an earlier source
                    old.unlink(missing_ok=True)

    def _load(self, place: Path | None, name: str, target_context: Any, remove: bool = True) -> Any:
        if place is None:
            return None
        path = place / (name + _SUFFIX)
        try:
            content = path.read_bytes()
        except OSError:
            return None
        try:
            if hashlib.sha256(content[_DIGEST:]).digest() == content[:_DIGEST]:
                return self.rebuilt(target_context, pickle.loads(content[_DIGEST:]))
        except Exception:  # written by a numba that was changed, or it names a class that is gone
            pass
        if remove:
            with suppress(OSError):
                path.unlink()
        return None

    def _note(self, name: str) -> None:
        if spent.depth == 0:
            spent.asked_for.add(name)

    def _name(self, sig: Any, processor: tuple[str, ...]) -> str:
        """`module.function-identity-content`: of two files that differ in their content alone, one is out of date."""
        function, code = self.function, self._code()
        bound = code if function.__closure__ else ""
        said = ";".join(_said(kind) for kind in sig)
        identity = _hash(said, self.form, repr(sorted(self.options.items(), key=str)), _VERSIONS, *processor, bound)
        content = _hash(code, function_stamp(function))
        qualified = function.__qualname__.replace("<locals>.", "").replace("<", "").replace(">", "")
        plain = f"{function.__module__}.{qualified}".removeprefix("nearly.")
        return f"{plain}-{identity}-{content}"

    def _code(self) -> str:
        self._known = getattr(self, "_known", None) or code_key(self.function)
        return self._known


def _said(kind: Any) -> str:
    """A type in words; classes of named tuples with their modules, which numba leaves out."""
    inner = ",".join(_said(part) for part in kind) if isinstance(kind, BaseTuple) else ""
    of = getattr(kind, "instance_class", None)
    return f"{kind}" + (f"<{of.__module__}.{of.__qualname__}:{inner}>" if of else f"<{inner}>" if inner else "")


def _hash(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:20]


def _write(path: Path, payload: bytes) -> None:
    with replacing(path, durable=False) as file:
        file.write(hashlib.sha256(payload).digest() + payload)


def folder() -> Path | None:
    """Where the user's compiled kernels are kept; None where there is no place for them."""
    checked = " with bounds checks" if numba.config.BOUNDSCHECK else ""
    return _folder(os.environ.get("NEARLY_CACHE_DIR"), f"kernels{checked}".replace(" ", "-"))


@cache
def _folder(chosen: str | None, name: str) -> Path | None:
    base = cache_dir()
    return None if base is None else private_folder(os.fspath(base / name))


@cache
def shipped_for() -> tuple[str, ...] | None:
    """The processor shipped kernels were made for, if there are any and this one has its features; else None."""
    said = baseline()
    if said is None or why_not_shipped() or numba.config.BOUNDSCHECK:
        return None
    return said["triple"], said["processor"], said["features"]


@cache
def baseline() -> dict[str, str] | None:
    """What shipped kernels were made with and for; None where there are none."""
    try:
        said = json.loads((SHIPPED / "baseline.json").read_bytes())
        return {key: str(said[key]) for key in ("triple", "processor", "features", "versions")}
    except (OSError, ValueError, KeyError, TypeError):
        return None


@cache
def why_not_shipped() -> str:
    """Why shipped kernels are of no use here; empty where they are."""
    said = baseline()
    if said is None:
        return "this installation brings none"
    if said["versions"] != _VERSIONS:
        return f"made with Python, numba, llvmlite {said['versions']}, not {_VERSIONS}"
    return "" if _has(said["features"]) else f"this processor lacks features of {said['processor']}"


def _has(features: str) -> bool:
    """Whether this processor has these features, written as `+avx,+avx2`."""
    import llvmlite.binding as llvm

    here = llvm.get_host_cpu_features()
    return all(here.get(one.lstrip("+"), False) for one in features.split(",") if one)


def describe_baseline(processor: tuple[str, ...]) -> dict[str, str]:
    """What `baseline.json` says of kernels made for this processor by this Python."""
    triple, name, features = processor
    return {"triple": triple, "processor": name, "features": features, "versions": _VERSIONS}


def kernels_kept(place: Path | None = None) -> tuple[int, int]:
    """How many kernels lie in a folder, by default the user's, and their bytes."""
    place = place or folder()
    sizes = [path.stat().st_size for path in place.glob("*" + _SUFFIX)] if place is not None else []
    return len(sizes), sum(sizes)
