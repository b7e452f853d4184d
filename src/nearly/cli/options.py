"""Options from functions: what a library function takes, its command takes.

Names, types and defaults come from the function's signature, the help texts from the `Parameters`
section of its docstring, so that a new generator (and later an algorithm or a technique) has its
command without a line written here. Parameters of types that cannot be typed on a command line
(arrays, callbacks) are left out; they must have defaults.
"""

from __future__ import annotations

import inspect
import re
import types
import typing
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.markup import escape

from nearly.base.errors import InvalidArgumentError

_PLAIN = (bool, int, float, str, Path)
_HEADER = re.compile(r"^(\w[\w ]*)\n-{3,}\s*$", re.MULTILINE)
_ENTRY = re.compile(r"^(\w+(?:, *\w+)*) *: *(.*(?:\n[ \t]+.*|\n(?=\n[ \t]))*)", re.MULTILINE)


def with_options_of(
    function: Callable[..., Any], action: Callable[..., None], spelled: Mapping[str, str] | None = None
) -> Callable[..., None]:
    """A command: the parameters of `action`, and the options of `function`.

    Parameters
    ----------
    function : what the command calls in the end.
    action : does the work; gets the values of `function`'s options as the dictionary `chosen`.
    spelled : how to spell an option where it is not simply the parameter's name.
    """
    summary, helps = documentation(function)
    own = [p for p in inspect.signature(action, eval_str=True).parameters.values() if p.name != "chosen"]
    hints = typing.get_type_hints(function)
    taken = {p.name for p in own}
    offered, readers = [], {}
    for p in inspect.signature(function).parameters.values():
        kind, reader = _typeable(hints.get(p.name, str))
        if kind is None or p.name in taken or p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL):
            continue
        names = (spelled or {}).get(p.name)
        option = typer.Option(*([names] if names else []), help=escape(helps.get(p.name, "")))
        default = str(p.default) if reader and p.default not in (None, p.empty) else p.default
        offered.append(inspect.Parameter(p.name, p.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option]))
        readers[p.name] = reader

    def command(**values: Any) -> None:
        chosen = {name: _read(name, values.pop(name), reader) for name, reader in readers.items()}
        action(**values, chosen=chosen)

    own = [p.replace(kind=p.KEYWORD_ONLY) for p in own]
    required = [p for p in own if p.default is p.empty]
    parameters = [*required, *offered, *(p for p in own if p.default is not p.empty)]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    command.__doc__ = inspect.getdoc(action) or escape(summary)
    return command


def documentation(function: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """The text above the first section of a docstring, and the help text of each parameter.

    >>> def f(n, seed):
    ...     '''Do it.
    ...
    ...     Parameters
    ...     ----------
    ...     n, seed : two numbers,
    ...         both whole.
    ...     '''
    >>> documentation(f)
    ('Do it.', {'n': 'two numbers, both whole.', 'seed': 'two numbers, both whole.'})
    """
    text = inspect.getdoc(function) or ""
    pieces = _HEADER.split(text)
    sections = dict(zip(pieces[1::2], pieces[2::2]))
    helps = {}
    for names, body in _ENTRY.findall(sections.get("Parameters", "")):
        line = " ".join(body.split()).replace("`", "")
        helps.update({name.strip(): line for name in names.split(",")})
    return pieces[0].strip().replace("`", ""), helps


def _typeable(hint: Any) -> tuple[Any, Callable[[str], Any] | None]:
    """What typer is to read for a type hint, and how to read on from there; (None, None) where nothing fits."""
    union = typing.get_origin(hint) in (typing.Union, types.UnionType)
    members = [m for m in (typing.get_args(hint) if union else (hint,)) if m is not types.NoneType]
    if not all(_simple(m) for m in members):
        return None, None
    several = len(members) > 1
    kind = str if several else members[0]
    optional = union and types.NoneType in typing.get_args(hint)
    return (kind | None if optional else kind), (lambda text: _first(members, text)) if several else None


def _simple(hint: Any) -> bool:
    if typing.get_origin(hint) is tuple:
        return all(member in _PLAIN for member in typing.get_args(hint))
    return hint in _PLAIN or typing.get_origin(hint) is Literal


def _first(members: list[Any], text: str) -> Any:
    """`text` as the first member of a union that can hold it; text itself only where the union says so."""
    for member in members:
        if typing.get_origin(member) is Literal:
            if text in typing.get_args(member):
                return text
        elif member is not str:
            try:
                return member(text)
            except ValueError:
                continue
    if str in members:
        return text
    wanted = [
        ", ".join(map(repr, typing.get_args(m))) if typing.get_origin(m) is Literal else m.__name__ for m in members
    ]
    raise ValueError(f"must be {' or '.join(wanted)}")


def _read(name: str, value: Any, reader: Callable[[str], Any] | None) -> Any:
    if reader is None or not isinstance(value, str):
        return value
    try:
        return reader(value)
    except ValueError as error:
        raise InvalidArgumentError(f"--{name.replace('_', '-')} {error}, not {value!r}") from None
