"""Reading text and building CSR, beside NetworKit, SciPy and polars.

The text is an R-MAT edge list (tab separated, no header). polars only parses; the others also build the graph.
"""

from __future__ import annotations

import tempfile
from argparse import Namespace
from pathlib import Path

import numpy as np
from harness import measure, table

import nearly


def run(options: Namespace) -> str:
    scale = options.scale
    g = nearly.generate.rmat(scale=scale, edge_factor=16, seed=1)
    src, dst = shuffled_edges(g)
    rows = [build_row(f"build CSR, {src.size / 1e6:.0f}M arcs", src, dst, g.n, options.repeat)]
    weights = np.random.default_rng(1).random(src.size).astype(np.float32)
    rows.append(build_row("build CSR with float32 weights", src, dst, g.n, options.repeat, weights))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "edges.txt"
        count = min(src.size, 1 << 24)
        write_text(path, src[:count], dst[:count])
        megabytes = path.stat().st_size / 1e6
        rows.append(read_row(f"read text, {megabytes:.0f} MB", path, options.repeat))
        text = table("Reading and building", rows)
        build, read = rows[0].seconds["nearly"], rows[2].seconds["nearly"]
        text += (
            f"\nBuild: {src.size / build / 1e6:.0f}M arcs/s. Text: {megabytes / read:.0f} MB/s including the build.\n"
        )
        text += open_row(g, folder)
    return text


def shuffled_edges(g: nearly.Graph) -> tuple[np.ndarray, np.ndarray]:
    order = np.random.default_rng(7).permutation(g.m)
    return g.arc_sources()[order], g.targets[order]


def build_row(what, src, dst, n, repeat, weights=None):
    import scipy.sparse as sp

    data = np.ones(src.size, np.float32) if weights is None else weights
    rows, cols = src.astype(np.int32), dst.astype(np.int32)
    return measure(
        what,
        {
            "nearly": lambda: nearly.Graph.from_edges(src, dst, weights, n=n),
            "scipy": lambda: sp.coo_array((data, (rows, cols)), shape=(n, n)).tocsr(),
        },
        repeat,
    )


def read_row(what, path, repeat):
    def networkit():
        import networkit as nk

        return nk.graphio.EdgeListReader("\t", 0, directed=True).read(str(path))

    def polars():
        import polars as pl

        return pl.read_csv(path, has_header=False, separator="\t")

    return measure(what, {"nearly": lambda: nearly.read(path), "networkit": networkit, "polars": polars}, repeat)


def open_row(g, folder):
    import time

    path = Path(folder) / "g.npz"
    g.save(path)
    since = time.perf_counter()
    nearly.read(path)
    size, taken = path.stat().st_size / 1e6, (time.perf_counter() - since) * 1000
    return f"\nOpening {size:.0f} MB of .npz by mapping: {taken:.1f} ms.\n"


def write_text(path, src, dst):
    import polars as pl

    pl.DataFrame({"s": src, "d": dst}).write_csv(path, include_header=False, separator="\t")
