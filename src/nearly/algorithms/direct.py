"""What algorithms with a specialised kernel share: when it serves, and how its phases reach the trace.

The fastest exact method is sometimes not made of rounds (filter-Kruskal, Pearce's components, Afforest). It
serves the policy `auto`, unless the caller limits rounds or applies techniques: those act between
rounds, so the round form runs instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nearly.engine.enact import Did, Run, enact


def is_direct(run: Run) -> bool:
    """Whether the specialised kernel answers this run."""
    return run.policy == "auto" and run.max_rounds is None and not run.techniques


def enact_phases(run: Run, phases: Iterator[Did]) -> None:
    """Work through a generator that does one phase of the work before each `Did` it yields; a row of the trace each."""

    def step() -> Iterable[Did] | None:
        did = next(phases, None)
        return None if did is None else [did]

    enact(run, step)
