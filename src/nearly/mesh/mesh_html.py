"""A mesh in a notebook: its size and smallest angle, and a picture of it as inline SVG where it is small enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nearly.base.html import html_facts
from nearly.mesh.quality import are_bad

if TYPE_CHECKING:
    from nearly.mesh.mesh import Mesh

MOST = 5000  # triangles that are drawn into a page
_WIDE = 420
_ANGLE = 20.0


def html_of(mesh: Mesh) -> str:
    """The HTML that a notebook shows for a mesh."""
    facts = {"points": f"{len(mesh.points):,}", "triangles": f"{len(mesh.triangles):,}"}
    facts["segments"] = f"{len(mesh.segments):,}"
    if not len(mesh.triangles):
        return html_facts("mesh", facts)
    quality = mesh.quality(_ANGLE)
    facts["smallest angle"] = f"{quality.min_angle:.1f}°"
    facts[f"below {_ANGLE:g}°"] = f"{quality.bad:,} (red)" if quality.bad else "none"
    return html_facts("mesh", facts) + (_picture(mesh) if len(mesh.triangles) <= MOST else "")


def _picture(mesh: Mesh) -> str:
    low, spread = mesh.points.min(axis=0), np.ptp(mesh.points, axis=0)
    scale = (_WIDE - 8) / max(spread.max(), 1e-300)
    at = (mesh.points - low) * scale + 4
    at[:, 1] = spread[1] * scale + 8 - at[:, 1]
    wide, tall = spread * scale + 8
    shapes = []
    for bad, fill, line in ((False, "#e8f0f8", "#5a7fa5"), (True, "#e0483e", "#8c1d14")):
        chosen = mesh.triangles[are_bad(mesh, _ANGLE) == bad]
        path = "".join("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in at[corners]) + "Z" for corners in chosen)
        shapes.append(f'<path d="{path}" fill="{fill}" stroke="{line}" stroke-width="0.5"/>')
    border = "".join("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in at[ends]) for ends in mesh.segments)
    shapes.append(f'<path d="{border}" fill="none" stroke="#1b2a3a" stroke-width="1.2"/>')
    return f'<svg width="{wide:.0f}" height="{tall:.0f}" role="img">{"".join(shapes)}</svg>'
