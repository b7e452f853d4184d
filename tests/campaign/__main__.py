"""Runs the campaign: `python -m tests.campaign --minutes 60`, or one case again: `--part files --case 123`.

Each part runs in a process of its own, one after the other, for its share of the time. Cases are numbered from
`--seed` times a million on. A process tells before each case which it is; one that dies or does not come back is
counted as a crash or a hang of that case, and another goes on behind it. At the end the counts are printed as a table
in Markdown, which `--record` hands to benchmarks/record.py.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
EVERY = 10**6  # cases that a seed has for itself
HANG = 300.0  # seconds without a new case
KINDS = ("graphs", "files", "calls", "answers", "compared", "refused", "answered")


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaign", description=__doc__)
    parser.add_argument("--minutes", type=float, default=3.0, help="for all parts together")
    parser.add_argument("--seed", type=int, default=0, help="which cases; another seed has others")
    parser.add_argument("--part", action="append", help="only this one; may be given again")
    parser.add_argument("--case", type=int, help="one case of one part, by its number")
    parser.add_argument("--cases", type=int, help="at most so many cases of each part")
    parser.add_argument("--record", action="store_true", help="add the counts to benchmarks/data/campaign.json")
    parser.add_argument("--work", metavar="FILE", help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.case is not None:
        return _again(told.part[0], told.case)
    if told.work:
        return _work(told.part[0], told.seed, told.minutes * 60, told.cases, Path(told.work))
    from tests.campaign.parts import PARTS

    parts = told.part or list(PARTS)
    counts = {part: _supervised(part, told, told.minutes * 60 / len(parts)) for part in parts}
    table = _table(counts, told.seed)
    print(table)
    if told.record:
        command = [sys.executable, str(ROOT / "benchmarks" / "record.py"), "campaign"]
        subprocess.run(command, input=table, text=True, check=True)
    return 1 if any(counts[part][bad] for part in parts for bad in ("failed", "crashed", "hung")) else 0


def _again(part: str, case: int) -> int:
    from tests.campaign.parts import PARTS

    print(PARTS[part](case))
    return 0


def _work(part: str, first: int, seconds: float, cases: int | None, state: Path) -> int:
    """In the process of a part: cases from `first` on; after each, the state tells the next and the counts."""
    from tests.campaign.parts import PARTS

    from nearly.base.threads import current

    current.small_in_parallel = True  # two threads where a case asks for them
    check, counts, number, begin = PARTS[part], Counter[str](), first, time.process_time()
    with open(state, "r+b", buffering=0) as file:
        while time.process_time() - begin < seconds and (cases is None or number < first + cases):
            os.pwrite(file.fileno(), json.dumps([number, counts]).ljust(400).encode(), 0)
            try:
                counts.update(check(number))
            except Exception:
                counts["failed"] += 1
                print(f"FAILED: python -m tests.campaign --part {part} --case {number}", flush=True)
                print(traceback.format_exc(limit=-4), flush=True)
            number += 1
            counts["cases"] += 1
        os.pwrite(file.fileno(), json.dumps([number, counts, "done"]).ljust(400).encode(), 0)
    return 0


def _supervised(part: str, told: argparse.Namespace, seconds: float) -> Counter[str]:
    """The counts of one part, whatever its process does."""
    total, number, begin = Counter[str](), told.seed * EVERY, time.monotonic()
    last = number + (told.cases if told.cases is not None else EVERY)
    while number < last and total["seconds"] < seconds:
        with tempfile.NamedTemporaryFile() as state:
            state.write(b" " * 400)
            state.flush()
            left = seconds - total["seconds"]
            command = [sys.executable, "-m", "tests.campaign", "--part", part, "--seed", str(number)]
            command += ["--minutes", str(left / 60), "--work", state.name, "--cases", str(last - number)]
            since = os.times()
            how = _watched(subprocess.Popen(command, cwd=ROOT), Path(state.name))
            now = os.times()
            number, counts, *done = json.loads(Path(state.name).read_text().strip() or f"[{number}, {{}}]")
            total.update(counts)
            total["seconds"] += int(
                now.children_user + now.children_system - since.children_user - since.children_system
            )
            if done:
                break
            total[how] += 1
            print(f"{how.upper()}: python -m tests.campaign --part {part} --case {number}", flush=True)
            number += 1
    total["minutes"] = round((time.monotonic() - begin) / 60)
    return total


def _watched(process: subprocess.Popen[bytes], state: Path) -> str:
    """Wait for the process; what it was if it did not end by itself."""
    before, since = b"", time.monotonic()
    while process.poll() is None:
        time.sleep(0.2)
        now = state.read_bytes()
        if now != before:
            before, since = now, time.monotonic()
        elif time.monotonic() - since > HANG:
            process.kill()
            process.wait()
            return "hung"
    return "crashed"


def _table(counts: dict[str, Counter[str]], seed: int) -> str:
    head = ["part", "cases", *KINDS, "failed", "crashed", "hung", "processor s"]
    rows = [
        [part, *(f"{own[kind]:,}" for kind in ("cases", *KINDS, "failed", "crashed", "hung", "seconds"))]
        for part, own in counts.items()
    ]
    lines = [" | ".join(row) for row in (head, ["---"] * len(head), *rows)]
    return "\n".join([f"## Seed {seed}", "", *(f"| {line} |" for line in lines), ""])


if __name__ == "__main__":
    sys.exit(main())
