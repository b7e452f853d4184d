"""A turn of one part: a process that works on cases, watched by one that survives whatever happens to it.

The two share a page of memory (a mapped file), to which the worker writes the number of its case and its counts before
each case: thousands of cases a second cost no system calls. A worker that writes nothing for long hangs; the time is
counted in looks of the watcher, so that a campaign that is stopped and continued does not take that for a hang.
"""

from __future__ import annotations

import json
import mmap
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.campaign.counts import Tally

ROOT = Path(__file__).resolve().parent.parent.parent
LOOK = 0.2  # seconds
HANG = float(os.environ.get("CAMPAIGN_HANG", 300))  # seconds without a new case
SIZE = 4096
KEPT = 50  # looks between two times that the counts are written to their file


class State:
    """What a worker tells, as JSON with its length before it."""

    def __init__(self, path: Path) -> None:
        with open(path, "r+b") as file:
            self.page = mmap.mmap(file.fileno(), SIZE)

    def tell(self, number: int, counts: Counter[str], done: bool = False) -> None:
        """Cases before this one are counted."""
        text = json.dumps([number, self.seconds(), counts, done]).encode()
        self.page[4 : 4 + len(text)] = text
        self.page[:4] = len(text).to_bytes(4, "little")

    def told(self, first: int) -> tuple[int, float, dict[str, int], bool]:
        """The case, the seconds of processor time, the counts, and whether all is done."""
        while True:
            length = int.from_bytes(self.page[:4], "little")
            try:
                told: tuple[int, float, dict[str, int], bool] = (
                    json.loads(self.page[4 : 4 + length]) if length else (first, 0.0, {}, False)
                )
            except ValueError:  # seen while it was written
                time.sleep(0.01)
                continue
            return told

    @staticmethod
    def seconds() -> float:
        """Processor time of this process and of its children."""
        return sum(os.times()[:4])


def turn(part: str, first: int, last: int, seconds: float, tally: Tally) -> int:
    """Cases of a part from `first` on, for some seconds of processor time; the case to go on with."""
    number, begin = first, time.monotonic()
    left = seconds
    while number < last and left > 0:
        with tempfile.NamedTemporaryFile() as file:
            file.truncate(SIZE)
            state = State(Path(file.name))
            command = [sys.executable, "-m", "tests.campaign", "--part", part, "--seed", str(number)]
            command += ["--minutes", str(left / 60), "--work", file.name, "--cases", str(last - number)]
            how = _watched(subprocess.Popen(command, cwd=ROOT), state, lambda told: tally.during(part, told), number)
            number, spent, counts, done = state.told(number)
            tally.after(part, {**counts, "seconds": spent})
            left -= spent
            if done:
                break
            tally.after(part, {how: 1})
            print(f"{how.upper()}: python -m tests.campaign --part {part} --case {number}", flush=True)
            number += 1
    tally.after(part, {"minutes": round((time.monotonic() - begin) / 60, 2)})
    return number


def _watched(process: subprocess.Popen[bytes], state: State, keep: Any, first: int) -> str:
    """Wait for the process; what it was if it did not end by itself."""
    before, quiet, looks = first, 0, 0
    while process.poll() is None:
        time.sleep(LOOK)
        looks += 1
        number, spent, counts, _ = state.told(first)
        quiet = 0 if number != before else quiet + 1
        before = number
        if looks % KEPT == 0:
            keep({**counts, "seconds": spent})
        if quiet * LOOK > HANG:
            process.kill()
            process.wait()
            return "hung"
    return "crashed"
