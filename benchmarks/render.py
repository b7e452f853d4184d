"""`make results`: RESULTS.md and results/<topic>.md, made from data/*.json.

RESULTS.md has one row for each claim of each topic: first what was missed, was slower or is doubtful, then what holds.
A claim (an entry of a topic's `claims`) is of one of two kinds:

- counted: `cell` names a cell of a table (`table`, `row`: the first cells of its row or what they begin with, `column`,
  `part` of a cell of several numbers), and `at_least` or `at_most` is the target. Figure, verdict, date and commit
  follow from the table, so they change with it when it is recorded again;
- in words: `figure`, `target` and `verdict` as written, with the topic's `recorded` or one of its own.

A claim marked `page_only` stands on the page of its topic, but not in RESULTS.md.

Pages say under every table when and at which commit it was recorded. A table has one commit: figures of two versions
stand in two tables.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from figures import DATA, Table, Topic, cell_text, load_all, recorded, table_text

HERE = Path(__file__).resolve().parent
WIDTH = 120
HOLDS = "holds"
ORDER = ("missed", "slower", "doubtful", HOLDS)

HEAD = """
This page and those in [results](results) are made by `make results` from [data](data): change the data, not the pages.

**How it was measured.** Unless a page says otherwise: 2 cores of an AMD EPYC (32 MiB third-level cache), 24 GiB,
Python 3.11, numba 0.68, two threads. All contestants of a row run in turns in one process; a figure is the median of
several runs (mostly 5), with the first call, which compiles, left out. Each library has built its own graph before the
clock starts. The machine is shared: `quiet` means that nothing else was running; otherwise the load is told where it is
known. Read ratios rather than seconds: `3.0x` beside another library means that it took three times as long as
`nearly`. The commit is that of the code measured; of figures older than the data files it is the one that wrote them
down.

**How to measure again.** `pip install '.[bench]'`, then `python benchmarks/run.py PART [--scale N] [--data FOLDER]
--record`, with PART one of {parts}. For papers: `nearly reproduce PAPER --markdown | python benchmarks/record.py
PAPER`. Then `make results`.
"""
PARTS = ", ".join(f"`{path.stem.removeprefix('part_').replace('_', '-')}`" for path in sorted(HERE.glob("part_*.py")))


class Claim(NamedTuple):
    """A row of the summary."""

    verdict: str
    what: str
    figure: str
    target: str
    when: dict[str, Any]
    conditions: str
    topic: Topic


def main() -> None:
    for path, text in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for path in set((HERE / "results").glob("*.md")) - set(pages()):
        path.unlink()


def pages(data: Path = DATA, into: Path = HERE) -> dict[Path, str]:
    """The text of every page by its path."""
    topics = load_all(data)
    made = {into / "results" / f"{name}.md": page(topic) for name, topic in topics.items()}
    return {into / "RESULTS.md": summary(list(topics.values())), **made}


def summary(topics: list[Topic]) -> str:
    claims = [claim for topic in topics for claim in claims_of(topic, pages_too=False)]
    claims.sort(key=lambda claim: ORDER.index(claim.verdict))
    missed = [claim for claim in claims if claim.verdict != HOLDS]
    held = [claim for claim in claims if claim.verdict == HOLDS]
    head = HEAD.replace("{parts}", PARTS).strip().split("\n\n")
    blocks = ["# Results", *(wrapped(" ".join(paragraph.split())) for paragraph in head)]
    blocks += ["## Missed, slower or doubtful", claims_table(missed, linked=True)]
    return "\n\n".join([*blocks, "## What holds", claims_table(held, linked=True)]) + "\n"


def claims_of(topic: Topic, pages_too: bool = True) -> Iterator[Claim]:
    for entry in topic.get("claims", []):
        if entry.get("page_only") and not pages_too:
            continue
        if "cell" in entry:
            yield counted(topic, entry)
        else:
            when = recorded(topic, entry)
            said = entry["verdict"], entry["what"], entry["figure"], entry.get("target", "-")
            yield Claim(*said, when, entry.get("conditions", when["load"]), topic)


def counted(topic: Topic, entry: dict[str, Any]) -> Claim:
    """A claim whose figure stands in a table."""
    unit, least = entry.get("unit", ""), "at_least" in entry
    bound = entry["at_least" if least else "at_most"]
    target = f"at {'least' if least else 'most'} {cell_text(bound)}{unit}"
    table, value = find(topic, **entry["cell"])
    when = recorded(topic, table or {})
    if not isinstance(value, int | float):
        return Claim("doubtful", entry["what"], "not measured", target, when, when["load"], topic)
    verdict = HOLDS if (value >= bound if least else value <= bound) else "missed"
    return Claim(verdict, entry["what"], f"{cell_text(value)}{unit}", target, when, when["load"], topic)


def find(topic: Topic, table: str, row: list[Any], column: str, part: int = 0) -> tuple[Table | None, Any]:
    """A table by its title, and the number in one of its cells; None where there is none."""
    for each in topic["tables"]:
        if each["title"] == table:
            rows = [cells for cells in each["rows"] if all(map(matches, cells, row))]
            if not rows or column not in each["columns"]:
                return each, None
            cell = rows[0][each["columns"].index(column)]
            return each, cell[part] if isinstance(cell, list) else cell
    return None, None


def matches(cell: Any, wanted: Any) -> bool:
    """Whether a cell is the wanted one; of text, whether it begins so and the word ends there."""
    if isinstance(cell, str) and isinstance(wanted, str):
        return cell == wanted or cell.startswith((f"{wanted},", f"{wanted} "))
    return cell == wanted


def claims_table(claims: list[Claim], linked: bool) -> str:
    columns = ["verdict", "what", "figure", "target", "date", "commit", "conditions"] + ["details"] * linked
    rows = []
    for claim in claims:
        link = [f"[{claim.topic['topic']}](results/{claim.topic['topic']}.md)"] * linked
        told = [claim.when["date"], commit(claim.when), claim.conditions]
        rows.append([claim.verdict, claim.what, claim.figure, claim.target, *told, *link])
    return table_text({"columns": columns, "rows": rows})


def commit(when: dict[str, Any]) -> str:
    name = when["commit"] or when["source"]
    return f"{name} with changes" if when.get("changed") else name


def page(topic: Topic) -> str:
    blocks = [f"# {topic['title']}"]
    blocks.append(
        f"Made from [data/{topic['topic']}.json](../data/{topic['topic']}.json). [All results](../RESULTS.md)."
    )
    if "command" in topic:
        blocks.append(f"Measured by: `{topic['command']}`")
    blocks += [*map(wrapped, filter(None, [topic["conditions"], *topic.get("text", [])]))]
    claims = list(claims_of(topic))
    if claims:
        claims.sort(key=lambda claim: ORDER.index(claim.verdict))
        blocks += ["## In short", claims_table(claims, linked=False)]
    for table in topic["tables"]:
        blocks += table_blocks(topic, table)
    return "\n\n".join(blocks) + "\n"


def table_blocks(topic: Topic, table: Table) -> list[str]:
    blocks = [f"## {table['title']}", *map(wrapped, table.get("text", []))]
    if table["rows"]:
        blocks.append(table_text(table))
    return [*blocks, *map(wrapped, table.get("notes", [])), wrapped(f"*{provenance(recorded(topic, table))}*")]


def provenance(when: dict[str, Any]) -> str:
    """When, at which commit and how a table was recorded, as a sentence."""
    parts = [f"Recorded {when['date']}, {'commit ' * bool(when['commit'])}{commit(when)}", when["load"]]
    if "threads" in when:
        parts += [f"{when['threads']} threads", when["machine"]]
        parts += [f"{name} {version}" for name, version in when["versions"].items()]
    return "; ".join(parts) + "."


def wrapped(paragraph: str) -> str:
    """A paragraph, or a list of lines that begin with `- `, in lines of bounded width."""
    under = "  " if paragraph.startswith("- ") else ""
    lines = paragraph.split("\n")
    fill = textwrap.TextWrapper(WIDTH, subsequent_indent=under, break_long_words=False, break_on_hyphens=False)
    return "\n".join(fill.fill(line) for line in lines)


if __name__ == "__main__":
    main()
