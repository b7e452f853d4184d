"""Arguments checked against the kinds that a signature names, in one place for all public functions.

`kinds(hints)` makes a check of each parameter whose annotation is made of plain kinds: bool, int, float, str, None,
`Literal`, a callable, a path. `typed` puts these checks before a public function; `@algorithm` does the same for
algorithms. What a kind cannot say (a range, a vertex, an array) is checked by the function itself, with
`base.arguments`.
"""

from __future__ import annotations

import collections.abc
import functools
import inspect
import os
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from nearly.base.arguments import is_number, is_whole, path_name, shown
from nearly.base.errors import InvalidArgumentError

F = TypeVar("F", bound=Callable[..., Any])
Check = Callable[[str, Any], None]
_VERTEX = ("source", "v")  # a number or a name: the functions that take one say more


def _is_among(choices: tuple[Any, ...], value: Any) -> bool:
    return isinstance(value, (str, int)) and value in choices


def _is_a(kind: type, value: Any) -> bool:
    return isinstance(value, kind)


_PLAIN: dict[Any, tuple[str, Callable[[Any], bool]]] = {
    bool: ("True or False", lambda value: isinstance(value, (bool, np.bool_))),
    int: ("a whole number", is_whole),
    float: ("a number", is_number),
    str: ("a text", lambda value: isinstance(value, str)),
    type(None): ("None", lambda value: value is None),
    collections.abc.Callable: ("a function", callable),
}


def _path_or_none(name: str, value: Any) -> None:
    if value is not None:
        path_name(name, value)


def _parts(annotation: Any) -> tuple[Any, ...]:
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return tuple(part for one in typing.get_args(annotation) for part in _parts(one))
    return (annotation,)


def _check_of(annotation: Any) -> Check | None:
    """What checks a value against an annotation; None where it says nothing that can be checked here."""
    words: list[str] = []
    tests: list[Callable[[Any], bool]] = []
    for part in _parts(annotation):
        origin = typing.get_origin(part)
        if origin is typing.Literal:
            words.append(" or ".join(map(repr, typing.get_args(part))))
            tests.append(functools.partial(_is_among, typing.get_args(part)))
        elif (origin or part) in _PLAIN:
            word, test = _PLAIN[origin or part]
            words.append(word)
            tests.append(test)
        elif isinstance(part, type) and part.__module__.startswith("nearly."):
            words.append(f"a {part.__name__}")
            tests.append(functools.partial(_is_a, part))
        elif (origin or part) is os.PathLike:
            return _path_or_none if type(None) in _parts(annotation) else path_name  # type: ignore[return-value]
        else:
            return None

    def check(name: str, value: Any) -> None:
        if not any(test(value) for test in tests):
            raise InvalidArgumentError(f"{name} must be {' or '.join(words)}, not {shown(value)}")

    return check


def kinds(hints: Mapping[str, Any]) -> dict[str, Check]:
    """A check for each parameter whose annotation says one, by name."""
    made = {name: _check_of(kind) for name, kind in hints.items() if name != "return" and name not in _VERTEX}
    return {name: check for name, check in made.items() if check is not None}


def typed(function: F) -> F:
    """The public function, its arguments checked against its signature first."""
    signature = inspect.signature(function)

    @functools.cache
    def checks() -> dict[str, Check]:  # when first called: annotations may name what is imported later
        outside = {**_TYPES, **function.__globals__}
        hints = {}
        for name, parameter in signature.parameters.items():
            hints[name] = _resolved(parameter.annotation, outside)
        return kinds(hints)

    @functools.wraps(function)
    def checked(*args: Any, **keywords: Any) -> Any:
        given = signature.bind(*args, **keywords).arguments
        known = checks()
        for name, value in given.items():
            if name in known:
                known[name](name, value)
        return function(*args, **keywords)

    return checked  # type: ignore[return-value]


_TYPES = {"Any": Any, "os": os}


def _resolved(annotation: Any, outside: dict[str, Any]) -> Any:
    if not isinstance(annotation, str):
        return annotation
    try:
        return typing.get_type_hints(types.SimpleNamespace(__annotations__={"it": annotation}), outside)["it"]
    except Exception:  # a name for the type checker only
        return Any
