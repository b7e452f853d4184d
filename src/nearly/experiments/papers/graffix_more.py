"""What Graffix says beside its tables: replicas merged by the mean, combinations, half of Graprox' inaccuracy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nearly.base.progress import Progress
from nearly.experiments.comparison import Row
from nearly.experiments.means import arithmetic, geometric
from nearly.experiments.papers import graprox
from nearly.experiments.papers.graffix_cells import Measured, averaged, combinations, named
from nearly.experiments.papers.graffix_published import GRAPROX, TABLES, TECHNIQUES
from nearly.experiments.reproduction import Table, named_progress


def by_the_mean(found: list[Measured]) -> Table:
    """Table 6 once more, with replicas merged as the paper merges them."""
    table = Table(
        "Table 6 with replicas merged by the mean, the paper's operator (topology)",
        note="by the mean: confluence=mean; as is right: confluence=auto, which minds the algorithm. Under topology "
        "all vertices spread their values in each round, so that what a mean has raised is lowered again; under "
        "frontier they do not.",
    )
    for algorithm, cells in TABLES["topology"]["coalesce"].items():
        for one in found:
            rows = {
                rule: one.row(algorithm, spec, "topology")
                for rule, spec in (("by the mean", averaged(one)), ("as is right", one.specs["coalesce"]))
            }
            mean, right = rows.values()
            other = one.row(algorithm, averaged(one), "frontier")
            theirs = one.of_paper(cells) or (None, None)
            table.rows.append({
                "algorithm": algorithm, "graph": one.name,
                "replicas": one.counts(algorithm, "coalesce")["replicas"],
                "speedup by the mean": mean and mean.speedup, "as is right": right and right.speedup,
                "inaccuracy % by the mean": mean and 100 * mean.inaccuracy,
                "under frontier": other and 100 * other.inaccuracy,
                "inaccuracy % as is right": right and 100 * right.inaccuracy, "guarantee": mean and mean.guarantee,
                "paper: speedup": theirs[0], "paper: inaccuracy %": theirs[1],
            })  # fmt: skip
    return table


def combined(found: list[Measured], algorithms: Iterable[str]) -> Table:
    """Techniques together, beside the best of them alone."""
    table = Table(
        "Techniques combined (topology)",
        note='The paper says of its techniques and others that they "can be combined for improved benefits"; it has no '
        "figures. Applied in the order named; the last one decides where vertices are.",
    )
    for algorithm in algorithms:
        for one in found:
            alone = [one.row(algorithm, spec, "topology") for spec in one.specs.values()]
            best = max((row.speedup for row in alone if row is not None), default=None)
            for title, spec in combinations(one).items():
                row = one.row(algorithm, spec, "topology")
                report = one.reports.get((algorithm, named(spec)), {})
                table.rows.append({
                    "algorithm": algorithm, "graph": one.name, "together": title, "speedup": row and row.speedup,
                    "best alone": best, "inaccuracy %": row and 100 * row.inaccuracy,
                    "vs best": row and row.speedup_vs_best, "guarantee": row and row.guarantee,
                    "replicas": report.get("replicas"), "clusters": report.get("clusters"),
                    "space %": report.get("space %"),
                })  # fmt: skip
    return table


def half_of_graprox(found: list[Measured], progress: Progress) -> Table:
    """The mean inaccuracy of Graffix' and of Graprox' techniques on the same graphs."""
    table = Table(
        "Half of Graprox' inaccuracy",
        note="Means over the graphs and techniques. The paper: Graprox' inaccuracy is close to 20%, Graffix' is half "
        "of it; the slides' figures for Graprox are by algorithm. By the mean: coalescing with the paper's operator, "
        "under frontier (pagerank: topology).",
    )
    others: dict[str, list[Row]] = {}
    for one in found:
        cells = graprox.cells_for(one.graph)
        rows = graprox.measured_cells(one.graph, cells, 1, named_progress(f"{one.name}, Graprox", progress))
        for algorithm, by_key in cells.items():
            made = [graprox.measured_row(rows, algorithm, cell) for cell in by_key.values()]
            others.setdefault(algorithm, []).extend(row for row in made if row is not None)
    every: dict[str, list[Row]] = {"ours": [], "mean": [], "graprox": []}
    for algorithm, by_key in graprox.CELLS.items():
        ours = [one.row(algorithm, spec, "topology") for one in found for spec in one.specs.values()]
        mean = [
            one.row(algorithm, averaged(one), "frontier") or one.row(algorithm, averaged(one), "topology")
            for one in found
        ]
        groups: dict[str, list[Any]] = {"ours": ours, "mean": mean, "graprox": others[algorithm]}
        for key, group in groups.items():
            every[key] += [row for row in group if row is not None]
        published = [cell for t in TECHNIQUES for cell in TABLES["topology"][t].get(algorithm, {}).values()]
        slides = arithmetic(cell.inaccuracy for cell in by_key.values())
        table.rows.append(_line(algorithm, groups, arithmetic(c[1] for c in published), slides))
    published = [c for t in TECHNIQUES for cells in TABLES["topology"][t].values() for c in cells.values()]
    table.rows.append(_line("mean", every, arithmetic(c[1] for c in published), GRAPROX))
    return table


def _line(algorithm: str, groups: dict[str, Any], paper: float, slides: float) -> dict[str, Any]:
    percent = {
        key: 100 * arithmetic(row.inaccuracy for row in group if row is not None) for key, group in groups.items()
    }
    speed = geometric(row.speedup for row in groups["ours"] if row is not None)
    return {
        "algorithm": algorithm, "Graffix speedup": speed, "Graffix inaccuracy %": percent["ours"],
        "by the mean %": percent["mean"], "Graprox inaccuracy %": percent["graprox"],
        "ratio": percent["ours"] / percent["graprox"] if percent["graprox"] else None,
        "paper: Graffix %": paper, "paper: Graprox %": slides, "paper: ratio": paper / slides,
    }  # fmt: skip
