"""What the registries know, as tables: guarantees, traits, knobs, estimators, papers and the commands that rerun them.

The same records as `nearly list` prints, so that page and command line cannot differ.
"""

from __future__ import annotations

import re
from typing import Any

from nearly.budget.estimator import ESTIMATORS
from nearly.cli.list import LISTINGS
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.technique import TECHNIQUES
from nearly.engine.traits import CHANGES, GUARANTEES
from sitegen.tables import heading, joined, table

_SHORT = {"upper bound": "upper", "lower bound": "lower"}
_ROLES = "\n".join(f".. role:: {word.replace(' ', '-')}" for word in GUARANTEES)


def pages() -> dict[str, str]:
    return {
        "guarantee-matrix.rst": guarantee_matrix(),
        "techniques-and-knobs.rst": knobs(),
        "estimators.rst": estimators(),
    }


def guarantee_matrix() -> str:
    """Algorithms by techniques: the word of the answer; and the traits from which the words follow."""
    techniques = list(TECHNIQUES)
    words = {cls.__name__: cls.guarantees for cls in techniques}
    applied = [entry for entry in ALGORITHMS if any(entry.name in by for by in words.values())]
    rows = [
        [_name(entry.name), *(_word(words[cls.__name__].get(entry.name)) for cls in techniques)] for entry in applied
    ]
    head = ["", *(_name(cls.__name__) for cls in techniques)]
    told = [entry for entry in ALGORITHMS if any(getattr(entry.traits, change) for change in CHANGES)]
    traits = [[_name(entry.name), *(getattr(entry.traits, change) or "" for change in CHANGES)] for entry in told]
    return joined(
        _ROLES,
        heading("The guarantee matrix"),
        "Made from the registries: what an answer guarantees, by algorithm and technique, with the technique's default "
        "knobs. An empty place says that the technique does not apply. What the words promise, and why: "
        ":doc:`/guarantees`.",
        table(head, rows, "matrix", stubs=1),
        heading("What follows from what", "-"),
        "What a change of the graph or of the rounds does to an algorithm's values, as the algorithm states it. "
        "A technique states which of these changes it makes; the matrix above follows.",
        table(["", *(f"``{change}``" for change in CHANGES)], traits, "traits", stubs=1),
    )


def knobs() -> str:
    """Techniques with their knobs."""
    blocks = []
    for record in LISTINGS["techniques"].records():
        name = next(cls.__name__ for cls in TECHNIQUES if cls.name == record["name"])
        rows = [
            [f"``{k['name']}``", _code(k["default"]), _code(k["exact"]), _plain(k["allowed"]), _plain(k["meaning"])]
            for k in record["knobs"]
        ]
        blocks += [
            heading(record["name"], "-"),
            f"{_name(name)}: {_plain(record['does'])} *{_plain(record['reference'])}*",
        ]
        if rows:
            blocks.append(table(["knob", "default", "exact", "allowed", "meaning"], rows))
    about = "Made from the registry. With its exact value a knob changes nothing. How to use them: :doc:`/techniques`."
    return joined(heading("Techniques and their knobs"), about, *blocks)


def estimators() -> str:
    """What can answer a question within a budget, beside the exact run."""
    rows = [[_name(e.algorithm), e.name, e.level, e.kind, f"``{e.scope}``"] for e in ESTIMATORS]
    about = (
        "Made from the registry: the ways to answer within ``max_error``, beside the exact run, which is always a "
        "candidate. What the error of each question is about: :doc:`/budgets`."
    )
    head = ["algorithm", "estimator", "guarantee", "error", "scope"]
    return joined(heading("Estimators"), about, table(head, rows))


def _name(name: str) -> str:
    return f":py:obj:`~nearly.{name}`"


def _word(word: str | None) -> str:
    return f":{word.replace(' ', '-')}:`{_SHORT.get(word, word)}`" if word else ""


def _code(value: Any) -> str:
    return "" if value is None else f"``{value}``" if str(value) else "``''``"


def _plain(text: Any) -> str:
    """Text of a registry in reStructuredText: single backticks are code, other marks are themselves."""
    parts = re.split(r"(`[^`]+`)", "" if text is None else str(text))
    return "".join(f"`{p}`" if p.startswith("`") else re.sub(r"([*|_\\])", r"\\\1", p) for p in parts)
