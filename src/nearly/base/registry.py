"""Registries: what exists, by name, so that the command line, the docs' tables and the tests find it.

An algorithm or a technique is one file that registers itself; the files are imported when a
registry is first asked for something.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Generic, TypeVar

from nearly.base.arguments import shown
from nearly.base.errors import InvalidArgumentError

T = TypeVar("T")


class Registry(Generic[T]):
    """Entries by name, filled by importing every module of `package`. Hyphens and underscores are the same."""

    def __init__(self, kind: str, package: str) -> None:
        self.kind, self._package = kind, package
        self._entries: dict[str, T] = {}
        self._origins: dict[str, str] = {}
        self._loaded = False

    def add(self, name: str, entry: T, origin: str) -> T:
        """Register an entry made in module `origin`. Only a user's script or notebook may define a name again."""
        before = self._origins.get(name, origin)
        if origin != before and "__main__" not in (origin, before):
            raise ValueError(f"{self.kind} {name!r} of {origin} is already registered by {before}")
        self._entries[name], self._origins[name] = entry, origin
        return entry

    def load(self) -> None:
        """Import every module of the package, once."""
        if not self._loaded:
            self._loaded = True  # a module may ask for others while it is imported
            try:
                package = import_module(self._package)
                for module in iter_modules(package.__path__):
                    import_module(f"{self._package}.{module.name}")
            except BaseException:
                self._loaded = False  # half a registry would pass for a whole one
                raise

    def names(self) -> list[str]:
        self.load()
        return sorted(self._entries)

    def __iter__(self) -> Iterator[T]:
        return iter([self._entries[name] for name in self.names()])

    def find(self, name: str) -> T | None:
        """The entry of this name, None if there is none."""
        if name in self._entries:
            return self._entries[name]
        self.load()
        wanted = _plain(name)
        return next((entry for known, entry in self._entries.items() if _plain(known) == wanted), None)

    def get(self, name: str) -> T:
        """The entry of this name; an unknown one is an error that lists what there is."""
        if not isinstance(name, str):
            raise InvalidArgumentError(f"the name of a {self.kind} must be a text, not {shown(name)}")
        found = self.find(name)
        if found is not None:
            return found
        wanted = _plain(name)
        near = difflib.get_close_matches(wanted, self._entries, 1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise InvalidArgumentError(f"no {self.kind} is called {name!r}; {hint}there are: {', '.join(self.names())}")


def _plain(name: str) -> str:
    return name.replace("-", "_").lower()
