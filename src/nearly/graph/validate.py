"""Arrays from outside are checked before any kernel sees them: a kernel has no bounds checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nearly.base.arguments import as_array
from nearly.base.errors import InvalidGraphError
from nearly.base.threads import kernel_threads
from nearly.graph.csr import NO_WEIGHTS, OFFSET, Arrays, vertex_dtype

if TYPE_CHECKING:
    from nearly.graph.csr import Graph


def checked_arrays(offsets: Any, targets: Any, weights: Any) -> Arrays:
    """CSR arrays in kernel types, or `InvalidGraphError` saying which rule is broken where."""
    offsets, targets = whole_numbers(offsets, "offsets"), whole_numbers(targets, "targets")
    if offsets.size == 0:
        raise InvalidGraphError("offsets must hold n + 1 numbers, so at least one; a graph without vertices has [0]")
    n, m = offsets.size - 1, targets.size
    falling = np.flatnonzero(offsets[1:] < offsets[:-1])
    if falling.size:
        u = int(falling[0])
        raise InvalidGraphError(f"offsets must not fall, but offsets[{u + 1}]={offsets[u + 1]} after {offsets[u]}")
    if offsets[0] != 0 or offsets[-1] != m:
        raise InvalidGraphError(
            f"offsets must run from 0 to the number of targets {m}, not {offsets[0]} to {offsets[-1]}"
        )
    if targets.dtype.kind == "i" and m and targets.min() < 0:
        raise InvalidGraphError(f"targets holds the negative vertex {targets.min()}; vertices are numbered from 0")
    offsets = one_type(_as_kind(offsets, OFFSET))
    if targets.dtype.itemsize > vertex_dtype(n).itemsize and m and int(targets.max()) >= n:
        raise _beyond(int(np.argmax(targets)), targets.max(), n)
    targets = one_type(_as_kind(targets, vertex_dtype(n)))
    _check_rows(offsets, targets, n)
    return Arrays(offsets, targets, NO_WEIGHTS if weights is None else one_type(_weights(weights, m)))


def _as_kind(numbers: np.ndarray, kind: np.dtype) -> np.ndarray:
    """Numbers that are not negative in a type for kernels; those of a signed type of the same width are no copy."""
    same = numbers.dtype.kind == "i" and numbers.dtype.itemsize == kind.itemsize and numbers.dtype.isnative
    return np.ascontiguousarray(numbers).view(kind) if same else np.ascontiguousarray(numbers, kind)


def one_type(array: np.ndarray) -> np.ndarray:
    """The array; of a read-only one a view without that mark.

    To numba a read-only array has a type of its own, for which every kernel would be compiled again; kernels never
    write to a graph.
    """
    return array if array.flags.writeable else np.asarray(_Unmarked(array))


class _Unmarked:
    """Offers an array's memory without its read-only mark, and keeps it alive."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        address, _ = array.__array_interface__["data"]
        self.__array_interface__ = {**array.__array_interface__, "data": (address, False)}


def check_symmetry(graph: Graph) -> None:
    """An undirected graph's arcs must come in pairs of equal weight."""
    from nearly.graph.build import from_source
    from nearly.graph.edge_source import ArcSource

    mirror = from_source(ArcSource(graph, turned=True), graph.n, True, "keep", ascending=True)
    _, targets, weights = graph.arrays
    same = np.array_equal(graph.arrays.offsets, mirror.arrays.offsets) and np.array_equal(
        targets, mirror.arrays.targets
    )
    if not same:
        raise InvalidGraphError("the graph says it is undirected, but some arc has no mirror image; use directed=True")
    if np.array_equal(weights, mirror.arrays.weights):
        return
    # parallel edges may come in another order on the two sides, so compare them as sorted runs
    mine = np.lexsort((weights, targets, graph.arc_rows()))
    other = np.lexsort((mirror.arrays.weights, mirror.arrays.targets, mirror.arc_rows()))
    if not np.array_equal(weights[mine], mirror.arrays.weights[other]):
        raise InvalidGraphError("the graph says it is undirected, but the two arcs of some edge differ in weight")


def _check_rows(offsets: np.ndarray, targets: np.ndarray, n: int) -> None:
    from nearly.graph.validate_kernels import first_bad_arc

    with kernel_threads(work=targets.size):
        bad = int(first_bad_arc(offsets, targets))
    if bad < targets.size:
        if int(targets[bad]) >= n:
            raise _beyond(bad, targets[bad], n)
        u = int(np.searchsorted(offsets, bad, side="right")) - 1
        raise InvalidGraphError(f"the targets of vertex {u} must ascend; build with Graph.from_edges, which sorts them")


def _weights(weights: Any, m: int) -> np.ndarray:
    from nearly.graph.edge_weights import checked_weights

    weights = as_array("weights", weights)
    if weights.shape != (m,):
        raise InvalidGraphError(f"weights must be of the arcs' number {m}, not of shape {weights.shape}")
    wide = weights.dtype if weights.dtype == np.float64 else None
    return checked_weights(weights, negative="keep", dtype=wide)[0]


def whole_numbers(values: Any, name: str) -> np.ndarray:
    """A one-dimensional array of whole numbers; an empty one may have been of any type."""
    array = as_array(name, values)
    if array.ndim != 1:
        raise InvalidGraphError(f"{name} must be one-dimensional, not of shape {array.shape}")
    if array.size and array.dtype.kind not in "iu":
        raise InvalidGraphError(f"{name} must hold whole numbers, not {array.dtype}")
    return array if array.dtype.kind in "iu" else array.astype(OFFSET)


def _beyond(arc: int, target: Any, n: int) -> InvalidGraphError:
    return InvalidGraphError(f"targets[{arc}]={target} is out of range: the graph has {n} vertices, 0 to {n - 1}")
