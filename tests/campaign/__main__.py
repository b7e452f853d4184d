"""Runs the campaign: `python -m tests.campaign --minutes 60`, or one case again: `--part files --case 123`.

Each part runs in a process of its own, in turns of some minutes. Cases are numbered from `--seed` times a billion on. A
process tells before each case which it is; one that dies or does not come back is counted as a crash or a hang of that
case, and another goes on behind it. At the end the counts are printed as a table in Markdown, which `--record` hands
to benchmarks/record.py. With `--counts FILE` they are written to a file while the campaign runs, so that a run may be
stopped at any moment; `--sum FILE...` adds such files up.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import traceback
from collections import Counter
from pathlib import Path

from tests.campaign.counts import Tally, added, table
from tests.campaign.turns import ROOT, State, turn

EVERY = 10**9  # cases that a seed has for itself
TURN = 120.0  # seconds of processor time that a part has before it is the turn of the next


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaign", description=__doc__)
    parser.add_argument("--minutes", type=float, default=3.0, help="of processor time, for all parts together")
    parser.add_argument("--seed", type=int, default=0, help="which cases; another seed has others")
    parser.add_argument("--part", action="append", help="only this one; may be given again")
    parser.add_argument("--case", type=int, help="one case of one part, by its number")
    parser.add_argument("--cases", type=int, help="at most so many cases of each part")
    parser.add_argument("--counts", metavar="FILE", help="keep the counts in this file while the campaign runs")
    parser.add_argument("--sum", metavar="FILE", nargs="+", help="no cases: add up what `--counts` has kept")
    parser.add_argument("--record", action="store_true", help="put the table into benchmarks/data/campaign.json")
    parser.add_argument("--work", metavar="FILE", help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.case is not None:
        return _again(told.part[0], told.case)
    if told.work:
        return _work(told.part[0], told.seed, told.minutes * 60, told.cases, Path(told.work))
    tally, title = (added(told.sum), "All runs") if told.sum else (_run(told), f"Seed {told.seed}")
    print(table(tally, title))
    if told.record:
        command = [sys.executable, str(ROOT / "benchmarks" / "record.py"), "campaign"]
        subprocess.run(command, input=table(tally, title), text=True, check=True)
    return 1 if any(own[bad] for own in tally.parts.values() for bad in ("failed", "crashed", "hung")) else 0


def _run(told: argparse.Namespace) -> Tally:
    """All parts in turns, until the time is over or there are no more cases."""
    from tests.campaign.parts import PARTS

    parts = told.part or list(PARTS)
    share = told.minutes * 60 / len(parts)
    tally = Tally(Path(told.counts) if told.counts else None)
    next_case = dict.fromkeys(parts, told.seed * EVERY)
    last = told.seed * EVERY + (EVERY if told.cases is None else told.cases)
    while parts:
        for part in parts:
            seconds = min(TURN, share - tally.parts[part]["seconds"])
            next_case[part] = turn(part, next_case[part], last, seconds, tally)
        parts = [part for part in parts if tally.parts[part]["seconds"] < share - 0.5 and next_case[part] < last]
    return tally


def _again(part: str, case: int) -> int:
    from tests.campaign.parts import PARTS

    print(PARTS[part](case))
    return 0


def _work(part: str, first: int, seconds: float, cases: int, path: Path) -> int:
    """In the process of a part: cases from `first` on; after each, the state tells the next and the counts."""
    from tests.campaign.parts import PARTS

    from nearly.base.threads import current

    current.small_in_parallel = True  # two threads where a case asks for them
    check, counts, state = PARTS[part], Counter[str](), State(path)
    for number in range(first, first + cases):
        if state.seconds() > seconds:
            break
        state.tell(number, counts)
        try:
            counts.update(check(number))
        except Exception:
            counts["failed"] += 1
            print(f"FAILED: python -m tests.campaign --part {part} --case {number}", flush=True)
            print(traceback.format_exc(limit=-4), flush=True)
        counts["cases"] += 1
    else:
        number = first + cases
    state.tell(number, counts, done=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
