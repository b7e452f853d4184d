"""`nearly sweep GRAPH --algorithm A --technique T --knob K --values ...`: speed and error along one knob."""

from __future__ import annotations

from typing import Annotated, Any

import typer

import nearly
from nearly.cli import comparison_view as comparisons
from nearly.cli import output
from nearly.cli.comparison_view import Csv, Limit, Plot, Repeat, Seed, Sources, Start, Threads
from nearly.cli.options import new_app
from nearly.cli.progress_bars import bars
from nearly.cli.reading import Directed, Source, vertex_of

app = new_app()

Name = Annotated[
    str, typer.Option("--algorithm", "-a", metavar="NAME", help="The algorithm; see nearly list algorithms.")
]
Spec = Annotated[str, typer.Option("--technique", "-t", metavar="SPEC", help="Such as partial-edges:select=lightest.")]
Dial = Annotated[
    str, typer.Option("--knob", "-k", metavar="NAME", help="The knob to turn; see nearly list techniques.")
]
Values = Annotated[str, typer.Option("--values", metavar="V,V,...", help="Its values, such as 0.1,0.3,0.5.")]
Policy = Annotated[str, typer.Option("--policy", "-p", metavar="NAME", help="The policy of all runs.")]


@app.command()
def sweep(
    graph: Source,
    algorithm: Name,
    technique: Spec,
    knob: Dial,
    values: Values,
    policy: Policy = "auto",
    source: Start = None,
    sources: Sources = 64,
    repeat: Repeat = 5,
    seed: Seed = 1,
    threads: Threads = None,
    limit: Limit = 60.0,
    csv: Csv = None,
    plot: Plot = None,
    as_directed: Directed = None,
    json: output.Json = False,
) -> None:
    """Measure speed and error along one knob of a technique."""
    comparisons.check_files(csv, plot)
    chosen = _checked(algorithm, technique, knob, values)
    with bars("reading") as progress:
        g = nearly.read(graph, directed=as_directed, progress=progress)
        found = nearly.sweep(
            g, algorithm, technique, knob, chosen,
            policy=policy, source=None if source is None else vertex_of(g, source),
            sources=sources, repeat=repeat, seed=seed, threads=threads, limit=limit, progress=progress,
        )  # fmt: skip
    comparisons.check_measured(found)
    facts = {"file": str(graph), "vertices": g.n, "arcs": g.m}
    document = comparisons.document(found, **facts, algorithm=algorithm, technique=technique, knob=knob, values=chosen)
    title = f"{algorithm} with {technique}, {graph.name}: {g.n:,} vertices, {g.m:,} arcs"
    document.update(comparisons.save(found, csv, plot, title, sweep=True))
    output.show(document, json, *comparisons.tables(title, found), *comparisons.saved(document))


def _checked(algorithm: str, technique: str, knob: str, values: str) -> list[Any]:
    """The knob's values; what is wrong with names and numbers is told before a large file is read."""
    from nearly.engine.algorithm import ALGORITHMS
    from nearly.engine.technique import check_supported, from_spec
    from nearly.experiments.compare import composition
    from nearly.experiments.sweep import owner_of, turned

    base, name = composition(technique), knob.replace("-", "_")
    check_supported(base, ALGORITHMS.get(algorithm).name)
    owner = base[owner_of(base, name)].name
    texts = [text.strip() for text in values.split(",") if text.strip()]
    chosen = [from_spec(f"{owner}:{name}={text}").settings[name] for text in texts]
    for value in chosen:
        turned(base, name, value)
    return chosen
