"""How every benchmark measures: contestants in one process, interleaved, median of several runs, first call apart.

A contestant is a function without arguments. A peer that is not installed, or fails, is left out of the
table with its reason. A call that may take very long and cannot be interrupted is first tried in a process of its own,
which is ended after a limit (`ends_within`). Ratios are against `nearly`: 3.0x beside a peer means the peer took three
times as long.
"""

from __future__ import annotations

import multiprocessing
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

US = "nearly"

SETTLING = 0.02  # seconds that threads of OpenMP spin, at most


@dataclass
class Row:
    """One line of a table: what was measured, and seconds per contestant."""

    what: str
    seconds: dict[str, float] = field(default_factory=dict)
    first: dict[str, float] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    over: dict[str, float] = field(default_factory=dict)  # seconds after which a contestant was given up

    def ratio(self, peer: str) -> float:
        return self.seconds[peer] / self.seconds[US]

    @property
    def best_peer(self) -> float | None:
        """How many times slower than `nearly` the fastest peer is."""
        ratios = [self.ratio(peer) for peer in self.seconds if peer != US]
        return min(ratios) if ratios and US in self.seconds else None


def measure(
    what: str,
    contestants: dict[str, Callable[[], Any]],
    repeat: int = 5,
    limit: float = 60.0,
    over: dict[str, float] | None = None,
) -> Row:
    """Time each contestant `repeat` times in turn; a peer whose first call takes over `limit` seconds runs only once.

    A turn of short calls begins with some that are not counted: threads of the contestant before may still spin.
    `over` tells of contestants that were given up before, and after how many seconds.
    """
    row = Row(what, over=over or {})
    runs: dict[str, list[float]] = {}
    for name, call in contestants.items():
        since = time.perf_counter()
        try:
            call()
        except Exception as error:  # a peer's failure is a fact for the table, not a reason to stop
            if name == US:
                raise
            row.failed[name] = f"{type(error).__name__}: {error}"
            continue
        row.first[name] = time.perf_counter() - since
        runs[name] = [row.first[name]] if row.first[name] > limit and name != US else []
    for _ in range(repeat):
        for name, taken in runs.items():
            if row.first[name] <= limit or name == US:  # our first call may compile
                if min(taken, default=row.first[name]) < SETTLING:
                    settle(contestants[name])
                since = time.perf_counter()
                contestants[name]()
                taken.append(time.perf_counter() - since)
    row.seconds = {name: statistics.median(taken) for name, taken in runs.items()}
    print(line(row), flush=True)
    return row


def settle(call: Callable[[], Any]) -> None:
    """Call a short one as often as it takes for the threads of others to fall asleep."""
    begin = time.perf_counter()
    while time.perf_counter() - begin < SETTLING:
        call()


def ends_within(seconds: float, call: Callable[..., Any], *arguments: Any) -> bool:
    """Whether a call, of a function that a new process can import, comes to its end in so many seconds."""
    trial = multiprocessing.get_context("spawn").Process(target=call, args=arguments, daemon=True)
    trial.start()
    trial.join(seconds)
    ended = not trial.is_alive()
    if not ended:
        trial.kill()
        trial.join()
    return ended


def line(row: Row) -> str:
    shown = [
        f"{name} {seconds:.4f}s" + ("" if name == US or US not in row.seconds else f" ({row.ratio(name):.1f}x)")
        for name, seconds in row.seconds.items()
    ]
    left_out = row.failed | {name: f"over {seconds:.0f} s" for name, seconds in row.over.items()}
    return f"{row.what:<34} " + "  ".join(shown) + "".join(f"  [{name}: {why[:60]}]" for name, why in left_out.items())


def table(title: str, rows: list[Row]) -> str:
    """A Markdown table: seconds of `nearly`, its first call, and each peer as seconds and ratio."""
    peers = sorted({peer for row in rows for peer in (*row.seconds, *row.over)} - {US})
    head = (
        f"### {title}\n\n| | {US} (s) | first call (s) | "
        + " | ".join(peers)
        + " |\n"
        + "|---" * (3 + len(peers))
        + "|\n"
    )
    body = ""
    for row in rows:
        left_out = {name: f"over {seconds:.0f}" for name, seconds in row.over.items()}
        shown = {name: f"{seconds:.4g} ({row.ratio(name):.1f}x)" for name, seconds in row.seconds.items()}
        cells = [(left_out | shown).get(peer, "-") for peer in peers]
        body += f"| {row.what} | {row.seconds[US]:.4g} | {row.first[US]:.2f} | " + " | ".join(cells) + " |\n"
    ratios = [row.best_peer for row in rows if row.best_peer is not None]
    if ratios:
        mean, slower = statistics.geometric_mean(ratios), sum(r < 1 for r in ratios)
        body += f"\nGeometric mean over each row's best peer: {mean:.2f}x; slower in {slower} of {len(ratios)} rows.\n"
    return head + body
