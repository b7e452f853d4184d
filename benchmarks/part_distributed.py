"""PageRank, BFS, components and shortest paths on a Dask cluster of this machine, against one process.

The graph is an R-MAT graph with weights, in one Parquet file for one process (two threads) and in 16 for two and four
workers of one thread. Beside them stands PageRank by Dask's own data frames. Each contestant runs in processes of its
own (`distributed_steps`); `distributed_model` then says what the measured figures mean for large clusters.
With `--data FOLDER` files and figures stay in that folder, and a run that was cut goes on with what is missing.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from argparse import Namespace
from pathlib import Path
from typing import Any

import numpy as np
from distributed_model import ARCS, THREADS, boundary, seconds_a_round

HERE = Path(__file__).resolve().parent
FILES = 16
FRAMES = 20  # the largest scale for data frames, which take gigabytes
Rows = dict[str, dict[str, Any]]


def run(options: Namespace) -> str:
    with tempfile.TemporaryDirectory() as name:
        folder = options.data or Path(name)
        large, small = folder / "large", folder / "small"
        write_edges(large, options.scale)
        write_edges(small, min(options.scale, FRAMES))
        alone = steps("single", large)
        spread = {workers: steps("cluster", large, workers) for workers in (2, 4)}
        frames = steps("frames", small, 3)
        degrees = np.load(small / "degrees.npy")
    size = alone["read"]
    text = times(alone, spread, f"R-MAT scale {options.scale}: {size['n']:,} vertices, {size['m']:,} arcs with weights")
    text += wire(spread) + memory(alone, spread) + peers(frames, min(options.scale, FRAMES))
    return text + model(spread, frames, degrees)


def write_edges(folder: Path, scale: int) -> None:
    """The same rows in one file and in many."""
    import pyarrow
    from pyarrow import parquet

    import nearly

    if folder.exists():
        return
    folder.mkdir()
    g = nearly.generate.rmat(scale, seed=1, weights="int")
    np.save(folder / "degrees.npy", g.out_degrees)
    table = pyarrow.table({"source": g.arc_rows(), "target": g.arrays.targets, "weight": g.arrays.weights})
    parquet.write_table(table, folder / "all.parquet")
    cuts = [g.m * k // FILES for k in range(FILES + 1)]
    for k in range(FILES):
        parquet.write_table(table.slice(cuts[k], cuts[k + 1] - cuts[k]), folder / f"part-{k:05d}.parquet")


def steps(what: str, folder: Path, *more: Any) -> Rows:
    """What a process says of its steps."""
    kept = folder / f"{'-'.join(map(str, (what, *more)))}.jsonl"
    if not kept.exists():
        command = [sys.executable, str(HERE / "distributed_steps.py"), what, str(folder), *map(str, more)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        kept.write_text(done.stdout)
    rows: Rows = {}
    for line in kept.read_text().splitlines():
        row = json.loads(line)
        print(what, *more, row, flush=True)
        rows[row.pop("step")] = row
    return rows


def table(title: str, head: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|", *("| " + " | ".join(row) + " |" for row in rows)]
    return f"### {title}\n\n" + "\n".join(lines) + "\n\n"


def times(alone: Rows, spread: dict[int, Rows], what: str) -> str:
    rows = []
    for name, row in alone.items():
        cells = [name, f"{row['seconds']:.3f}"]
        for found in spread.values():
            one = found[name]
            cells.append(f"{one['seconds']:.3f} ({one['seconds'] / row['seconds']:.2f}x)")
        rows.append([*cells, equal(name, spread)])
    head = ["step", "one process, 2 threads (s)", "2 workers (s)", "4 workers (s)", "answers"]
    made = table("A cluster on this machine against one process", head, rows)
    return made.replace("\n\n", f"\n\n{what}, from Parquet files; two cores.\n\n", 1)


def equal(name: str, spread: dict[int, Rows]) -> str:
    """How far answers are from those of one process."""
    off = [found[name].get("off") for found in spread.values()]
    if name == "read":
        return "the same graph"
    if name.startswith("pagerank"):
        return f"differ by {max(off):.1e} in sum"
    return "equal" if not any(off) else f"{max(off)} differ"


def wire(spread: dict[int, Rows]) -> str:
    rows = []
    for workers, found in spread.items():
        for name, row in found.items():
            if "most" in row:
                share = row["most"] / (8 * row["boundary"])
                sizes = [f"{row['most'] / 1e6:.1f}", f"{share:.2f}x", f"{row['bytes'] / 1e6:.1f}"]
                seconds = [f"{row['computing']:.3f}", f"{row['waiting']:.3f}", f"{row['balance']:.2f}"]
                rows.append([f"{workers}", name, f"{row['rounds']}", f"{row['boundary']:,}", *sizes, *seconds])
    head = ["workers", "algorithm", "rounds", "boundary values", "largest round (MB)", "of 8 bytes a value"]
    head += ["all rounds (MB)", "computing (s)", "waiting (s)", "balance"]
    return table("What goes over the wire", head, rows)


def memory(alone: Rows, spread: dict[int, Rows]) -> str:
    one = max(row["peak"] for row in alone.values())
    rows = [["one process", f"{one / 2**30:.2f}", "1.00x"]]
    for workers, found in spread.items():
        most = max(row["peak"] for row in found.values() if "peak" in row)
        rows.append([f"each of {workers} workers", f"{most / 2**30:.2f}", f"{most / one:.2f}x"])
    return table("Peak memory", ["process", "peak (GiB)", "of one process"], rows)


def peers(frames: Rows, scale: int) -> str:
    ours, theirs = frames["ours"]["seconds"], frames["frames"]["seconds"]
    row = [f"{scale}", f"{1000 * ours:.1f}", f"{theirs:.2f}", f"{theirs / ours:.0f}x"]
    return table("A round of PageRank, 2 workers", ["scale", "nearly (ms)", "Dask data frames (s)", "ratio"], [row])


def model(spread: dict[int, Rows], frames: Rows, degrees: np.ndarray) -> str:
    seen = []
    for row in frames.values():
        if "parts" in row:
            guess = boundary(degrees, row["parts"])
            seen.append([f"{row['parts']}", f"{row['boundary']:,}", f"{guess:,.0f}", f"{guess / row['boundary']:.3f}"])
    text = table("Boundary values, measured and modelled", ["parts", "measured", "model", "ratio"], seen)
    ours = spread[2]["pagerank"]
    arcs = spread[2]["read"]["m"]
    arc = ours["computing"] / ours["rounds"] / (arcs / 2)
    message = ours["waiting"] / ours["rounds"] / 2
    rows = []
    for machines in (16, 32, 64, 128, 256):
        seconds, computing, sent = seconds_a_round(degrees, machines, arc, message)
        rows.append([f"{machines}", f"{seconds:.2f}", f"{computing:.2f}", f"{sent:.2f}"])
    head = ["machines", "seconds a round", "of these computing", "sent by a machine (GB)"]
    made = table(f"A round of PageRank on {ARCS:.0e} arcs, modelled", head, rows)
    note = f"{THREADS} threads a machine at {1e9 * arc:.2f} ns an arc (measured with one thread a worker), 25 Gbit/s "
    note += f"of which four fifths are used, {1000 * message:.1f} ms a round and part (measured). A model.\n"
    return text + made + note
