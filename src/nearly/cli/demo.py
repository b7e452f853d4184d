"""`nearly demo`: the first minute. A graph is made, built, written, mapped back and compared, and the clock is shown.

The same steps run once on a tiny graph first, so that what compilation costs (once per machine: it is
kept on disk) is told apart from what the work costs. A step is one entry of `STEPS`.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nearly
from nearly.base.memory import human_bytes
from nearly.base.progress import Progress
from nearly.cli import output
from nearly.cli.bars import bars
from nearly.cli.options import new_app
from nearly.cli.summary import file_bytes, sizes

if TYPE_CHECKING:
    from nearly.graph.csr import Graph

SCALE, TINY = 16, 6
EDGE_FACTOR = 16

app = new_app()


class Workshop:
    """What the steps hand on to one another."""

    def __init__(self, scale: int, folder: Path, progress: Progress) -> None:
        self.scale, self.file, self.progress = scale, folder / f"rmat-{scale}.npz", progress
        self.graph: Graph
        self.mapped: Graph
        self.reverse: Graph


def _generate(shop: Workshop) -> None:
    shop.graph = nearly.generate.rmat(shop.scale, EDGE_FACTOR, seed=1, progress=shop.progress)


def _reverse(shop: Workshop) -> None:
    shop.reverse = shop.graph.reverse


def _write(shop: Workshop) -> None:
    nearly.write(shop.graph, shop.file)


def _map(shop: Workshop) -> None:
    shop.mapped = nearly.read(shop.file)


def _verify(shop: Workshop) -> None:
    shop.mapped.validate()
    if shop.mapped != shop.graph or shop.mapped.fingerprint != shop.graph.fingerprint:
        raise AssertionError("the graph read back differs from the one written")


STEPS: dict[str, Callable[[Workshop], None]] = {
    "generate the edges and build the graph": _generate,
    "turn every arc round": _reverse,
    "write it as .npz": _write,
    "map it back": _map,
    "check it, and compare the two": _verify,
}


@app.command()
def demo(json: output.Json = False) -> None:
    """Show nearly at work on a graph made on the spot."""
    with tempfile.TemporaryDirectory(prefix="nearly-demo-") as folder, bars("compiling") as progress:
        first = _run(Workshop(TINY, Path(folder), lambda *_: progress("compiling", 0, None)))
        shop = Workshop(SCALE, Path(folder), progress)
        seconds = _run(shop)
        graph = shop.graph
        document = {
            "graph": {"kind": "rmat", "scale": SCALE, "edge_factor": EDGE_FACTOR, "seed": 1, **sizes(graph)},
            "file_bytes": file_bytes(shop.file),
            "bytes_per_arc": graph.nbytes / graph.m,
            "arcs_per_second": graph.m / seconds[next(iter(STEPS))],
            "equal": True,
            "steps": [{"step": step, "first_call_seconds": first[step], "seconds": seconds[step]} for step in STEPS],
        }
        del shop  # the mapped file must be let go before its folder is removed
    output.show(document, json, *_tables(document))


def _run(shop: Workshop) -> dict[str, float]:
    seconds = {}
    for name, step in STEPS.items():
        begin = time.perf_counter()
        step(shop)
        seconds[name] = time.perf_counter() - begin
    return seconds


def _tables(document: dict[str, Any]) -> list[Any]:
    graph = document["graph"]
    lines = {
        "vertices": graph["vertices"],
        "arcs": graph["arcs"],
        "memory": f"{human_bytes(graph['memory_bytes'])} ({document['bytes_per_arc']:.2f} bytes an arc)",
        "file": human_bytes(document["file_bytes"]),
        "made": f"{document['arcs_per_second'] / 1e6:.1f} million arcs a second",
        "mapped copy": "equal to the original",
    }
    return [
        output.facts(f"R-MAT graph, scale {graph['scale']}", lines),
        output.rows("seconds; the first call compiles, or loads what was compiled before", document["steps"]),
    ]
