"""The docstring of a public algorithm: its own text, the parameters that all have, and the fields of its result."""

from __future__ import annotations

import inspect
from typing import Any

from nearly.engine.result import Result

_COMMON = """
Other Parameters
----------------
approx : technique, str, or list of these, optional
    Techniques to apply, in order; None is exact.
policy : {policies}
    How rounds cut work into pieces.
device : {devices}
    Where to run.
threads : int, optional
    Threads to use; by default `nearly.get_threads()`.
seed : int
    All that is random depends on this alone.
progress : function, optional
    Called as `progress(stage, done, total)`. By default a bar where a person watches; see `nearly.set_progress`.
max_rounds : int, optional
    Stop after so many rounds.
threshold : int, optional
    Vertices of more edges are heavy (policy heavy-light), or are cut into pieces of this many (split).
max_error : float, optional
    A budget: how far off the answer may be. The planner chooses how to stay within it; None is exact.
max_seconds : float, optional
    A budget: how long the answer may take; the best by then is returned, with the error it has.
confidence : float
    With which probability a bound that rests on random draws must hold.
allow : {{"certified", "statistical", "estimated", "heuristic"}}
    The weakest guarantee that will do for an answer within a budget.
"""


def documented(text: str, entry: Any) -> str:
    """The whole docstring of an algorithm's public function."""
    before, mark, examples = inspect.cleandoc(text).partition("Examples\n--------")
    policies, devices = _choices(("auto", *entry.policies)), _choices(entry.devices)
    parts = [before.rstrip(), _COMMON.strip().format(policies=policies, devices=devices), _returns(entry.result)]
    if "Parameters\n----------" not in before:
        parts.insert(1, "Parameters\n----------\ngraph : Graph\n    The graph to work on.")
    else:
        parts[0] = parts[0].replace(
            "Parameters\n----------\n", "Parameters\n----------\ngraph : Graph\n    The graph to work on.\n", 1
        )
    return "\n\n".join(parts) + (f"\n\n{mark}{examples}" if mark else "\n")


def _choices(words: tuple[str, ...]) -> str:
    return "{" + ", ".join(f'"{word}"' for word in words) + "}"


def _returns(result: type[Result]) -> str:
    own = [
        name for name in result.fields if name not in Result.fields or result.fields[name] is not Result.fields[name]
    ]
    rest = [name for name in Result.fields if name not in own]
    lines = [
        f"    {name} : {_type_of(result, name)}\n        {_sentence(result.fields[name].meaning)}"
        for name in (*own, *rest)
    ]
    return "\n".join(["Returns", "-------", result.__name__, "    With the fields:", "", *lines])


def _type_of(result: type[Result], name: str) -> str:
    for base in result.__mro__:
        said = vars(base).get("__annotations__", {}).get(name)
        if said is not None:
            return said if isinstance(said, str) else getattr(said, "__name__", str(said))
    return "Any"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
