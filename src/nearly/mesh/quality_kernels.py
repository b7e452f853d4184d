"""Which triangles are bad, without computing an angle."""

from __future__ import annotations

import numpy as np

from nearly.base.jit import kernel
from nearly.mesh.triangle_records import U1


@kernel
def find_bad(xy, triangles, cosine, largest, bad):
    """Whether the smallest angle's cosine is above `cosine`, or the area above `largest`, for each triangle."""
    for t in range(np.uint64(bad.size)):
        a, b = np.uint64(triangles[t, 0]) << U1, np.uint64(triangles[t, 1]) << U1
        c = np.uint64(triangles[t, 2]) << U1
        ux, uy = xy[b] - xy[a], xy[b + U1] - xy[a + U1]
        vx, vy = xy[c] - xy[b], xy[c + U1] - xy[b + U1]
        wx, wy = xy[a] - xy[c], xy[a + U1] - xy[c + U1]
        uu, vv, ww = ux * ux + uy * uy, vx * vx + vy * vy, wx * wx + wy * wy
        if uu <= vv and uu <= ww:  # the smallest angle lies across from the shortest edge
            dot, product = -(vx * wx + vy * wy), vv * ww
        elif vv <= ww:
            dot, product = -(wx * ux + wy * uy), ww * uu
        else:
            dot, product = -(ux * vx + uy * vy), uu * vv
        thin = dot > 0.0 and dot * dot > cosine * cosine * product
        bad[t] = thin or 0.5 * (ux * vy - uy * vx) > largest
