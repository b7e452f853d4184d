"""Node splitting and dynamic parallelism on modelled GPUs, beside the paper's measured improvements.

The baseline goes over all vertices until nothing changes, as in the paper, for both tables. Splitting updates children
in a pass of its own, as in Table I. Dynamic parallelism is the model's policy `dynamic`: each child launch costs, and
the kernel is slower even where no child is launched (the last row of each curve, whose MDA is the longest row).
Kepler is the paper's K20c, Fermi its C2070, which has no dynamic parallelism.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import nearly
from nearly.base.progress import Progress
from nearly.experiments.papers.splitting_published import (
    ATOMICS,
    DYNAMIC,
    FERMI,
    HISTOGRAM,
    SHOWN,
    SPLIT,
    levels_of,
    paper_cell,
    paper_graph,
)
from nearly.experiments.pictures import picture
from nearly.experiments.reproduction import Reproduced, Table
from nearly.graph.csr import Graph
from nearly.model import C2070, K20C, Device, Estimate, estimate

NOTE = (
    "All of ours is modelled (Kepler: K20c, Fermi: C2070). Improvement: the share of the baseline's modelled time that "
    "is saved. The paper's columns were measured; its graphs are larger unless --scale says otherwise."
)
Curve = dict[Any, Estimate]


class Modelled:
    """The modelled runs of one algorithm on one graph and device: the baseline, and each way by MDA."""

    def __init__(self, graph: Graph, algorithm: str, device: Device) -> None:
        run = partial(estimate, graph, algorithm, device=device)
        levels, longest = levels_of(graph), int(graph.out_degrees.max(initial=0))
        self.base: Estimate = run(policy="topology")
        self.split: Curve = {m: run(nearly.SplitNodes(mda=m, update="pass")) for m in levels}
        self.histogram: Estimate = run(nearly.SplitNodes(mda="histogram", update="pass"))
        self.at_once: Estimate = run(nearly.SplitNodes(mda="histogram", update="atomic"))
        may_launch = device.child < float("inf")
        self.dynamic: Curve = {m: run(policy="dynamic", threshold=m) for m in [*levels, longest] if may_launch and m}

    def saved(self, made: Estimate) -> float:
        """The share of the baseline's modelled time that is saved, in percent."""
        return 100 * (1 - made.seconds / self.base.seconds)

    def best(self, curve: Curve) -> Any:
        """The MDA of the shortest modelled time."""
        return min(curve, key=lambda m: curve[m].seconds)


def modelled_tables(graphs: dict[str, Graph], progress: Progress) -> Reproduced:
    """Tables I and II, Fermi beside Kepler, time by MDA, atomics, and the order of virtual nodes, modelled."""
    split, dynamic = (
        Table("Table I, modelled: node splitting on Kepler", note=NOTE),
        Table("Table II, modelled: dynamic parallelism on Kepler", note=NOTE),
    )
    fermi = Table("Figure 10, modelled: node splitting on Fermi", note=NOTE)
    atomics = Table("Figure 12, modelled: children updated at once, or in a pass of their own", note=NOTE)
    curves = Table("Figures 8-10, modelled: milliseconds by MDA", note=NOTE)
    virtual = Table("Virtual nodes (Tigr), modelled: a row's edges in stretches, or strided", note=NOTE)
    pictures: dict[str, Callable[[Path], None]] = {}
    for done, (name, graph) in enumerate(graphs.items()):
        for algorithm in SHOWN:
            progress(f"modelling {algorithm} on {name}", done, len(graphs))
            kepler, fermis = Modelled(graph, algorithm, K20C), Modelled(graph, algorithm, C2070)
            split.rows.append(_best(name, algorithm, graph, kepler, "split") | _histogram(name, algorithm, kepler))
            dynamic.rows.append(_best(name, algorithm, graph, kepler, "dynamic"))
            ours = {"graph": name, "algorithm": algorithm, "MDA": fermis.best(fermis.split)}
            ours["improvement %"] = fermis.saved(fermis.split[ours["MDA"]])
            ours["Kepler: improvement %"] = kepler.saved(kepler.split[kepler.best(kepler.split)])
            fermi.rows.append(ours | {"paper: improvement %": FERMI.get((paper_graph(name), algorithm))})
            atomics.rows.append(_atomics(name, algorithm, kepler, fermis))
            curves.rows += _curve(name, algorithm, kepler, fermis)
            pictures[f"modelled-{name}-{algorithm}"] = partial(_draw, f"{algorithm} on {name}", kepler, fermis)
        virtual.rows += [
            _virtual(name, graph, most) for most in (10, 32) if most < int(graph.out_degrees.max(initial=0))
        ]
    return Reproduced([split, dynamic, fermi, atomics, virtual, curves], pictures=pictures)


def _best(name: str, algorithm: str, graph: Graph, made: Modelled, kind: str) -> dict[str, Any]:
    curve: Curve = getattr(made, kind)
    mda = made.best(curve)
    line = {"graph": name, "algorithm": algorithm, "baseline ms": 1000 * made.base.seconds, "MDA": mda}
    line |= {"ms": 1000 * curve[mda].seconds, "improvement %": made.saved(curve[mda])}
    if kind == "split":
        line["SIMD efficiency"] = f"{made.base.simd_efficiency:.3f} to {curve[mda].simd_efficiency:.3f}"
        line["extra nodes"] = int((-(-graph.out_degrees.astype(int) // mda)).clip(1).sum()) - graph.n
        return line | paper_cell(SPLIT, name, algorithm)
    unused = curve[max(curve)]
    line |= {"children a round": curve[mda].children / max(curve[mda].rounds, 1)}
    return line | {"no child launched: improvement %": made.saved(unused)} | paper_cell(DYNAMIC, name, algorithm)


def _histogram(name: str, algorithm: str, made: Modelled) -> dict[str, Any]:
    theirs = HISTOGRAM.get(paper_graph(name), (None, None))
    paper = {"paper: histogram: MDA": theirs[0], "paper: histogram: improvement %": theirs[1]}
    return {"histogram: improvement %": made.saved(made.histogram)} | (
        paper if algorithm == "bfs" else dict.fromkeys(paper)
    )


def _atomics(name: str, algorithm: str, *devices: Modelled) -> dict[str, Any]:
    row: dict[str, Any] = {"graph": name, "algorithm": algorithm}
    for device, made in zip(("Kepler", "Fermi"), devices):
        row[f"{device}: improvement %"] = 100 * (1 - made.at_once.seconds / made.histogram.seconds)
    return row | {"paper: improvement %": ATOMICS}


def _curve(name: str, algorithm: str, kepler: Modelled, fermi: Modelled) -> list[dict[str, Any]]:
    rows = []
    for mda in kepler.dynamic:
        row: dict[str, Any] = {"graph": name, "algorithm": algorithm, "MDA": mda}
        row |= {"Kepler: baseline ms": 1000 * kepler.base.seconds, "Kepler: splitting ms": _ms(kepler.split, mda)}
        row |= {"Kepler: dynamic ms": _ms(kepler.dynamic, mda), "Fermi: baseline ms": 1000 * fermi.base.seconds}
        rows.append(row | {"Fermi: splitting ms": _ms(fermi.split, mda)})
    return rows


def _ms(curve: Curve, mda: Any) -> float | None:
    return 1000 * curve[mda].seconds if mda in curve else None


def _virtual(name: str, graph: Graph, most: int) -> dict[str, Any]:
    made = [estimate(graph, "bfs", policy="split", threshold=most, strided=s, device=K20C) for s in (False, True)]
    row: dict[str, Any] = {"graph": name, "algorithm": "bfs", "edges of a virtual node": most}
    for label, e in zip(("stretches", "strided"), made):
        row |= {f"{label}: lines of targets": e.transactions["targets"], f"{label}: ms": 1000 * e.seconds}
    return row | {"improvement %": 100 * (1 - made[1].seconds / made[0].seconds)}


def _draw(title: str, kepler: Modelled, fermi: Modelled, path: Path) -> None:
    with picture(path, columns=2, size=(11, 4)) as axes:
        for axis, name, made in zip(axes, ("Kepler (K20c)", "Fermi (C2070)"), (kepler, fermi)):
            for curve, label in ((made.split, "node splitting"), (made.dynamic, "dynamic parallelism")):
                if curve:
                    axis.plot(list(curve), [1000 * e.seconds for e in curve.values()], "o-", label=label)
            axis.axhline(1000 * made.base.seconds, color="black", lw=0.8, label="baseline")
            top = 2.5e3 * made.base.seconds
            axis.set(
                title=f"{title}, {name}: modelled", xscale="log", xlabel="MDA", ylabel="milliseconds", ylim=(0, top)
            )
            axis.legend(frameon=False)
