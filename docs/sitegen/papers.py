"""The papers: what was found, and which command makes which figure; from the registry and the recorded figures."""

from __future__ import annotations

import re

import render  # of benchmarks/, which conf.py puts on the path
from figures import load_all, table_text

from nearly.cli.list import LISTINGS
from nearly.experiments.reproduction import REPRODUCTIONS

HEAD = """# Papers: what we found

Made from the registry of papers and from the recorded figures. Each paper is rerun by one command, on stand-ins for its
graphs or on files of one's own; what was found stands beside what the paper says, missed claims first. Where a target
is marked as the paper's own, it was measured on the paper's hardware. [The papers](/papers.md) has their full names."""


def pages() -> dict[str, str]:
    return {"papers.md": "\n\n".join([HEAD, *map(_paper, REPRODUCTIONS)]) + "\n"}


def _paper(entry) -> str:
    blocks = [f"## {entry.name}", f"{entry.summary} `nearly reproduce {entry.name}`"]
    topics = [topic for name, topic in load_all().items() if name == entry.name or name.startswith(f"{entry.name}-")]
    for topic in topics:
        claims = sorted(render.claims_of(topic), key=lambda claim: render.ORDER.index(claim.verdict))
        blocks.append(f"### {topic['title']}")
        blocks.append(f"What was found; all tables: [{topic['topic']}](benchmarks/{topic['topic']}.md)")
        if claims:
            blocks.append(render.claims_table(claims, linked=False))
    rows = [
        [record["name"], record["shows"], _linked(record["command"])]
        for record in LISTINGS["figures"].records()
        if record["paper"] == entry.name
    ]
    blocks += [
        f"### Tables and figures of {entry.name}",
        table_text({"columns": ["in the paper", "shows", "command"], "rows": rows}),
    ]
    return "\n\n".join(blocks)


def _linked(command: str) -> str:
    """A command, with the pages it names as links."""
    return re.sub(r"docs/([\w-]+)\.md", r"[\1](/\1.md)", command)
