"""Arguments checked against the kinds that a signature names, in one place for all public functions.

`Kinds(hints)` holds a check of each parameter whose annotation is made of plain kinds: bool, int, float, str, None,
`Literal`, a callable, a path. `typed` puts these checks before a public function; `@algorithm` does the same for
algorithms. What a kind cannot say (a range, a vertex, an array) is checked by the function itself, with
`base.arguments`. Its words say more, so a number or a word where a number or a word may stand is left to it; should it
fail otherwise than by an error of ours, the kinds are asked about those too.
"""

from __future__ import annotations

import collections.abc
import functools
import inspect
import os
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import numpy as np

from nearly.base.arguments import is_number, is_whole, path_name, shown
from nearly.base.errors import InvalidArgumentError, NearlyError
from nearly.base.memory import refused

F = TypeVar("F", bound=Callable[..., Any])
UNTYPED = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError)  # what a wrong kind may end in
_WORDS_AND_NUMBERS = (str, int, float, np.number, type(None))
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


def _path(name: str, value: Any, strict: bool = False) -> None:
    path_name(name, value)


def _path_or_none(name: str, value: Any, strict: bool = False) -> None:
    if value is not None:
        path_name(name, value)


def _parts(annotation: Any) -> tuple[Any, ...]:
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return tuple(part for one in typing.get_args(annotation) for part in _parts(one))
    return (annotation,)


class _Check:
    """A check of one parameter against its annotation."""

    def __init__(self, words: list[str], tests: list[Callable[[Any], bool]], plain: bool) -> None:
        self.words, self.tests, self.plain = words, tests, plain

    def __call__(self, name: str, value: Any, strict: bool = False) -> None:
        if not strict and self.plain and isinstance(value, _WORDS_AND_NUMBERS):
            return
        if not any(test(value) for test in self.tests):
            raise InvalidArgumentError(f"{name} must be {' or '.join(self.words)}, not {shown(value)}")


def _check_of(annotation: Any) -> Callable[..., None] | None:
    """What checks a value against an annotation; None where it says nothing that can be checked here."""
    words: list[str] = []
    tests: list[Callable[[Any], bool]] = []
    parts = _parts(annotation)
    for part in parts:
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
            return _path_or_none if type(None) in parts else _path
        else:
            return None
    plain = any(part in (int, float, str) or typing.get_origin(part) is typing.Literal for part in parts)
    return _Check(words, tests, plain)


class Kinds:
    """The checks of a function's parameters, by name."""

    def __init__(self, hints: Mapping[str, Any]) -> None:
        made = {name: _check_of(kind) for name, kind in hints.items() if name != "return" and name not in _VERTEX}
        self._checks = {name: check for name, check in made.items() if check is not None}

    def check(self, given: Iterable[tuple[str, Any]], strict: bool = False) -> None:
        """Refuse arguments that are of another kind."""
        for name, value in given:
            check = self._checks.get(name)
            if check is not None and (strict or name != "graph"):  # what a graph is made of, functions say better
                check(name, value, strict)


def typed(function: F) -> F:
    """The public function, its arguments checked against its signature first."""
    signature = inspect.signature(function)

    @functools.cache
    def kinds() -> Kinds:  # when first called: annotations may name what is imported later
        outside = {**_TYPES, **function.__globals__}
        hints = {}
        for name, parameter in signature.parameters.items():
            hints[name] = _resolved(parameter.annotation, outside)
        return Kinds(hints)

    @functools.wraps(function)
    def checked(*args: Any, **keywords: Any) -> Any:
        given = signature.bind(*args, **keywords).arguments.items()
        kinds().check(given)
        try:
            return function(*args, **keywords)
        except MemoryError as error:
            if isinstance(error, NearlyError):
                raise
            raise refused(function.__name__) from error
        except UNTYPED as error:
            if not isinstance(error, NearlyError):
                kinds().check(given, strict=True)
            raise

    return checked  # type: ignore[return-value]


_TYPES = {"Any": Any, "os": os}


def _resolved(annotation: Any, outside: dict[str, Any]) -> Any:
    if not isinstance(annotation, str):
        return annotation
    try:
        return typing.get_type_hints(types.SimpleNamespace(__annotations__={"it": annotation}), outside)["it"]
    except Exception:  # a name for the type checker only
        return Any
