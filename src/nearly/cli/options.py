"""Options from functions: a command takes what the library function behind it takes.

Names, types and defaults come from the function's signature, the help texts from the `Parameters` section of its
docstring. So a new generator or algorithm has its command without a line written here. Parameters of types that cannot
be typed on a command line (arrays, callbacks) are left out; they must have defaults.
"""

from __future__ import annotations

import inspect
import os
import re
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import typer

from nearly.base.errors import InvalidArgumentError

NONE = "none"  # how None is typed
_PLAIN = (bool, int, float, str, Path)
_TRUTH = {"true": True, "false": False}  # how True and False are typed where words are allowed too
_HEADER = re.compile(r"^(\w[\w ]*)\n-{3,}\s*$", re.MULTILINE)
_ENTRY = re.compile(r"^(\*{0,2}\w+(?:, *\*{0,2}\w+)*) *: *(.*)((?:\n[ \t]+.*)*)", re.MULTILINE)
# A type of numpydoc: quoted words, numbers, anything in brackets, names with a capital or a dot, and these words.
_TYPE_WORDS = (
    "int|float|bool|str|bytes|callable|path|array|ndarray|array_like|iterable|sequence|mapping|list|tuple|dict|set|object"
    "|ints|floats|strings|vertex|optional|keyword|only|default|or|and|of|from|to|shape|a|an|any|these|int32|int64|uint32|uint64"
    "|float32|float64"
)
_TYPE = re.compile(
    rf"(?:\"[^\"]*\"|'[^']*'|\{{.*\}}|\(.*\)|\[.*\]|[A-Z]\w*\b|\w+\.[\w.]+\b|-?\d[\d.]*\b|(?:{_TYPE_WORDS})\b|[\s,|:=`])+"
)


class Changed(NamedTuple):
    """Where an option differs from the parameter: its spelling, type or help; and the range of a number."""

    spelling: str | None = None
    hint: Any = None
    help: str | None = None
    low: float | None = None
    high: float | None = None


COMMON = {"directed": Changed("--directed/--undirected", help="Make arcs, or edges that are stored both ways.")}


class _Offer(NamedTuple):
    """The type that typer reads, the default as typer sees it, and a function that reads the rest of the way."""

    kind: Any
    default: Any
    read: Callable[[str], Any] | None = None


def new_app(**settings: Any) -> typer.Typer:
    """An empty command or group, with the settings that all have."""
    return typer.Typer(**{"rich_markup_mode": None, "add_completion": False, **settings})


def with_options_of(
    function: Callable[..., Any], action: Callable[..., None], changed: Mapping[str, Changed] | None = None
) -> Callable[..., None]:
    """A command: the parameters of `action`, and the options of `function`.

    Parameters
    ----------
    function : callable
        The function of the library that the command calls in the end.
    action : callable
        What does the work. It gets the values of the options of `function` as the dictionary `chosen`.
    changed : dict of str to Changed, optional
        Options that differ from the parameter.

    Returns
    -------
    callable
        A function for typer, with a signature of its own.
    """
    summary, _ = documentation(function)
    own = [
        p.replace(kind=p.KEYWORD_ONLY)
        for p in inspect.signature(action, eval_str=True).parameters.values()
        if p.name != "chosen"
    ]
    offers, offered = _options(function, {p.name for p in own}, changed or {})

    def command(**values: Any) -> None:
        chosen = {name: _read(name, values.pop(name), offer.read) for name, offer in offers.items()}
        try:
            action(**values, chosen=chosen)
        except InvalidArgumentError as error:
            raise InvalidArgumentError(in_options(str(error), [*offers, *values])) from error

    required = [p for p in own if p.default is p.empty]
    parameters = [*required, *offered, *(p for p in own if p.default is not p.empty)]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    command.__doc__ = inspect.getdoc(action) or summary
    return command


def in_options(message: str, names: Iterable[str]) -> str:
    """A message of the library in the words of the command line: options for arguments.

    >>> in_options("max_error must be above 0; use directed=True", ["max_error", "directed"])
    '--max-error must be above 0; use --directed'
    """
    for name in names:
        option = f"--{name.replace('_', '-')}"
        message = re.sub(rf"^{name}(?= (must|names|\S+ is)\b)", option, message)
        message = re.sub(rf"(?<![\w-]){name}=True\b", option, message)
        message = re.sub(rf"(?<![\w-]){name}=(?=[\w'\"-])", f"{option} ", message)
    return message


def _options(
    function: Callable[..., Any], taken: set[str], changed: Mapping[str, Changed]
) -> tuple[dict[str, _Offer], list[inspect.Parameter]]:
    hints, helps = typing.get_type_hints(function), documentation(function)[1]
    offers, parameters = {}, []
    for p in inspect.signature(function).parameters.values():
        change = changed.get(p.name) or COMMON.get(p.name, Changed())
        offer = _offer(change.hint or hints.get(p.name), p.default)
        if offer is None or p.name in taken or p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL):
            continue
        names = [change.spelling] if change.spelling else []
        text = _sentence(change.help or helps.get(p.name, ""))
        option = typer.Option(*names, help=text, min=change.low, max=change.high)
        kind: Any = offer.kind
        annotation = Annotated[kind, option]
        offers[p.name] = offer
        parameters.append(inspect.Parameter(p.name, p.KEYWORD_ONLY, default=offer.default, annotation=annotation))
    return offers, parameters


def documentation(function: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """The text above the first section of a docstring, and the help text of each parameter.

    An entry is a sentence behind the name, or as in numpydoc a type behind the name and sentences below it.

    >>> def f(n, seed, scale):
    ...     '''Do it.
    ...
    ...     Parameters
    ...     ----------
    ...     n, seed : two numbers,
    ...         both whole.
    ...     scale : float or "auto"
    ...         How large.
    ...     '''
    >>> documentation(f)
    ('Do it.', {'n': 'two numbers, both whole.', 'seed': 'two numbers, both whole.', 'scale': 'How large.'})
    """
    pieces = _HEADER.split(inspect.getdoc(function) or "")
    helps: dict[str, str] = {}
    for title, section in zip(pieces[1::2], pieces[2::2]):
        if title.lower().endswith("parameters"):
            for names, first, rest in _ENTRY.findall(section):
                line = _description(first.strip(), " ".join(rest.split())).replace("`", "")
                for name in names.split(","):
                    helps.setdefault(name.strip(" *"), line)
    return pieces[0].strip().replace("`", ""), helps


def _description(first: str, rest: str) -> str:
    """What an entry says of its parameter: the lines below the first, if the first is a type, else all of them."""
    starts_anew = rest[:1].isupper() or rest[:1] in tuple("`\"'")
    if _TYPE.fullmatch(first) or (starts_anew and first[-1:] not in tuple(".,;:")):
        return rest
    return f"{first} {rest}".strip()


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _offer(hint: Any, default: Any) -> _Offer | None:
    """The offer for a parameter of this type and default; None if it cannot be typed."""
    union = typing.get_origin(hint) in (typing.Union, types.UnionType)
    given = list(typing.get_args(hint)) if union else [hint]
    typed = default is not inspect.Parameter.empty  # a path that must be given is the command's own argument
    inside = list(dict.fromkeys(str if typed and typing.get_origin(m) is os.PathLike else m for m in given))
    members = [m for m in inside if m is not types.NoneType]
    if not members or not all(_simple(m) for m in members):
        return None
    optional, only = len(members) < len(inside), members[0]
    if len(members) == 1 and not optional:
        return _Offer(only, default)
    if len(members) == 1 and typing.get_origin(only) is Literal:
        words = Literal.__getitem__((*typing.get_args(only), NONE))  # spelled out: these are values, not types
        return _Offer(words, NONE if default is None else default, lambda text: None if text == NONE else text)
    if len(members) == 1 and default is None:
        return _Offer(only | None, None)
    shown = default if default is inspect.Parameter.empty or default is None else str(default)
    return _Offer(str | None if default is None else str, shown, lambda text: _first(inside, text))


def _simple(hint: Any) -> bool:
    if typing.get_origin(hint) in (tuple, list):
        return all(member in _PLAIN for member in typing.get_args(hint))
    if typing.get_origin(hint) is Literal:
        return all(isinstance(word, str) for word in typing.get_args(hint))
    return hint in _PLAIN


def _first(members: list[Any], text: str) -> Any:
    """`text` as the first member of a union that can hold it; as plain text only where the union says so."""
    if types.NoneType in members and text == NONE:
        return None
    if any(text in typing.get_args(m) for m in members if typing.get_origin(m) is Literal):
        return text
    if bool in members and text in _TRUTH:
        return _TRUTH[text]
    for number in (int, float):
        if number in members:
            try:
                return number(text)
            except ValueError:
                continue
    if str in members:
        return text
    words = [w for m in members for w in (typing.get_args(m) if typing.get_origin(m) is Literal else ())]
    wanted = [*(["a number"] if {int, float} & set(members) else []), *(_TRUTH if bool in members else ()), *words]
    raise ValueError(f"must be {' or '.join(wanted)}")


def _read(name: str, value: Any, read: Callable[[str], Any] | None) -> Any:
    if read is None or not isinstance(value, str):
        return value
    try:
        return read(value)
    except ValueError as error:
        raise InvalidArgumentError(f"--{name.replace('_', '-')} {error}, not {value!r}") from None
