"""Every error `nearly` raises on purpose, all under `NearlyError`.

A message says what is wrong and what to change; the command line prints it alone and exits with 2.
Each class also inherits the built-in a caller would already be catching.
"""

from __future__ import annotations

import os

_SHOWN = 80


class NearlyError(Exception):
    """The root of all errors raised on purpose."""


class GraphFormatError(NearlyError, ValueError):
    """A file does not say what its format requires.

    Parameters
    ----------
    file : the file, as the user named it.
    line : the 1-based line number, or None where lines make no sense.
    content : the offending text (shortened), or None.
    why : one sentence that says what is wrong and what to change.
    """

    def __init__(self, file: str | os.PathLike[str], line: int | None, content: str | bytes | None, why: str) -> None:
        self.file, self.line, self.why = os.fspath(file), line, why
        if isinstance(content, bytes):
            content = content.decode("utf-8", "replace")
        self.content = content if content is None or len(content) <= _SHOWN else content[:_SHOWN] + "..."
        where = self.file if line is None else f"{self.file}, line {line}"
        shown = "" if self.content is None else f" (found {self.content!r})"
        super().__init__(f"{where}: {why}{shown}")

    def __reduce__(self):
        return type(self), (self.file, self.line, self.content, self.why)


class FileAccessError(NearlyError, OSError):
    """A file or folder cannot be opened, read or written; the message names it and the reason."""

    def __str__(self) -> str:
        return str(self.args[-1])  # without the "[Errno 2]" that the base class puts before it


class InvalidGraphError(NearlyError, ValueError):
    """Arrays or weights do not form a graph that can be used."""


class InvalidArgumentError(NearlyError, ValueError):
    """An argument is outside what the function takes; the message names the allowed range."""


class MemoryBudgetError(NearlyError, MemoryError):
    """The work would need more memory than the budget, or than the system gives; nothing was changed."""


class TimeBudgetError(NearlyError, TimeoutError):
    """Nothing useful can be had within `max_seconds`; the message says how long it would take."""


class DeviceUnavailableError(NearlyError, RuntimeError):
    """The device asked for is not on this machine."""


class MissingDependencyError(NearlyError, ImportError):
    """An optional package is needed; the message says which extra installs it."""
