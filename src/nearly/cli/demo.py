"""`nearly demo`: the first minute. It makes a graph, compares exact answers with approximate ones on it, and asks again
within budgets of error.

Everything compiles on first use (once per machine: the machine code is kept), in two processes at the same time: one
half of the algorithms meets a small graph in a process of its own. The seconds for that are shown apart. If matplotlib
is installed, a picture is drawn into the current folder, else a chart of text is printed. The picture replaces an older
one of ours, but never a file that something else made.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import nearly
from nearly.base.errors import MissingDependencyError
from nearly.base.memory import human_bytes
from nearly.base.progress import Progress, silent
from nearly.base.threads import available_threads
from nearly.cli import comparison_view as comparisons
from nearly.cli import output
from nearly.cli.demo_budgets import BudgetRow, budget_tables, within_budgets
from nearly.cli.graph_summary import sizes
from nearly.cli.options import new_app
from nearly.cli.progress_bars import bars

if TYPE_CHECKING:
    from nearly.experiments.comparison import Comparison
    from nearly.graph.csr import Graph

SCALE, EDGE_FACTOR = 16, 16
SOURCES, REPEAT = 64, 5
PAIRS = {
    "pagerank": "reduced-execution",
    "sssp": "partial-edges:keep=0.1,select=lightest",
    "scc": "partial-edges:keep=0.1",
    "mst": "partial-edges:keep=0.1,select=lightest",  # no gain over filter-Kruskal; the table shows it
}
BUDGETS = [("pagerank", 0.05), ("triangle_count", 0.05), ("betweenness", 0.02)]  # and the largest error
PICTURE = "nearly-demo.png"

app = new_app()

Plot = Annotated[
    Path | None,
    typer.Option("--plot", metavar="FILE", help=f"The picture: .png, .svg or .pdf; by default {PICTURE} here."),
]


@app.command()
def demo(plot: Plot = None, json: output.Json = False) -> None:
    """Show nearly at work on a graph that it makes itself."""
    from nearly.experiments.contestants import Stopwatch

    path, excuse = _picture_path(plot)
    watch = Stopwatch()
    with bars("making a graph") as progress:
        _compile_in_two(progress)
        graph, seconds = _make(progress)
        found = _race(graph, list(PAIRS), REPEAT, progress)
        budgets = within_budgets(graph, BUDGETS, REPEAT, progress)
    document = comparisons.document(
        found,
        graph={"kind": "rmat", "scale": SCALE, "edge_factor": EDGE_FACTOR, "seed": 1, **sizes(graph)},
        arcs_per_second=graph.m / seconds,
        bytes_per_arc=graph.nbytes / graph.m,
        budgets=[row.as_dict() for row in budgets],
    )
    if path is not None:
        title = f"R-MAT graph: {graph.n:,} vertices, {graph.m:,} arcs"
        document.update(comparisons.save(found, comparisons.Wanted(plot=path), title))
    worked, document["compile_seconds"] = watch.read()
    document["total_seconds"] = worked + document["compile_seconds"]
    output.show(
        document,
        json,
        *_tables(document, found, budgets),
        *(comparisons.saved(document) or [comparisons.chart(found), "", excuse]),
    )


def _compile_in_two(progress: Progress) -> None:
    """Compile what the demo needs: half of it here, half in another process, whose kernels are then loaded."""
    names = [*PAIRS, *(name for name, _ in BUDGETS if name not in PAIRS)]
    other = None
    if available_threads() > 1:
        program = f"from nearly.cli.demo import prepare; prepare({names[1::2]})"
        quiet = subprocess.DEVNULL
        other = subprocess.Popen([sys.executable, "-c", program], stdin=quiet, stdout=quiet, stderr=quiet)
    try:
        prepare(names[0::2], progress)
        if other is not None:
            other.wait()
    finally:
        if other is not None:
            other.kill()


def prepare(names: list[str], progress: Progress = silent) -> None:
    """Run these algorithms once on a graph that is just large enough for the kernels of a large one."""
    graph = nearly.generate.rmat(13, EDGE_FACTOR, seed=1, weights="int")
    _race(graph, [name for name in names if name in PAIRS], 1, progress)
    within_budgets(graph, [budget for budget in BUDGETS if budget[0] in names], 1, progress)


def _make(progress: Progress) -> tuple[Graph, float]:
    """The graph, and the seconds it took without compiling."""
    from nearly.experiments.contestants import Stopwatch

    watch = Stopwatch()
    graph = nearly.generate.rmat(SCALE, EDGE_FACTOR, seed=1, weights="int", progress=progress)
    return graph, watch.read()[0]


def _race(graph: Graph, names: list[str], repeat: int, progress: Progress) -> Comparison:
    from nearly.engine.algorithm import ALGORITHMS
    from nearly.experiments.bench import Pair
    from nearly.experiments.compare import checked_settings, composition, measured

    plan = [(ALGORITHMS.get(name), [Pair(composition(PAIRS[name]))]) for name in names]
    return measured(graph, plan, checked_settings(graph, sources=SOURCES, repeat=repeat), progress)


def _picture_path(plot: Path | None) -> tuple[Path | None, str]:
    """Where the picture goes, or why there is none."""
    if plot is not None:
        comparisons.Wanted(plot=plot).check()
        return plot, ""
    try:
        comparisons.Wanted(plot=Path(PICTURE)).check()
    except MissingDependencyError as error:
        return None, f"no picture: {error}"
    if not os.access(Path(), os.W_OK):
        return None, "no picture: nothing may be written into this folder; name a file with --plot"
    return _free(Path(PICTURE)), ""


def _free(path: Path) -> Path:
    """The path, or the first one with a number added, where no file is, or only a picture of ours."""
    from nearly.experiments.pictures import is_ours

    number, found = 1, path
    while found.exists() and not is_ours(found):
        number += 1
        found = path.with_stem(f"{path.stem}-{number}")
    return found


def _tables(document: dict[str, Any], found: Comparison, budgets: list[BudgetRow]) -> list[Any]:
    graph = document["graph"]
    lines = {
        "vertices": graph["vertices"],
        "arcs": graph["arcs"],
        "memory": f"{human_bytes(graph['memory_bytes'])} ({document['bytes_per_arc']:.2f} bytes an arc)",
        "made": f"{document['arcs_per_second'] / 1e6:.1f} million arcs a second",
        "seconds": f"{document['total_seconds']:.1f} in all, {document['compile_seconds']:.1f} of them compiling "
        "or loading what was compiled before",
    }
    return [
        output.facts(f"R-MAT graph, scale {graph['scale']}", lines),
        *comparisons.tables("exact against approximate", found),
        *budget_tables(budgets),
        "",
    ]
