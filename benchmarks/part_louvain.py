"""Louvain beside NetworKit's PLM, in the same run: seconds, the ratio, and the difference in modularity.

Modularity is computed here for both, by `nearly.accuracy.modularity`; PLM's is that of its last run. Rows of
approximations give their speedup over our exact run and their loss against it.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from harness import US, measure
from peers import NetworKit

import nearly
from nearly import Graph

APPROXIMATIONS = (
    "early-termination",
    "threshold-scaling",
    "early-termination+threshold-scaling",
    "incomplete-coloring+threshold-scaling",
)


def graphs(options: Namespace) -> Iterator[tuple[str, Graph]]:
    make, n = nearly.generate, 1 << options.scale
    yield f"kron-{options.scale}", make.rmat(options.scale, 16, seed=1, directed=False)
    yield "planted, clear", make.planted_partition(max(n // 1024, 2), 1024, 0.03, 3.0 / n, seed=1)
    yield "planted, large communities", make.planted_partition(50, max(n // 200, 2), 4096 / n, 2.0 / n, seed=3)
    for path in sorted(Path(options.data).iterdir()) if options.data else []:
        if path.is_file() and path.name != "README.md":
            yield path.name.split(".")[0], nearly.read(path).symmetrized()


def run(options: Namespace) -> str:
    peers = (
        "| graph | vertices | arcs | nearly (s) | PLM (s) | ratio | modularity | PLM's | difference |\n" + "|---" * 9
    )
    ours = "| graph | technique | seconds | speedup | loss | rounds | edges visited |\n" + "|---" * 7
    peers, ours = peers + "|\n", ours + "|\n"
    for name, g in graphs(options):
        if options.only in name:
            row, rows = measured(name, g, options.repeat)
            peers, ours = peers + row, ours + rows
    return f"### Louvain against PLM\n\n{peers}\n### Approximations of Louvain\n\n{ours}"


def measured(name: str, g: Graph, repeat: int) -> tuple[str, str]:
    """The lines of one graph for both tables."""
    plm, last = NetworKit(g, 0), {}

    def theirs() -> None:
        last["plm"] = plm.louvain()

    def own(spec: str) -> Any:
        approx = spec.split("+") if spec else None

        def call() -> None:
            last[spec] = nearly.louvain(g, approx=approx)

        return call

    contestants = {US: own(""), "networkit": theirs, **{spec: own(spec) for spec in APPROXIMATIONS}}
    row = measure(f"louvain on {name}", contestants, repeat, limit=60.0)
    exact = last[""]
    their = nearly.accuracy.modularity(g, np.array(last["plm"].getPartition().getVector()))
    us, them = row.seconds[US], row.seconds["networkit"]
    first = (
        f"| {name} | {g.n:,} | {g.m:,} | {us:.4g} | {them:.4g} | {them / us:.1f}x "
        f"| {exact.modularity:.4f} | {their:.4f} | {exact.modularity - their:+.4f} |\n"
    )
    lines = ""
    for spec in ("", *APPROXIMATIONS):
        r, seconds = last[spec], row.seconds[spec or US]
        loss = exact.modularity - r.modularity
        lines += f"| {name} | {spec or 'exact'} | {seconds:.4g} | {us / seconds:.2f}x | {loss:+.4f} "
        lines += f"| {r.rounds} | {r.trace.edges:,} |\n"
    return first, lines
