"""The counts of a campaign, part by part: kept in a file while it runs, added up, printed as a table.

A file holds one run. It is written to a name beside it and moved into place, so that it is whole at any moment.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

KINDS = ("graphs", "files", "calls", "answers", "compared", "refused", "answered", "kills")
BAD = ("failed", "crashed", "hung")
Number = float  # counts, and seconds


class Tally:
    """The counts of every part of one run."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.parts: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def after(self, part: str, counts: Mapping[str, Number]) -> None:
        """Add what a process has counted."""
        self.parts[part].update(counts)  # type: ignore[arg-type]
        self._keep(self.parts)

    def during(self, part: str, counts: Mapping[str, Number]) -> None:
        """What a process has counted so far, for the file alone."""
        self._keep({**self.parts, part: self.parts[part] + Counter(counts)})  # type: ignore[arg-type]

    def _keep(self, parts: Mapping[str, Counter[str]]) -> None:
        if self.path:
            new = self.path.with_suffix(".new")
            new.write_text(json.dumps(parts, indent=1))
            new.replace(self.path)


def added(files: Iterable[str]) -> Tally:
    """The sums of some runs."""
    total = Tally()
    for file in files:
        for part, counts in json.loads(Path(file).read_text()).items():
            total.after(part, counts)
    return total


def table(tally: Tally, title: str) -> str:
    """A table in Markdown."""
    shown = ("cases", *KINDS, *BAD, "seconds")
    rows = [[part, *(f"{round(own[kind]):,}" for kind in shown)] for part, own in tally.parts.items()]
    head = ["part", *shown[:-1], "processor s"]
    lines = [" | ".join(row) for row in (head, ["---"] * len(head), *rows)]
    return "\n".join([f"## {title}", "", *(f"| {line} |" for line in lines), ""])
