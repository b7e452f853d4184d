"""A result in a notebook: what was asked, what the answer promises, and the rows that matter most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nearly.base.html import html_facts
from nearly.engine.result_views import first_rows
from nearly.engine.result_words import in_words

if TYPE_CHECKING:
    from nearly.engine.result import Result

_ROWS = 10


def html_of(result: Result) -> str:
    """The HTML that a notebook shows for a result."""
    facts = {"guarantee": in_words(result)}
    if result.plan is not None:
        facts["chosen"] = f"{result.plan.choice}, because {result.plan.why}"
    if result.techniques:
        facts["techniques"] = ", ".join(technique.spec for technique in result.techniques)
    facts["seconds"] = f"{result.seconds:.3g}"
    if result.rounds:
        facts["rounds"] = f"{result.rounds:,}"
    for name, value in result.scalars.items():
        if not isinstance(value, bool):
            facts[name.replace("_", " ")] = f"{value:,}" if isinstance(value, int) else f"{value:.6g}"
    table = first_rows(result, _ROWS)
    table.note = table.note.partition(";")[0] if ";" in table.note else ""
    return html_facts(result.algorithm, facts) + table._repr_html_()
