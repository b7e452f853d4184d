"""Bits of a word, usable inside compiled kernels: one instruction each, and plain Python with the JIT off."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload


def trailing_zeros(word: Any) -> Any:
    """How many zeros a uint64, which must not be 0, ends with.

    >>> int(trailing_zeros(np.uint64(40)))
    3
    """
    return np.uint64((int(word) & -int(word)).bit_length() - 1)


@intrinsic
def _cttz(typingctx: Any, word: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.cttz(args[0], cgutils.true_bit)

    return types.uint64(types.uint64), codegen


overload(trailing_zeros, inline="always")(lambda word: lambda word: _cttz(word))
