"""What kernels call by name, and what only kernels can call."""

from __future__ import annotations

import pytest

from nearly.base.jit import inner_kernel, kernel
from nearly.mesh.called_by_name import called_by_name

pytestmark = pytest.mark.small


@inner_kernel
def _twice(number):
    return 2.0 * number


@kernel(no_cfunc_wrapper=False)
def _weighted(weight, pair):
    return weight * (pair[0] - pair[1])


_weighted_by_name = called_by_name(_weighted, 1.0, (1.0, 1.0))


@kernel
def _both(a, b):
    return _twice(_weighted_by_name((3.0, (a, b))))


def test_a_kernel_calls_both_kinds():
    assert _both(5.0, 1.5) == 21.0
    assert _both(-0.5, 0.25) == -4.5
