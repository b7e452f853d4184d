"""`nearly plan GRAPH ALGORITHM ...`: how a question would be answered within a budget, without answering it.

There is a command for each algorithm, with its own parameters as options, behind the graph's file.
"""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

import nearly
import nearly.budget
from nearly.base.errors import InvalidArgumentError
from nearly.cli import output
from nearly.cli.options import new_app, with_options_of
from nearly.cli.progress_bars import bars
from nearly.cli.reading import Directed, Source
from nearly.cli.run import BUDGET, Approx, finite
from nearly.cli.vertex_options import VERTEX_OPTIONS, with_vertices
from nearly.engine.algorithm import ALGORITHMS, Algorithm
from nearly.engine.applied import as_techniques, check_supported


class _GraphFirst(TyperGroup):
    """`nearly plan GRAPH ALGORITHM`: the file goes behind the name of the command, where its argument is read."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if len(args) > 1 and not args[0].startswith("-") and ALGORITHMS.find(args[0]) is None:
            args = [args[1], args[0], *args[2:]]
        return super().parse_args(ctx, args)


app = new_app(no_args_is_help=True, cls=_GraphFirst, subcommand_metavar="GRAPH ALGORITHM [OPTIONS]")


@app.callback()
def plan() -> None:
    """Show how a question would be answered within a budget."""


def _command(entry: Algorithm) -> Any:
    def action(
        graph: Source,
        as_directed: Directed = None,
        approx: Approx = None,
        json: output.Json = False,
        *,
        chosen: dict[str, Any],
    ) -> None:
        if chosen["max_error"] is None and chosen["max_seconds"] is None:
            raise InvalidArgumentError("a plan needs a budget: --max-error, --max-seconds, or both")
        techniques = as_techniques(approx)
        check_supported(techniques, entry.name)
        with bars("reading") as progress:
            g = nearly.read(graph, directed=as_directed, progress=progress)
        made = nearly.budget.plan(g, entry.name, **with_vertices(g, chosen), approx=techniques or None)
        document = {"file": str(graph), "vertices": g.n, "arcs": g.m, **finite(made.as_dict())}
        output.show(document, json, str(made))

    command = with_options_of(entry.function, action, {**VERTEX_OPTIONS, **BUDGET})
    command.__doc__ = f"How {entry.name} would be answered within a budget."
    return command


for _entry in ALGORITHMS:
    app.command(_entry.name.replace("_", "-"), short_help=_entry.summary)(_command(_entry))
