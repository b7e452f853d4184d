"""Time and peak memory per arc of undirected R-MAT graphs, 16 edges a vertex, from scale 16 up to `--scale`.

Each scale runs in a process of its own (`scale_steps`), which also says how steps are measured. A step that was refused
memory, or ended its process, is told as such. The picture goes to results/scale.svg with `--record`, to the
folder of `--record-into`, and else to the folder for temporary files; it needs matplotlib.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from scale_steps import STEPS, WEIGHTED

HERE = Path(__file__).resolve().parent
FIRST = 16
ALL = ("generate", *STEPS)
Rows = dict[int, dict[str, dict[str, Any]]]  # scale, step, what is known


def run(options: Namespace) -> str:
    rows: Rows = {}
    for scale in range(FIRST, options.scale + 1):
        rows[scale] = {}
        for row in measure(scale, options.repeat):
            rows[scale][row.pop("step")] = row
            print(scale, list(rows[scale])[-1], row, flush=True)
    text = table("Seconds on R-MAT graphs by scale", rows, lambda row, _: f"{row['seconds']:.3g}")
    text += table("Nanoseconds an arc by scale", rows, lambda row, g: f"{row['seconds'] / g['m'] * 1e9:.3g}")
    text += table("Peak memory by scale, in bytes an arc", rows, lambda row, g: f"{row['beyond'] / g['m']:.1f}")
    text += table(
        "Peak memory by scale, in times the graph", rows, lambda row, _: f"{row['beyond'] / row['bytes']:.2f}x"
    )
    text += (
        "Peaks are without what the process took before there was a graph, and with the graph, weights where a step "
    )
    text += f"has them ({', '.join(WEIGHTED)}). Each step begins with a graph that keeps nothing from others.\n"
    refused = [
        f"scale {s}, {step}: {row['refused']}" for s in rows for step, row in rows[s].items() if "refused" in row
    ]
    text += "".join(f"\n{line}\n" for line in refused)
    return text + draw(rows, options)


def measure(scale: int, repeat: int) -> Iterator[dict[str, Any]]:
    """What the steps of one scale say, line by line."""
    command = [sys.executable, str(HERE / "scale_steps.py"), str(scale), str(repeat)]
    before, graph, seen = 0, {"bytes": 1}, set()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            row = json.loads(line)
            seen.add(row["step"])
            before, graph = row.get("before", before), row if row["step"] == "graph" else graph
            if "peak" in row:
                row["beyond"] = max(row["peak"] - before, 0)
            yield row
    for step in ALL:
        if process.returncode and step not in seen:
            yield {"step": step, "refused": f"the process ended with {process.returncode} before or in this step"}


def table(title: str, rows: Rows, cell: Callable[[dict[str, Any], dict[str, Any]], str]) -> str:
    """One line a scale, one column a step."""
    lines = ["| scale | vertices | arcs | " + " | ".join(ALL) + " |", "|---" * (len(ALL) + 3) + "|"]
    for scale, steps in rows.items():
        graph = steps.get("graph", {})
        cells = [_cell(steps.get(step), graph, cell) for step in ALL]
        size = f"{graph['n']:,} | {graph['m']:,}" if graph else "- | -"
        lines.append(f"| {scale} | {size} | " + " | ".join(cells) + " |")
    return f"### {title}\n\n" + "\n".join(lines) + "\n\n"


def _cell(row: dict[str, Any] | None, graph: dict[str, Any], cell: Callable[[Any, Any], str]) -> str:
    if row is None or not graph:
        return "-"
    return "refused" if "refused" in row else cell({"bytes": graph["bytes"], **row}, graph)


def draw(rows: Rows, options: Namespace) -> str:
    """The picture: nanoseconds and bytes an arc by scale; a line of Markdown that shows it."""
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        return "\nNo picture: matplotlib is not installed.\n"
    figure, (above, below) = pyplot.subplots(2, 1, figsize=(8, 8), sharex=True, layout="constrained")
    for step in ALL:
        found = [
            (s, r[step], r["graph"]["m"]) for s, r in rows.items() if "graph" in r and "seconds" in r.get(step, {})
        ]
        scales = [s for s, _, _ in found]
        above.plot(scales, [row["seconds"] / m * 1e9 for _, row, m in found], marker="o", label=step)
        below.plot(scales, [row["beyond"] / m for _, row, m in found], marker="o", label=step)
    above.set(yscale="log", ylabel="nanoseconds an arc", title="R-MAT, undirected, 16 edges a vertex")
    below.set(ylabel="bytes an arc at the peak", xlabel="scale (2 to this power vertices)", ylim=(0, None))
    for axes in (above, below):
        axes.grid(alpha=0.3)
    above.legend(fontsize="small", ncols=2)
    folder = HERE / "results" if options.record else options.record_into or Path(tempfile.gettempdir())
    path = folder / "scale.svg"
    figure.savefig(path)
    pyplot.close(figure)
    print(f"picture: {path}")
    return "\n![Time and peak memory an arc by scale](scale.svg)\n" if options.record else ""
