"""The exact predicates inside CUDA kernels: import this module and they work in local memory, 2.6 KB a thread."""

from __future__ import annotations

import numpy as np
from numba import cuda

from nearly.base.atomics_cuda import SIMULATED
from nearly.base.intrinsics import apart
from nearly.mesh.predicates import SCRATCH, in_circle_exactly, orient_exactly, sign_in


def _orient(ax, ay, bx, by, cx, cy):  # without annotations: numba compares its signature with that of what it returns
    def there(ax, ay, bx, by, cx, cy):
        apart()
        return sign_in(cuda.local.array(SCRATCH, np.float64), 0.0, (ax, ay), (bx, by), (cx, cy), (cx, cy))

    return there


def _in_circle(ax, ay, bx, by, cx, cy, dx, dy):
    def there(ax, ay, bx, by, cx, cy, dx, dy):
        apart()
        return sign_in(cuda.local.array(SCRATCH, np.float64), 1.0, (ax, ay), (bx, by), (cx, cy), (dx, dy))

    return there


if not SIMULATED:  # in the simulator Python makes the arrays
    from numba.cuda.extending import overload

    overload(orient_exactly)(_orient)
    overload(in_circle_exactly)(_in_circle)
