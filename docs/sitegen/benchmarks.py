"""The benchmark pages: the recorded tables of benchmarks/data as pages, each table of ratios with a chart.

A column of ratios is one that is printed with an `x`: `{} ({}x)` or `{}x`. Its chart has a dot for each ratio, right of
the line where `nearly` is faster. A newly recorded table gets its chart by itself.
"""

from __future__ import annotations

import io
import math
from typing import Any

import render  # of benchmarks/, which conf.py puts on the path
from figures import Table, Topic, load_all

from sitegen.links import relinked

COLOURS = ("#1a6fa8", "#d1640f", "#2b8a3e", "#8e44ad", "#7a5c00", "#c2255c", "#495057", "#0b7285")
PEERS = ("networkit", "igraph", "scipy", "rustworkx")
Dots = list[tuple[str, str, float]]  # row, column, ratio


def pages() -> dict[str, str]:
    """Pages and charts by path."""
    topics = load_all()
    made = {"benchmarks/index.md": _index(topics)}
    summary = render.summary(list(topics.values())).replace("# Results", "# All results", 1)
    made["benchmarks/all-results.md"] = relinked(summary, "benchmarks/RESULTS.md")
    for name, topic in topics.items():
        text, charts = _page(topic)
        made[f"benchmarks/{name}.md"] = relinked(text, f"benchmarks/results/{name}.md")
        made.update(charts)
    made["benchmarks/verdicts.svg"] = _verdicts(topics)
    made["benchmarks/against-libraries.svg"] = _against_libraries(topics["algorithms"])
    return made


def _index(topics: dict[str, Topic]) -> str:
    claims = [claim for topic in topics.values() for claim in render.claims_of(topic, pages_too=False)]
    counts = ", ".join(f"{sum(c.verdict == verdict for c in claims)} {verdict}" for verdict in render.ORDER)
    rows = "\n".join(
        f"| [{topic['title']}]({name}.md) | {len(topic['tables'])} | {_when(topic)} |" for name, topic in topics.items()
    )
    return f"""# Benchmarks

Made from the recorded figures in [benchmarks/data](all-results.md). Of {len(claims)} claims: {counts}.
[All results](all-results.md) lists them, what is missed first, with date, commit and conditions.

![How many claims hold, by topic](verdicts.svg)

## Against other libraries

Each dot is one graph: how many times as long the fastest other library of those that could answer took. Left of the
line `nearly` is slower. The tables, and how they were measured: [algorithms](algorithms.md).

![How many times as long the fastest other library takes](against-libraries.svg)

## By topic

| topic | tables | recorded |
|---|---|---|
{rows}

```{{toctree}}
:hidden:

all-results
{chr(10).join(topics)}
```
"""


def _when(topic: Topic) -> str:
    dates = sorted(render.recorded(topic, table)["date"] for table in topic["tables"]) or [topic["recorded"]["date"]]
    return dates[0] if dates[0] == dates[-1] else f"{dates[0]} to {dates[-1]}"


def _page(topic: Topic) -> tuple[str, dict[str, str]]:
    """The page of a topic as `make results` makes it, and the charts that are put under its tables."""
    text, charts = render.page(topic), {}
    for number, table in enumerate(topic["tables"]):
        dots = ratios(table)
        if len(dots) > 1:
            name = f"{topic['topic']}-{number}.svg"
            charts[f"benchmarks/{name}"] = _chart(dots)
            under = render.wrapped(f"*{render.provenance(render.recorded(topic, table))}*")
            before, title, after = text.partition(f"## {table['title']}\n")
            text = before + title + after.replace(under, f"{under}\n\n![{_alt(table)}]({name})", 1)
    return text, charts


def _alt(table: Table) -> str:
    return f"Ratios of the table: {table['title']}".replace("[", "(").replace("]", ")")


def ratios(table: Table) -> Dots:
    """The ratios of a table, by row and column."""
    formats = table.get("formats", {})
    columns = [i for i, name in enumerate(table["columns"]) if formats.get(name, "").rstrip(")").endswith("x")]
    dots = []
    for row in table["rows"]:
        label = ", ".join(str(_plain(cell)) for cell in row[: 2 if columns and columns[0] > 2 else 1])
        for i in columns:
            value = row[i][-1] if isinstance(row[i], list) else row[i]
            if isinstance(value, int | float) and value > 0:
                dots.append((label, table["columns"][i], float(value)))
    return dots


def _plain(cell: Any) -> Any:
    return cell.digits if hasattr(cell, "digits") else str(cell).replace("`", "")


def best_others(topic: Topic) -> Dots:
    """Of every row of the tables of graphs: the ratio to the fastest other library, by algorithm."""
    dots = []
    for table in topic["tables"]:
        one = table["title"].partition(",")[0] if table["columns"][:1] == ["graph"] else None
        graph = table["title"].partition(":")[0]
        best: dict[str, float] = {}
        for label, column, ratio in ratios(table):
            if column in PEERS:
                best[label] = min(ratio, best.get(label, math.inf))
        dots += [(one or label, label if one else graph, ratio) for label, ratio in best.items()]
    return dots


def _against_libraries(topic: Topic) -> str:
    dots = [(label, "", ratio) for label, _, ratio in best_others(topic)]
    return _chart(dots, "times as long as nearly")


def _chart(dots: Dots, what: str = "ratio, as in the table") -> str:
    """Dots on a logarithmic axis, a line for each row; a colour for each column."""
    labels = list(dict.fromkeys(label for label, _, _ in dots))
    columns = list(dict.fromkeys(column for _, column, _ in dots))
    figure, axes = _axes(0.9 + 0.24 * len(labels))
    for column, colour in zip(columns, COLOURS * len(columns)):
        mine = [(ratio, labels.index(label)) for label, each, ratio in dots if each == column]
        axes.scatter(*zip(*mine), s=22, color=colour, alpha=0.8, label=column, zorder=3, linewidths=0)
    axes.axvline(1, color="#444444", linewidth=1, zorder=2)
    axes.set_xscale("log")
    low, high = min(0.5, *(d[2] for d in dots)) / 1.3, max(2.0, *(d[2] for d in dots)) * 1.3
    axes.set_xlim(low, high)
    axes.xaxis.set_major_formatter(lambda x, _: f"{x:g}x")
    if high / low < 30:
        axes.xaxis.set_major_locator(_ticker().LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_minor_formatter(_ticker().NullFormatter())
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.set_xlabel(what)
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    if len(columns) > 1:
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    return _svg(figure)


def _verdicts(topics: dict[str, Topic]) -> str:
    """How many claims of each topic are missed, slower, doubtful, or hold."""
    counts = {
        name: [sum(claim.verdict == verdict for claim in render.claims_of(topic)) for verdict in render.ORDER]
        for name, topic in topics.items()
    }
    counts = {name: each for name, each in counts.items() if sum(each)}
    figure, axes = _axes(0.9 + 0.24 * len(counts))
    left = [0] * len(counts)
    for i, (verdict, colour) in enumerate(zip(render.ORDER, ("#c2255c", "#d1640f", "#b8a100", "#2b8a3e"))):
        widths = [each[i] for each in counts.values()]
        axes.barh(list(counts), widths, left=left, color=colour, label=verdict, height=0.7)
        left = [a + b for a, b in zip(left, widths)]
    axes.invert_yaxis()
    axes.set_xlabel("claims")
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    return _svg(figure)


def _axes(height: float) -> Any:
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    pyplot.rcParams.update(
        {"svg.fonttype": "none", "svg.hashsalt": "nearly", "font.size": 9, "font.family": "sans-serif"}
    )
    figure, axes = pyplot.subplots(figsize=(7.5, height))
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(axis="y", length=0)
    return figure, axes


def _ticker() -> Any:
    from matplotlib import ticker

    return ticker


def _svg(figure: Any) -> str:
    from matplotlib import pyplot

    text = io.StringIO()
    figure.savefig(text, format="svg", bbox_inches="tight", metadata={"Date": None})
    pyplot.close(figure)
    return text.getvalue()
