"""`nearly sweep GRAPH --algorithm A --technique T --knob K --values ...`: speed and error along one knob."""

from __future__ import annotations

from typing import Annotated, Any

import typer

import nearly
from nearly.base.errors import InvalidArgumentError
from nearly.cli import output
from nearly.cli.comparison_options import SETTINGS, Budgets, Csv, Plot, settings_for
from nearly.cli.comparison_view import Wanted, present
from nearly.cli.options import new_app, with_options_of
from nearly.cli.progress_bars import bars
from nearly.cli.reading import Directed, Source

app = new_app()

Name = Annotated[
    str, typer.Option("--algorithm", "-a", metavar="NAME", help="The algorithm; see nearly list algorithms.")
]
Spec = Annotated[
    str | None,
    typer.Option(
        "--technique", "-t", metavar="SPEC", help="Such as partial-edges:select=lightest; not needed for max-error."
    ),
]
Dial = Annotated[
    str,
    typer.Option("--knob", "-k", metavar="NAME", help="The knob to turn; see nearly list techniques. Or max-error."),
]
Values = Annotated[str, typer.Option("--values", metavar="V,V,...", help="Its values, such as 0.1,0.3,0.5.")]
Policy = Annotated[str, typer.Option("--policy", "-p", metavar="NAME", help="The policy of all runs.")]


def sweep(  # noqa: PLR0913
    graph: Source,
    algorithm: Name,
    knob: Dial,
    values: Values,
    technique: Spec = None,
    policy: Policy = "auto",
    max_error: Budgets = None,
    csv: Csv = None,
    plot: Plot = None,
    as_directed: Directed = None,
    json: output.Json = False,
    *,
    chosen: dict[str, Any],
) -> None:
    """Measure speed and error along one knob of a technique."""
    wanted = Wanted(csv, plot, json)
    wanted.check()
    turned = _checked(algorithm, technique, knob, values)
    with bars("reading") as progress:
        g = nearly.read(graph, directed=as_directed, progress=progress)
        settings = {"policy": policy, "max_error": max_error or None, **settings_for(g, chosen)}
        found = nearly.sweep(g, algorithm, technique, knob, turned, **settings, progress=progress)
    facts = {"file": str(graph), "vertices": g.n, "arcs": g.m}
    facts |= {"algorithm": algorithm, "technique": technique, "knob": knob, "values": turned}
    title = f"{algorithm} with {technique or 'budgets'}, {graph.name}: {g.n:,} vertices, {g.m:,} arcs"
    present(found, title, facts, wanted, sweep=True)


def _checked(algorithm: str, technique: str | None, knob: str, values: str) -> list[Any]:
    """The knob's values; wrong names and numbers are reported before a large file is read."""
    from nearly.engine.algorithm import ALGORITHMS
    from nearly.engine.applied import check_supported
    from nearly.engine.technique import from_spec
    from nearly.experiments.sweep import MAX_ERROR, owner_of, swept, turned

    base, name = swept(technique, knob)
    check_supported(base, ALGORITHMS.get(algorithm).name)
    texts = [text.strip() for text in values.split(",") if text.strip()]
    if name == MAX_ERROR:
        return _errors(texts)
    owner = base[owner_of(base, name)].name
    chosen = [from_spec(f"{owner}:{name}={text}").settings[name] for text in texts]
    for value in chosen:
        turned(base, name, value)
    return chosen


def _errors(texts: list[str]) -> list[float]:
    from nearly.experiments.compare import budgets

    try:
        return budgets([float(text) for text in texts])
    except ValueError:
        raise InvalidArgumentError(f"--values of max-error must be numbers, not {', '.join(texts)}") from None


app.command()(with_options_of(nearly.sweep, sweep, SETTINGS))
