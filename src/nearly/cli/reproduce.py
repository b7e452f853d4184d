"""`nearly reproduce PAPER [GRAPH ...]`: the tables of a paper, measured again on stand-ins or on given graph files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import nearly
from nearly.base.errors import InvalidArgumentError
from nearly.cli import output
from nearly.cli.options import new_app
from nearly.cli.progress_bars import bars
from nearly.experiments.reproduction import REPRODUCTIONS, Reproduced, Reproduction

app = new_app()

Paper = Annotated[str, typer.Argument(metavar="PAPER", help=f"One of: {', '.join(REPRODUCTIONS.names())}.")]
Graphs = Annotated[
    list[Path] | None, typer.Argument(metavar="[GRAPH]...", help="Graph files to use instead of stand-ins.")
]
Scale = Annotated[
    int | None,
    typer.Option(
        help="Size of the stand-ins: they have about 2 to this power vertices. By default so that it takes minutes.",
        min=6,
        max=26,
    ),
]
Repeat = Annotated[int, typer.Option(help="Runs per cell; the median counts.", min=1, max=101)]
On = Annotated[str, typer.Option("--on", help="cpu, or model: a modelled GPU, where the paper is about GPUs.")]
Plots = Annotated[
    Path | None,
    typer.Option(
        "--plot", metavar="FOLDER", help="Draw the figures into this folder; it is made if it does not exist."
    ),
]
As = Annotated[
    list[str] | None,
    typer.Option(
        "--as",
        metavar="NAME",
        help="The graph of the paper that a GRAPH is to be compared with; once for each, in their order.",
    ),
]
Markdown = Annotated[bool, typer.Option("--markdown", help="Print Markdown tables.")]


@app.command()
def reproduce(  # noqa: PLR0913
    paper: Paper,
    graphs: Graphs = None,
    scale: Scale = None,
    repeat: Repeat = 5,
    on: On = "cpu",
    plot: Plots = None,
    named: As = None,
    markdown: Markdown = False,
    json: output.Json = False,
) -> None:
    """Rerun a paper's tables and figures."""
    entry = REPRODUCTIONS.get(paper)
    if on not in entry.on:
        raise InvalidArgumentError(f"{entry.name} can be measured on {' or '.join(entry.on)}, not on {on!r}")
    names = _names(entry, graphs or [], named or [])
    if plot is not None:
        _make_folder(plot)
    with bars("reading") as progress:
        given = {name: nearly.read(path, progress=progress) for name, path in zip(names, graphs or [], strict=True)}
        made = entry.run(given, scale or entry.scale, repeat, progress, **({} if on == "cpu" else {"on": on}))
    drawn = [] if plot is None else _draw(entry.name, made, plot)
    if markdown:
        print("\n".join(table.to_markdown() for table in made.tables))
        return
    document: dict[str, Any] = {
        "paper": entry.name,
        "tables": [{"title": t.title, "note": t.note, "rows": t.rows} for t in made.tables],
        "figures": {
            name: {run: trace.to_list() for run, trace in traces.items()} for name, traces in made.figures.items()
        },
        "pictures": drawn,
        "stand_ins": made.like,
    }
    shown: list[Any] = []
    for table in made.tables:
        shown += [output.rows(table.title, made.shown(table)), table.note, ""]
    output.show(document, json, *shown, *(f"drawn: {file}" for file in drawn))


def _names(entry: Reproduction, graphs: list[Path], named: list[str]) -> list[str]:
    """What the given graphs are called: as graphs of the paper where that is asked for, else by their files."""
    if not named:
        return [path.name.split(".")[0] for path in graphs]
    known = {row.lower(): row for row in entry.rows}
    for name in named:
        if name.lower() not in known:
            raise InvalidArgumentError(f"{entry.name} has no graph {name!r}; it has {', '.join(entry.rows) or 'none'}")
    if len(named) != len(graphs):
        raise InvalidArgumentError(f"--as names {len(named)} graphs of the paper, but {len(graphs)} are given")
    if len(set(named)) != len(named):
        raise InvalidArgumentError("--as must name different graphs of the paper")
    return [known[name.lower()] for name in named]


def _make_folder(folder: Path) -> None:
    from nearly.experiments.pictures import check_picture

    check_picture(folder / "figure.png")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidArgumentError(f"{folder} cannot be made a folder ({error.strerror}); choose another") from None


def _draw(paper: str, made: Reproduced, folder: Path) -> list[str]:
    from nearly.experiments.pictures import plot_traces

    drawn = []
    for name, traces in made.figures.items():
        drawn.append(folder / f"{paper}-{name}.png")
        plot_traces(traces, drawn[-1], f"{paper}: {name}")
    for name, draw in made.pictures.items():
        drawn.append(folder / f"{paper}-{name}.png")
        draw(drawn[-1])
    return [str(path) for path in drawn]
