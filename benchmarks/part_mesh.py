"""Triangulating and refining meshes, beside the triangle and meshpy packages (both drive the same C program).

The same points, the same bound on angles. `refine` rows start from the same triangulation, except meshpy's, which
start from points. `nearly` is the serial scheme, `nearly, blocks` the default for large meshes, with one thread and
with all, `nearly, two-stage` the scheme of GPUs. The table of points says what a time bought: how many points each
inserted. `--scale` is the binary logarithm of the number of triangles, `--data` a folder whose folder `mesh` holds
`.poly` and `.ele` files.
"""

from __future__ import annotations

from argparse import Namespace
from functools import partial
from pathlib import Path

import numpy as np
from harness import Row, measure, table

import nearly
from nearly import mesh as nm

ANGLES = (20, 30)


def run(options: Namespace) -> str:
    threads = nearly.get_threads()
    rows, counts = [], []
    for name, mesh in meshes(options):
        if options.only in f"{name}/points":
            rows.append(build_row(name, mesh, options.repeat))
        for angle in ANGLES:
            if options.only in f"{name}/{angle}":
                row, count = refine_row(f"{name}, {angle} degrees", mesh, angle, threads, options.repeat)
                rows.append(row)
                counts.append(count)
    return table("Meshes", rows) + "\n" + points_table(counts)


def meshes(options: Namespace):
    for scale in sorted({14, min(options.scale, 20), options.scale}):
        points = np.random.default_rng(1).random(((1 << scale) // 2, 2))
        yield f"uniform, 2^{scale} triangles", nm.from_points(points)
    folder = Path(options.data) / "mesh" if options.data else None
    for path in sorted(folder.iterdir()) if folder and folder.is_dir() else []:
        if path.name.split(".")[0] in ("A", "superior") or ".ele" in path.suffixes:
            yield path.name.split(".")[0], nm.read(path)


def build_row(name: str, mesh: nm.Mesh, repeat: int) -> Row:
    import triangle

    def scipy():
        from scipy.spatial import Delaunay

        return Delaunay(mesh.points)

    contestants = {
        "nearly": lambda: nm.from_points(mesh.points),
        "triangle": lambda: triangle.triangulate({"vertices": mesh.points}, ""),
        "scipy": scipy,
    }
    return measure(f"triangulate {name}", contestants, repeat)


def refine_row(what: str, mesh: nm.Mesh, angle: int, threads: int, repeat: int):
    given = {"vertices": mesh.points, "triangles": mesh.triangles, "segments": mesh.segments}
    points: dict[str, int] = {}

    def ours(key, **settings):
        done = nm.refine(mesh, angle, **settings)
        points[key] = done.inserted

    def triangle_package():
        import triangle

        points["triangle"] = len(triangle.triangulate(given, f"rpq{angle}")["vertices"]) - len(mesh.points)

    def meshpy():
        import meshpy.triangle as mt

        info = mt.MeshInfo()
        info.set_points(mesh.points.tolist())
        info.set_facets(mesh.segments.tolist())
        made = mt.build(info, min_angle=angle, allow_boundary_steiner=True)
        points["meshpy"] = len(made.points) - len(mesh.points)

    schemes = {
        "nearly": {"scheme": "serial"},
        "nearly, blocks": {"scheme": "blocks", "threads": 1},
        f"nearly, blocks, {threads} threads": {"scheme": "blocks", "threads": threads},
        f"nearly, two-stage, {threads} threads": {"scheme": "two-stage", "threads": threads},
    }
    contestants = {
        **{key: partial(ours, key, **settings) for key, settings in schemes.items()},
        "triangle": triangle_package,
        "meshpy (from points)": meshpy,
    }
    return measure(f"refine {what}", contestants, repeat), {"": what, **points}


def points_table(counts: list[dict]) -> str:
    if not counts:
        return ""
    columns = list(dict.fromkeys(c for row in counts for c in row))
    text = "### Points inserted\n\n| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|\n"
    for row in counts:
        text += "| " + " | ".join(f"{row.get(c, '-'):,}" if c and c in row else str(row.get(c, "-")) for c in columns)
        text += " |\n"
    return text
