"""`python -m tests.report.pictures`: make the pictures of docs/report.md; needs Chromium, NetworkX and matplotlib."""

from __future__ import annotations

import tempfile
from pathlib import Path

import networkx as nx
from tests.report.browser import browser

import nearly

HERE = Path(__file__).resolve().parent.parent.parent / "docs" / "pictures"


def main() -> None:
    g = nearly.Graph.from_networkx(nx.les_miserables_graph())
    nearly.draw(g, HERE / "drawing.svg")
    nearly.draw(nearly.generate.smallworld(16384, 8, 0.05, seed=1), HERE / "drawing-communities.svg")
    with tempfile.TemporaryDirectory() as folder, browser() as page:
        plain, compared = Path(folder) / "report.html", Path(folder) / "compared.html"
        nearly.report(g, plain, title="Les Misérables")
        nearly.report(nearly.generate.rmat(14, 12, seed=1), compared, compare=True)
        for name, dark, wide, tall in (
            ("light", False, 1000, 800),
            ("dark", True, 900, 690),
            ("narrow", False, 390, 844),
        ):
            page.open(plain, wide, tall, dark)
            if name != "light":
                page.run("document.getElementById('picture').scrollIntoView({behavior: 'instant'})")
            page.picture(HERE / f"report-{name}.png")
        page.open(plain, 1000, 800)
        page.run("document.getElementById('top').scrollIntoView({behavior: 'instant'})")
        page.picture(HERE / "report-tables.png")
        page.open(compared, 1000, 780)
        page.run("document.getElementById('compare').scrollIntoView({behavior: 'instant'})")
        page.run("document.querySelectorAll('.point.best')[1].focus({preventScroll: true})")
        page.picture(HERE / "report-compare.png")


if __name__ == "__main__":
    main()
