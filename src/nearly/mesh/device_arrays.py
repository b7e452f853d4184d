"""Arrays in memory, where a run is; `nearly.mesh.cuda.device_arrays` has a twin of each function for runs on a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.engine.devices import by_device


@by_device("nearly.mesh.cuda.device_arrays")
def send(job: Any) -> None:
    """Bring the mesh and the rules to where it is refined; they are in memory already."""


@by_device("nearly.mesh.cuda.device_arrays")
def bring_back(job: Any) -> None:
    """Bring the mesh back to memory, where it is already."""


@by_device("nearly.mesh.cuda.device_arrays")
def empty(run: Any, size: int, dtype: Any) -> Any:
    """An array of any content."""
    return np.empty(size, dtype)


@by_device("nearly.mesh.cuda.device_arrays")
def zeros(run: Any, size: int, dtype: Any) -> Any:
    """An array of zeros."""
    return np.zeros(size, dtype)


@by_device("nearly.mesh.cuda.device_arrays")
def counting(run: Any, size: int) -> Any:
    """0, 1, 2, ..."""
    return np.arange(size, dtype=np.uint32)


@by_device("nearly.mesh.cuda.device_arrays")
def longer(run: Any, array: Any, used: int, size: int, fill: int = 0) -> Any:
    """A new array of `size` items: the first `used` of this one, then `fill`."""
    made = np.full(size, fill, array.dtype) if fill else np.zeros(size, array.dtype)
    made[:used] = array[:used]
    return made
