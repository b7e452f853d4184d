"""`nearly transform GRAPH --technique SPEC -o FILE`: transform a graph once; `run` and `compare` take the file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import nearly
from nearly.base.errors import InvalidArgumentError
from nearly.cli import output
from nearly.cli.options import new_app
from nearly.cli.progress_bars import bars
from nearly.cli.reading import Directed, Source
from nearly.cli.saving import check_target_file
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.applied import as_techniques, check_supported
from nearly.engine.transform.graph_file import supporting, transformed_for, write_transformed

app = new_app()

Techniques = Annotated[
    list[str],
    typer.Option(
        "--technique", "-t", metavar="SPEC", help="Such as coalesce:chunk=32; more of them apply in order.",
        show_default=False,
    ),
]  # fmt: skip
Algorithms = Annotated[
    list[str] | None,
    typer.Option(
        "--algorithm", "-a", metavar="NAME", help="An algorithm it is for; all that the techniques support if left out."
    ),
]
Seed = Annotated[int, typer.Option(help="The seed of everything that is random.", min=0)]
Output = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The .npz to write.", show_default=False)]


@app.command()
def transform(
    graph: Source,
    technique: Techniques,
    out: Output,
    algorithm: Algorithms = None,
    seed: Seed = 1,
    as_directed: Directed = None,
    json: output.Json = False,
) -> None:
    """Transform a graph once, for many runs."""
    check_target_file(out, _check_name)
    techniques = as_techniques(technique)
    chosen = [ALGORITHMS.get(name) for name in algorithm] if algorithm else supporting(techniques)
    for entry in chosen:
        check_supported(techniques, entry.name)
    if not chosen:
        raise InvalidArgumentError(f"no algorithm supports {' + '.join(t.name for t in techniques)} together")
    with bars("reading") as progress:
        g = nearly.read(graph, directed=as_directed, progress=progress)
        made = transformed_for(techniques, g, chosen, seed, progress)
        write_transformed(out, g, techniques, made, progress)
    rows = [_row(applied, names) for applied, names in made.values()]
    document = {
        "file": str(graph), "vertices": g.n, "arcs": g.m, "techniques": [t.full_spec for t in techniques],
        "transforms": rows, "written": str(out), "bytes": out.stat().st_size,
    }  # fmt: skip
    shown = [{**row, "algorithms": ", ".join(row["algorithms"]), "report": _told(row["report"])} for row in rows]
    title = f"{graph}, by {' + '.join(t.spec for t in techniques)}: {out}"
    output.show(document, json, output.rows(title, shown))


def _row(applied: Any, names: list[str]) -> dict[str, Any]:
    moved = applied.map
    return {
        "algorithms": names,
        "vertices": moved.graph.n,
        "arcs": moved.graph.m,
        "extra_space": moved.extra_space,
        "seconds": applied.built,
        "report": dict(moved.report),
    }


def _told(report: dict[str, Any]) -> str:
    return ", ".join(
        f"{name} {value:.4g}" if isinstance(value, float) else f"{name} {value}" for name, value in report.items()
    )


def _check_name(path: Path) -> None:
    if path.suffix.lower() != ".npz":
        raise InvalidArgumentError(f"{path}: a transformed graph is kept as .npz; choose a name with that ending")
