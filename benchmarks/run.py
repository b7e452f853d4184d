"""`python benchmarks/run.py [PART ...]`: run the named parts (default: io and algorithms) and print Markdown tables.

Parts are the files `part_*.py` beside this one; each has `run(options) -> str`. With `--record` the tables also go to
the file of their topic, data/PART.json, with the conditions of the run (see `record`); `make results` then makes the
pages.
"""

from __future__ import annotations

import argparse
import importlib
import platform
import sys
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))


def main() -> None:
    parts = sorted(path.stem.removeprefix("part_").replace("_", "-") for path in HERE.glob("part_*.py"))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*parts, []], help=f"any of {', '.join(parts)}")
    parser.add_argument("--scale", type=int, default=20, help="size of the generated graphs (2**scale vertices)")
    parser.add_argument("--data", type=Path, help="a folder of real graphs to measure as well")
    parser.add_argument("--gap", type=Path, metavar="FOLDER", help="the folder of GAP's programs, built (part gap)")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--only", default="", help="only rows whose name contains this")
    parser.add_argument("--record", action="store_true", help="put the tables into the files of recorded figures")
    parser.add_argument("--record-into", type=Path, metavar="FOLDER", help="record in this folder instead of data")
    options = parser.parse_args()
    whole = [part for part in options.parts if not getattr(_module(part), "PIECES", False)]
    if options.record and options.only and not options.record_into and whole:
        parser.error("--record replaces whole tables, --only measures parts of them: give --record-into as well")
    import numba
    from figures import DATA
    from record import conditions, record

    import nearly

    versions = f"nearly {nearly.__version__}, numba {numba.__version__}, Python {platform.python_version()}"
    print(f"{versions}, {nearly.get_threads()} threads\n")
    for part in options.parts or [p for p in ("io", "algorithms") if p in parts]:
        when = conditions()
        text = _module(part).run(options)
        print(text, flush=True)
        if options.record or options.record_into:
            record(part, text, when, options.record_into or DATA)


def _module(part: str) -> ModuleType:
    return importlib.import_module(f"part_{part.replace('-', '_')}")


if __name__ == "__main__":
    main()
