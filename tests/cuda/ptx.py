"""Compiling a CUDA kernel to PTX without a GPU, for any kernel that takes arrays, numbers and NamedTuples of these.

`compile_ptx` asks for the current device as soon as a kernel calls another function; a stand-in that only knows its
compute capability answers. Nothing outside tests is patched.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import pytest

CAPABILITIES = ((8, 0), (9, 0))
INSTALLED = find_spec("numba_cuda") is not None
SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")


def ptx_of(kernel: Any, arguments: tuple[Any, ...]) -> dict[tuple[int, int], str]:
    """By compute capability, the PTX of a kernel made by `cuda.jit`, for arguments of the types of these.

    Most of the time goes into typing, which is done once: the library that makes PTX is asked again.
    """
    from numba import cuda, typeof
    from numba.cuda import codegen, dispatcher

    asked, text = [], codegen.CUDACodeLibrary.get_asm_strs
    first, *others = CAPABILITIES
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dispatcher, "get_current_device", lambda: SimpleNamespace(compute_capability=first))
        patch.setattr(codegen.CUDACodeLibrary, "get_asm_strs", lambda self, cc: (asked.append(self), text(self, cc))[1])
        made, result = cuda.compile_ptx(kernel.py_func, tuple(map(typeof, arguments)), cc=first)
    assert str(result) == "none"
    return {first: made, **{other: asked[-1].get_asm_str(cc=other) for other in others}}
