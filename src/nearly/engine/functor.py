"""Functors: plain functions of one edge or one vertex, compiled once and bound into the operators' kernels.

A functor may store into the arrays of its state and must use atomics where two edges may meet. Functors are compiled
apart from the loops that call them, because stores through fields of a NamedTuple inside a `prange` body can be lost,
and without reference counting: each array taken out of the state would otherwise be counted up and down, atomically,
on every edge, unless the compiler happens to see that the two cancel. So a functor cannot make arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

import numba

from nearly.base import atomics
from nearly.base.jit import kernel


@cache
def functor(function: Callable[..., Any]) -> Any:
    """A one-element function, compiled once; operators are bound to it and cached with its code as key."""
    return function if hasattr(function, "py_func") else kernel(function, _nrt=False)


@cache
def functor_alone(function: Callable[..., Any]) -> Any:
    """The functor for a loop on one thread: a twin in which atomic operations are plain reads and writes.

    A locked instruction costs as much as the rest of a visit. The twin has the same code, with the names of atomics
    bound to their plain bodies.
    """
    plain = getattr(function, "py_func", function)
    unlocked = {
        name: kernel(value, _nrt=False)
        for name, value in plain.__globals__.items()
        if isinstance(value, FunctionType) and value.__module__ == atomics.__name__
    }
    if not unlocked or numba.config.DISABLE_JIT:
        return functor(function)
    twin = FunctionType(plain.__code__, {**plain.__globals__, **unlocked}, plain.__name__, None, plain.__closure__)
    twin.__module__, twin.__qualname__ = plain.__module__, f"{plain.__qualname__}_alone"  # a cache file of its own
    return kernel(twin, _nrt=False)
