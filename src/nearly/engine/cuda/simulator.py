"""What numba's CUDA simulator (`NUMBA_ENABLE_CUDASIM=1`) needs: there a kernel is Python code on many threads.

- `twin`: a function whose compiled helpers are their Python bodies and whose atomics hold a lock;
- `run`: the simulator's host thread spins until the others are done, so they have to get the interpreter from it often;
- `shared.array` of the simulator hands two threads that ask at once two arrays instead of one; here it holds a lock.
"""

from __future__ import annotations

import dis
import sys
import threading
from functools import cache
from types import CellType, FunctionType
from typing import Any

import numpy as np
from numba.cuda.simulator import kernelapi

from nearly.base.atomics_cuda import LOCKED

_SWITCH = 1e-5  # seconds a thread may keep the interpreter
_TWINS: set[Any] = set(LOCKED.values())
_lock = threading.Lock()


@cache
def twin(function: Any) -> Any:
    """The function in plain Python: what it calls is plain too, and locked where it is atomic."""
    if function in LOCKED:
        return LOCKED[function]
    plain = getattr(function, "py_func", function)
    code, names = plain.__code__, plain.__globals__
    read = {step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"}
    called = {name: twin(names[name]) for name in read if _has_twin(names.get(name))}
    held = [cell.cell_contents for cell in plain.__closure__ or ()]
    cells = tuple(CellType(twin(thing) if _has_twin(thing) else thing) for thing in held)
    made: Any = FunctionType(code, {**names, **called}, plain.__name__, plain.__defaults__, cells)
    if "cuda" not in read:
        made = np.errstate(over="ignore")(made)  # unsigned numbers wrap, as they do compiled
    _TWINS.add(made)
    return made


def _has_twin(thing: Any) -> bool:
    """Whether it is a function of a kernel's, compiled or (with the JIT off) not; twins themselves have none."""
    ours = isinstance(thing, FunctionType) and thing.__module__.startswith("nearly.")
    return hasattr(thing, "py_func") or (ours and thing not in _TWINS)


def run(kernel: Any, *arguments: Any) -> None:
    """Call a kernel that has its grid."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH)
    try:
        kernel(*arguments)
    finally:
        sys.setswitchinterval(before)


def _shared_array(self: Any, shape: int, dtype: Any) -> np.ndarray:
    """One array for all threads that come by the same line, as `FakeCUDAShared.array` promises."""
    caller = sys._getframe(1)
    place = caller.f_code, caller.f_lineno
    with _lock:
        if place not in self._allocations:
            self._allocations[place] = np.empty(shape, dtype)
        return self._allocations[place]


kernelapi.FakeCUDAShared.array = _shared_array
