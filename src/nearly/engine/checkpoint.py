"""Checkpoints: long work that goes on where it was, after whatever ended it, and gives the same answer.

`checkpoint="run.ckpt"` names a file. Between steps, at most every `NEARLY_CHECKPOINT` seconds (30 by default), the
state of the work is written there, beside and renamed, so that the file is always whole. A call that finds the file
goes on from it; when the work is done the file is removed. The file holds a digest of the question (the graph, the
algorithm, its arguments, the seed and the version): another question's checkpoint is an error, not a start.

What works in steps says how its state is kept: `keep()` returns arrays and numbers by name, or None where this is no
moment for it, and `take(...)` puts them back. Steps depend on the state alone, never on the clock; so it does not
matter between which of them a run was cut in two.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from contextlib import suppress
from typing import Any, Protocol

import numpy as np

from nearly.base.arguments import number, path_name
from nearly.base.errors import FileAccessError, GraphFormatError, InvalidArgumentError
from nearly.base.files import replacing
from nearly.base.progress import silent
from nearly.graph.io.npz import read_more, write_arrays

State = dict[str, Any]
_STORED = {"b": np.uint32, "u": np.uint64, "i": np.int64, "f": np.float64}  # types that files hold, by kind
_PLAIN = ("<u4", "<u8", "<i8", "<f4", "<f8")
_SECONDS = 30.0


class Kept(Protocol):
    """What has a state between its steps."""

    def keep(self) -> State | None:
        """Arrays and numbers by name; None where this is no moment to stop."""

    def take(self, state: State) -> None:
        """Go on from what `keep` returned."""


class Checkpoint:
    """The file, and when it is due.

    Parameters
    ----------
    path : str or os.PathLike
        The file.
    question : Any
        All that decides the answer, as `repr` says it.
    """

    def __init__(self, path: Any, *question: Any) -> None:
        from nearly import __version__

        self.path = path_name("checkpoint", path)
        self.digest = hashlib.sha256(repr((__version__, question)).encode()).hexdigest()
        told = os.environ.get("NEARLY_CHECKPOINT", "")
        self.every = number("NEARLY_CHECKPOINT", _as_number(told), 0) if told else _SECONDS
        self._last = time.monotonic()

    def found(self) -> State | None:
        """The state that was written for this question; None where there is none."""
        if not os.path.lexists(self.path):
            return None
        more = read_more(self.path, lambda meta: {name: _count(shape) for name, (_, shape) in meta["arrays"].items()})
        meta = more.meta if isinstance(more.meta, dict) else {}
        if meta.get("digest") != self.digest:
            raise InvalidArgumentError(
                f"{self.path} is a checkpoint of another question, or of another version, or none at all; remove it "
                "or name another file"
            )
        try:
            state = dict(meta["numbers"])
            for name, (kind, shape) in meta["arrays"].items():
                state[name] = np.array(more.arrays[name], np.dtype(kind)).reshape(shape)
        except (KeyError, TypeError, ValueError):
            raise GraphFormatError(self.path, None, None, "the checkpoint is damaged; remove it") from None
        return state

    def note(self, kept: Kept) -> None:
        """Write the state if that is due."""
        if time.monotonic() - self._last >= self.every:
            state = kept.keep()
            if state is not None:
                self.write(state)

    def write(self, state: State) -> None:
        """Write the state; the file is the old one or this one, whole."""
        arrays = {name: value for name, value in state.items() if isinstance(value, np.ndarray)}
        numbers = {name: value for name, value in state.items() if name not in arrays}
        said = {name: [array.dtype.str, list(array.shape)] for name, array in arrays.items()}
        meta = {"digest": self.digest, "numbers": json.loads(json.dumps(numbers)), "arrays": said}
        flat = {name: _stored(array) for name, array in arrays.items()}
        try:
            with replacing(self.path) as file:
                write_arrays(file, {"format": "nearly checkpoint", "more": meta}, flat, silent)
        except OSError as error:
            why = f"cannot write the checkpoint {self.path}: {error.strerror or error}; choose another place"
            raise FileAccessError(error.errno, why) from None
        self._last = time.monotonic()

    def remove(self) -> None:
        """The work is done."""
        with suppress(OSError):
            os.unlink(self.path)


def _as_number(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text


def _count(shape: list[int]) -> int:
    return int(np.prod(shape, dtype=np.int64))


def _stored(array: np.ndarray) -> np.ndarray:
    """The array in one row, in a type that files hold."""
    flat = np.ascontiguousarray(array).ravel()
    return flat if flat.dtype.str in _PLAIN else flat.astype(_STORED[flat.dtype.kind])


def checkpoint_of(run: Any, path: Any, **arguments: Any) -> Checkpoint | None:
    """The checkpoint of a run of an algorithm, where its caller names a file."""
    if path is None:
        return None
    if run.applied or run.device != "cpu" or run.policy != "auto" or run.deadline is not None or run.max_error:
        raise InvalidArgumentError(
            "checkpoint= needs an exact run: policy='auto', device='cpu', no techniques and no budget; leave these out"
        )
    asked = sorted(arguments.items())
    return Checkpoint(path, run.name, run.given.fingerprint, run.seed, run.max_rounds, [_said(one) for one in asked])


def _said(item: tuple[str, Any]) -> tuple[str, Any]:
    name, value = item
    if isinstance(value, np.ndarray):
        return name, (value.dtype.str, value.shape, hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest())
    return name, value
