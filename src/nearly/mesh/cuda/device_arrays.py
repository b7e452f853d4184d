"""The twins of `nearly.mesh.device_arrays`: arrays on the device. The mesh goes there once, and back at the end."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda

from nearly.engine.cuda.device import device_kernel, launch, require_there
from nearly.mesh.cuda.lists import Lister
from nearly.mesh.triangle_records import MeshArrays


def send(job: Any) -> None:
    """Bring the mesh and the rules to the device."""
    work, sharp = job.work, job.rules.sharp
    require_there(sum(array.nbytes for array in work.arrays) + sharp.nbytes, "the mesh")
    work.arrays = MeshArrays(*map(cuda.to_device, work.arrays))
    job.rules = job.rules._replace(sharp=cuda.to_device(sharp))
    work.device, job.lists = job.device, Lister()


def bring_back(job: Any) -> None:
    """Bring the mesh back; the rules are not needed any more."""
    job.work.arrays = MeshArrays(*(array.copy_to_host() for array in job.work.arrays))
    job.work.device = "cpu"


def empty(run: Any, size: int, dtype: Any) -> Any:
    """An array of any content."""
    return cuda.device_array(size, dtype)


def zeros(run: Any, size: int, dtype: Any) -> Any:
    """An array of zeros."""
    return longer(run, cuda.device_array(0, dtype), 0, size)


def counting(run: Any, size: int) -> Any:
    """0, 1, 2, ..."""
    return cuda.to_device(np.arange(size, dtype=np.uint32))


def longer(run: Any, array: Any, used: int, size: int, fill: int = 0) -> Any:
    """A new array of `size` items: the first `used` of this one, then `fill`."""
    require_there(size * array.dtype.itemsize, "the refined mesh")
    made = cuda.device_array(size, array.dtype)
    launch(grow, size, array, used, made, array.dtype.type(fill))
    return made


@device_kernel
def grow(array, used, made, fill):
    """made[:used] = array[:used]; made[used:] = fill."""
    for i in range(cuda.grid(1), made.size, cuda.gridsize(1)):
        made[i] = array[i] if i < used else fill
