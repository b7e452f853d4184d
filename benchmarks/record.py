"""From Markdown tables to `data/<topic>.json`, with the conditions under which they were measured.

`python benchmarks/run.py PART --record` does it for what `run.py` measures. For a paper:
`nearly reproduce graprox FILE --markdown | python benchmarks/record.py graprox`. Then `make results` makes the pages.

Why Markdown is read back: it is what all measuring scripts and `nearly reproduce` print, so one reader serves them
all, and what is recorded is what was seen. A table takes the place of the one with the same title; the topic's text,
its claims and its other tables stay as they are. What stays is listed, because it may be out of date.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import os
import platform
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from figures import DATA, Number, Table, Topic, cell_text, load, save

PEERS = ("networkit", "igraph", "scipy", "rustworkx", "polars", "triangle", "meshpy", "networkx")
NUMBER = re.compile(r"[+-]?\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?")
UNITS = re.compile(r"[\sx%(),/]|\b(?:s|ms|ns|GiB|to)\b")  # what may stand around the numbers of a cell


def read_tables(text: str) -> list[Table]:
    """The tables of a Markdown text, each with the heading above it and the paragraphs around it."""
    tables: list[Table] = []
    for section in re.split(r"^#+ ", text, flags=re.MULTILINE)[1:]:
        title, _, body = section.partition("\n")
        tables.append({"title": title.strip()})
        for block in filter(None, (block.strip() for block in re.split(r"\n\s*\n", body))):
            if not block.startswith("|"):
                tables[-1].setdefault("notes" if "rows" in tables[-1] else "text", []).append(" ".join(block.split()))
                continue
            if "rows" in tables[-1]:  # a second table under one heading
                tables.append({"title": f"{title.strip()}, continued"})
            tables[-1] |= _cells(block)
    return [{"title": table["title"], "columns": [], "rows": [], **table} for table in tables if len(table) > 1]


def _cells(block: str) -> Table:
    head, _, *body = [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()]
    formats, columns = {}, []
    for k, name in enumerate(head):
        template, cells = _column([row[k] if k < len(row) else "-" for row in body])
        columns.append(cells)
        if template != "{}":
            formats[name] = template
    table: Table = {"columns": head, "rows": [list(row) for row in zip(*columns)]}
    return {**table, "formats": formats} if formats else table


def _column(texts: list[str]) -> tuple[str, list[Any]]:
    """How most cells of a column are written, and the cells: numbers where they are written so, else text."""
    seen = Counter(template for template in map(_template, texts) if template)
    template = seen.most_common(1)[0][0] if seen else "{}"
    alike = [text for text in texts if _template(text) == template]
    plus, comma = any(text.startswith("+") for text in alike), any(re.search(r"\d,\d{3}", text) for text in alike)
    signs = "+" * plus + "," * comma
    printed = template.replace("{}", f"{{:{signs}}}") if signs else template
    cells: list[Any] = []
    for text in texts:
        cell: Any = None if text == "-" else text
        if cell and _template(text) == template:
            numbers = [_number(digits) for digits in NUMBER.findall(text)]
            cell = numbers[0] if len(numbers) == 1 else numbers
            cell = cell if cell_text(cell, printed) == text else text
        cells.append(cell)
    return printed, cells


def _template(text: str) -> str:
    """The cell with {} for each number; empty where words stand beside the numbers."""
    template = NUMBER.sub("{}", text)
    odd = "{}" not in template or "{}{}" in template or UNITS.sub("", template.replace("{}", ""))
    return "" if odd else template


def _number(digits: str) -> int | Number:
    plain = digits.replace(",", "").lstrip("+")
    return int(plain) if plain.lstrip("-").isdigit() and plain != "-0" else Number(plain)


def conditions() -> dict[str, Any]:
    """Date, commit, load, threads and versions of now; to be asked for before measuring begins."""
    import nearly

    versions = {"nearly": nearly.__version__, "Python": platform.python_version()}
    for name in ("numba", "numpy", *PEERS):
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    now: dict[str, Any] = {"date": datetime.date.today().isoformat(), "commit": _git("rev-parse", "--short=7", "HEAD")}
    if _git("status", "--porcelain", "--untracked-files=no", "--", "../src", "*.py"):
        now["changed"] = True  # the code measured is not quite that of the commit
    if now["commit"] is None:
        now["source"] = f"nearly {nearly.__version__}, not under git"
    load = f"load {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else "load not known"
    return {**now, "load": load, "threads": nearly.get_threads(), "machine": _machine(), "versions": versions}


def _git(*command: str) -> str | None:
    try:
        done = subprocess.run(["git", *command], cwd=Path(__file__).parent, capture_output=True, text=True)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _machine() -> str:
    cores = f"{os.cpu_count()} cores"
    try:
        model = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())
    except OSError:
        model = None
    return f"{cores}, {model[1].strip() if model else platform.machine()}"


def record(name: str, text: str, when: dict[str, Any], folder: Path = DATA) -> Path:
    """Put the tables of a Markdown text into the file of a topic, in place of those with the same titles."""
    path = folder / f"{name}.json"
    topic: Topic = load(path) if path.exists() else {"topic": name, "title": name, "recorded": when, "conditions": ""}
    new = {table["title"]: {"title": table["title"], "recorded": when, **table} for table in read_tables(text)}
    kept = []
    for table in topic.get("tables", []):
        if table["title"] in new:
            kept.append(new.pop(table["title"]))
        elif table.get("replaced_by") not in new:
            kept.append(table)
    topic["tables"] = kept + list(new.values())
    save(topic, path)
    old = [table["title"] for table in kept if table.get("recorded") != when]
    said = [claim["what"] for claim in topic.get("claims", []) if "cell" not in claim]
    print(f"recorded in {path.name}")
    for what, names in (("tables kept from before", old), ("claims in words, to be looked at again", said)):
        if names:
            print(f"  {what}: {'; '.join(names)}")
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("topic", help="the name of the data file")
    parser.add_argument(
        "file", nargs="?", type=Path, help="Markdown tables measured just now; standard input if not given"
    )
    parser.add_argument("--folder", type=Path, default=DATA, help="where the data lie")
    options = parser.parse_args()
    when = conditions()
    text = options.file.read_text(encoding="utf-8") if options.file else sys.stdin.read()
    record(options.topic, text, when, options.folder)


if __name__ == "__main__":
    main()
