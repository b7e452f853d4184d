"""Every CUDA kernel of refinement with the types of arguments that runs give it, for `test_ptx`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from nearly.mesh.candidate import Stage, Winners
from nearly.mesh.cavity import Rows
from nearly.mesh.cuda import device_arrays, kernels, lists
from nearly.mesh.cuda import worklist as waiting
from nearly.mesh.rules import Rules
from nearly.mesh.triangle_records import MeshArrays

U1, U2, U4, U8, I4, F8, B1 = (np.zeros(2, t) for t in ("u1", "u2", "u4", "u8", "i4", "f8", "b1"))
ENDS = np.zeros((1, 2), np.uint32)
ONE, NUMBER, REAL = np.uint64(1), np.int64(1), 1.0
MESH, RULES = MeshArrays(U4, F8, I4, I4, ENDS), Rules(REAL, REAL, REAL, REAL, REAL, B1)
ROWS, STAGE = Rows(U4, ONE, F8), Stage(ONE, ONE, U4, U1, U4)
WINNERS = Winners(U4, U4, ONE, ONE, U4, U2, True)

PLAIN: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "forget": (kernels.forget, (ROWS, 1)),
    "find": (kernels.find, (MESH, RULES, ROWS, STAGE, U4, U8)),
    "mark": (kernels.mark, (ROWS, STAGE, U8, 1, U8)),
    "check": (kernels.check, (U4, ROWS, STAGE, U8)),
    "retriangulate": (kernels.retriangulate, (MESH, RULES, ROWS, WINNERS, U4)),
    "judge": (kernels.judge, (MESH, RULES, U4, U2)),
    "count_ranks": (kernels.count_ranks, (U8, 1, U8)),
    **{f"grow {a.dtype}": (device_arrays.grow, (a, 1, a, a[0])) for a in (U1, U4, U8, I4, F8)},
}
TAKEN = waiting.Taken(MESH, RULES, U8, U8, ONE, U4, U8, U8)
LISTS: dict[str, tuple[Any, Any, Any]] = {
    "bad": (waiting.is_bad, waiting.put_bad, waiting.Judged(U4, U4, U2, U8, U4, NUMBER, NUMBER)),
    "new": (waiting.is_new, waiting.put_new, waiting.Listed(U4, U4, U8, NUMBER)),
    "next": (waiting.is_next, waiting.put_next, TAKEN),
    "staying": (waiting.stays, waiting.put_staying, TAKEN),
    "winners": (waiting.has_won, waiting.put_winner, waiting.Winning(STAGE, ONE, ONE, U4)),
    "again": (waiting.goes_on, waiting.put_on, waiting.Ending(U4, ROWS, STAGE, U4, U8, NUMBER, U8)),
    "places": (waiting.new_triangles, waiting.put_places, waiting.Granted(ROWS, U4, ONE, U4)),
    "left": (waiting.is_small, waiting.put_root, waiting.Left(ROWS, STAGE, U4, U4)),
}


def mesh_cases() -> Iterator[tuple[str, Any, tuple[Any, ...]]]:
    """A name, a kernel and arguments of the types it is launched with."""
    for name, (kernel, arguments) in PLAIN.items():
        yield f"mesh {name}", kernel, arguments
    for name, (size, put, state) in LISTS.items():
        yield f"mesh sizes {name}", lists.measure(size), (state, 1, U8)
        yield f"mesh places {name}", lists.place(put), (state, 1, U8, U8)
