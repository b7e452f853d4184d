"""A text too large to be read twice: time and peak memory beside polars, which only parses.

The text has arcs between random vertices, 2 ** `--scale` of them; at scale 26 it takes 10 GB, and at each scale below
half as much. Every reader has a process of its own, whose largest resident memory is told, and reads the text once; it
was written just before, so that the system may still hold parts of it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from argparse import Namespace
from pathlib import Path

import numpy as np

LARGEST, BYTES = 26, 10 * 10**9  # scale, and what the text takes there
CHUNK = 1 << 24  # arcs written at a time
READERS = ("nearly", "polars")


def run(options: Namespace) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "arcs.txt"
        arcs = write_arcs(path, options.scale)
        gigabytes = path.stat().st_size / 1e9
        lines = ["| reader | seconds | MB/s | peak memory | what it made |", "|---" * 5 + "|"]
        for reader in READERS:
            told = read_apart(reader, path)
            pace, peak = gigabytes * 1000 / told["seconds"], f"{told['peak'] / 2**30:.2f} GiB"
            lines.append(f"| {reader} | {told['seconds']:.1f} | {pace:.0f} | {peak} | {told['made']} |")
            print(lines[-1], flush=True)
    title = f"### A text of {gigabytes:.1f} GB, {arcs:,} arcs between {1 << options.scale:,} vertices"
    return "\n".join([title, "", *lines, ""])


def write_arcs(path: Path, scale: int) -> int:
    """Write random arcs until the text is large enough; how many there are."""
    import polars as pl

    rng, arcs = np.random.default_rng(1), 0
    with path.open("wb") as file:
        while file.tell() < BYTES >> (LARGEST - scale):
            ends = rng.integers(0, 1 << scale, (2, min(CHUNK, BYTES >> (LARGEST - scale + 8))), np.uint32)
            frame = pl.DataFrame({"source": ends[0], "target": ends[1]})
            frame.write_csv(file, include_header=False, separator="\t")
            arcs += ends.shape[1]
    return arcs


def read_apart(reader: str, path: Path) -> dict[str, float | str]:
    command = [sys.executable, __file__, reader, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def _child(reader: str, path: str) -> None:
    from scale_steps import peak, peak_from_now

    import nearly

    warm = Path(path).with_suffix(".warm.txt")
    warm.write_text("".join(f"{u}\t{u + 1}\n" for u in range(1000)))

    def read(name: Path | str) -> str:
        if reader == "nearly":
            return repr(nearly.read(name))
        import polars as pl

        frame = pl.read_csv(name, has_header=False, separator="\t")
        return f"two columns, {frame.height:,} rows"

    read(warm)
    warm.unlink()
    peak_from_now()
    since = time.perf_counter()
    made = read(path)
    print(json.dumps({"seconds": time.perf_counter() - since, "peak": peak(), "made": made}))


if __name__ == "__main__":
    _child(*sys.argv[1:])
