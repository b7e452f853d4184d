"""Refinement in parts of so many points, with the mesh between them kept in a file: what `checkpoint=` asks for.

A part begins with a mesh and ends with one; nothing else is carried over. So a run that was cut between two parts, or
in the middle of one, goes on from the mesh in the file and does exactly what an undisturbed one does.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import numpy as np

from nearly.engine.checkpoint import Checkpoint
from nearly.mesh.mesh import Mesh

PART = 100_000  # points
_ARRAYS = ("points", "triangles", "neighbours", "segments", "segment_markers", "point_markers")


def in_parts(
    mesh: Mesh, most: int, path: Any, bounds: tuple[Any, Any], how: dict[str, str], threads: Any, progress: Any
) -> Any:
    """Refine in parts; the result of all of them together."""
    from nearly.mesh.refine import refine

    checkpoint = Checkpoint(path, "refine", _digest(mesh), most, bounds, sorted(how.items()), PART)
    state = checkpoint.found()
    now, before = (mesh, None) if state is None else (Mesh._made(*(state[name] for name in _ARRAYS)), state)
    rounds, seconds, compiled = (0, 0.0, 0.0) if before is None else (before["rounds"], before["seconds"], 0.0)
    while True:
        limit = min(most, len(now.points) + PART)
        done = refine(now, *bounds, max_points=limit, threads=threads, progress=progress, **how)  # type: ignore[arg-type]
        rounds, seconds = rounds + done.rounds, seconds + done.seconds
        compiled += done.compile_seconds
        if not done.capped or limit >= most:
            break
        now = done.mesh
        checkpoint.write({**{name: getattr(now, name) for name in _ARRAYS}, "rounds": rounds, "seconds": seconds})
    checkpoint.remove()
    inserted = len(done.mesh.points) - len(mesh.points)
    return replace(done, inserted=inserted, rounds=rounds, seconds=seconds, compile_seconds=compiled)


def _digest(mesh: Mesh) -> str:
    digest = hashlib.sha256()
    for name in _ARRAYS:
        digest.update(np.ascontiguousarray(getattr(mesh, name)).tobytes())
    return digest.hexdigest()
