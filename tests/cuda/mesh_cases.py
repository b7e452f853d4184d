"""Every CUDA kernel of refinement with the types of arguments that runs give it, for `test_ptx`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from nearly.mesh.cuda import arrays, kernels, lists
from nearly.mesh.cuda import worklist as waiting

U1, U2, U4, U8, I4, F8, B1 = (np.zeros(2, t) for t in ("u1", "u2", "u4", "u8", "i4", "f8", "b1"))
ENDS = np.zeros((1, 2), np.uint32)
ONE, NUMBER = np.uint64(1), np.int64(1)
ROWS = (U4, ONE)  # and their room
GEOMETRY = (U4, F8, I4, ENDS, F8)  # records, places of points, segments they lie on, segments' ends, rules

PLAIN: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "forget": (kernels.forget, (*ROWS, 1)),
    "find": (kernels.find, (U4, F8, I4, B1, F8, U4, ONE, *ROWS, F8, U1, U4, ONE, U4, U8)),
    "mark": (kernels.mark, (*ROWS, U1, U4, U8, ONE, 1, U8)),
    "check": (kernels.check, (U4, *ROWS, U1, U4, U8, ONE)),
    "retriangulate": (
        kernels.retriangulate,
        (U4, F8, I4, I4, ENDS, F8, *ROWS, F8, U4, U4, ONE, ONE, U4, U2, True, U4),
    ),
    "judge": (kernels.judge, (*GEOMETRY, U4, U2)),
    "count_ranks": (kernels.count_ranks, (U8, 1, U8)),
    **{f"grow {a.dtype}": (arrays.grow, (a, 1, a, a[0])) for a in (U1, U4, U8, I4, F8)},
}
STAGE = waiting.Stage(U4, *ROWS, U1, U4, ONE, ONE, ONE, U4, U8, NUMBER, U8)
TAKEN = waiting.Taken(*GEOMETRY, U8, U8, ONE, U4, U8, U8)
LISTS: dict[str, tuple[Any, Any, Any]] = {
    "bad": (waiting.is_bad, waiting.put_bad, waiting.Judged(U4, U4, U2, U8, U4, NUMBER, NUMBER)),
    "new": (waiting.is_new, waiting.put_new, waiting.Listed(U4, U4, U8, NUMBER)),
    "next": (waiting.is_next, waiting.put_next, TAKEN),
    "staying": (waiting.stays, waiting.put_staying, TAKEN),
    "winners": (waiting.has_won, waiting.put_winner, STAGE),
    "again": (waiting.goes_on, waiting.put_on, STAGE),
    "places": (waiting.new_triangles, waiting.put_places, waiting.Granted(*ROWS, U4, ONE, U4)),
    "left": (waiting.is_small, waiting.put_root, waiting.Left(*ROWS, U4, U4, U4, U4)),
}


def mesh_cases() -> Iterator[tuple[str, Any, tuple[Any, ...]]]:
    """A name, a kernel and arguments of the types it is launched with."""
    for name, (kernel, arguments) in PLAIN.items():
        yield f"mesh {name}", kernel, arguments
    for name, (size, put, state) in LISTS.items():
        yield f"mesh sizes {name}", lists.measure(size), (state, 1, U8)
        yield f"mesh places {name}", lists.place(put), (state, 1, U8, U8)
