"""What parts keep of a run on disk, so that it can go on after workers were lost.

After every `every` rounds, or the next at which its state is complete, each part writes its state to a file of its own,
`part-00003.round-00020.npz`. Parts are never more than one round apart, so of the last two checkpoints one is complete;
older ones are removed. `sign` tells the question and the graph apart from others: a file with another sign is not
taken.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nearly.base.files import replacing

_NAME = re.compile(r"part-(\d+)\.round-(\d+)\.npz")


@dataclass(frozen=True)
class Checkpoint:
    """A folder that all workers reach, how often it is written to, and the sign of the run."""

    folder: str
    every: int
    sign: str

    def path(self, part: int, number: int) -> Path:
        return Path(self.folder) / f"part-{part:05d}.round-{number:05d}.npz"

    def write(self, part: int, number: int, state: dict[str, Any]) -> None:
        """Keep the state of a part, and of those before it the last."""
        Path(self.folder).mkdir(parents=True, exist_ok=True)
        with replacing(self.path(part, number), durable=False) as file:
            np.savez(file, sign=np.array(self.sign), **{f"state-{key}": value for key, value in state.items()})
        for old in self._there(part)[:-2]:
            self.path(part, old).unlink(missing_ok=True)

    def read(self, part: int, number: int) -> dict[str, np.ndarray]:
        """The state of a part after so many rounds."""
        with np.load(self.path(part, number), allow_pickle=False) as file:
            return {key.removeprefix("state-"): file[key] for key in file.files if key.startswith("state-")}

    def rounds(self, part: int) -> list[int]:
        """The rounds of which the state of a part is there."""
        return [number for number in self._there(part) if self._signed(self.path(part, number))]

    def remove(self, part: int) -> None:
        """Remove what was kept of a part."""
        for number in self._there(part):
            self.path(part, number).unlink(missing_ok=True)

    def _there(self, part: int) -> list[int]:
        found = [_NAME.fullmatch(path.name) for path in Path(self.folder).glob(f"part-{part:05d}.round-*.npz")]
        return sorted(int(match[2]) for match in found if match)

    def _signed(self, path: Path) -> bool:
        try:
            with np.load(path, allow_pickle=False) as file:
                return str(file["sign"]) == self.sign
        except (OSError, ValueError, KeyError):
            return False


def sign_of(*what: Any) -> str:
    """A short text that differs where anything of these does."""
    return hashlib.sha256(repr(what).encode()).hexdigest()[:32]
