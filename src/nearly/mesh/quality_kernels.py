"""Which triangles are bad, without computing an angle."""

from __future__ import annotations

import numpy as np

from nearly.base.jit import kernel
from nearly.mesh.records import U1


@kernel
def find_bad(xy, triangles, cosine, largest, bad):
    """Whether a corner's cosine is above `cosine`, or the area above `largest`, for each triangle."""
    for t in range(np.uint64(bad.size)):
        bad[t] = False
        for i in range(3):
            a = np.uint64(triangles[t, i]) << U1
            b, c = np.uint64(triangles[t, (i + 1) % 3]) << U1, np.uint64(triangles[t, (i + 2) % 3]) << U1
            ux, uy, vx, vy = xy[b] - xy[a], xy[b + U1] - xy[a + U1], xy[c] - xy[a], xy[c + U1] - xy[a + U1]
            dot = ux * vx + uy * vy
            if dot > 0.0 and dot * dot > cosine * cosine * (ux * ux + uy * uy) * (vx * vx + vy * vy):
                bad[t] = True
            if 0.5 * (ux * vy - uy * vx) > largest:
                bad[t] = True
