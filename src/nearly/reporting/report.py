"""`nearly.report`: a page about a graph that a person can open, send on and trust."""

from __future__ import annotations

import os
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

from nearly import __version__
from nearly.base.arguments import number, whole_number
from nearly.base.errors import InvalidArgumentError
from nearly.base.files import replacing
from nearly.base.progress import Progress, following
from nearly.base.signatures import typed
from nearly.base.threads import checked_threads
from nearly.graph.csr import Graph
from nearly.reporting import sections, top_vertices
from nearly.reporting.asking import Asker, Clock
from nearly.reporting.comparison_section import comparison
from nearly.reporting.drawing import scene_for
from nearly.reporting.figures import Section, Table
from nearly.reporting.page import html_of
from nearly.reporting.scene import MOST_VERTICES
from nearly.reporting.svg import as_svg

_ORDER = ("sizes", "picture", "top", "components", "distances", "clustering", "cores", "communities", "compare", "cost")
_SECTIONS: tuple[Callable[[Asker, sections.Found], Section], ...] = (
    sections.what_it_is,
    sections.components,
    sections.cores,
    sections.communities,
    sections.clustering,
    sections.distances,
    top_vertices.top_vertices,
)
_LABELS = 20
_TALL = 720  # points of a report in a notebook


class Report:
    """A page about a graph; notebooks show it.

    Attributes
    ----------
    html : str
        The page.
    sections : list of Section
        Its parts, each with figures, tables and charts.
    seconds : float
        What it took, without compiling.
    compile_seconds : float
        What compiling took, once on a machine.
    """

    def __init__(self, html: str, made: list[Section], seconds: float, compile_seconds: float) -> None:
        self.html, self.sections, self.seconds, self.compile_seconds = html, made, seconds, compile_seconds

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page."""
        check_page(path)
        with replacing(path) as file:
            file.write(self.html.encode())

    def to_dict(self) -> dict[str, Any]:
        """The figures and tables, for JSON."""
        made = [section.to_dict() for section in self.sections]
        return {"seconds": self.seconds, "compile_seconds": self.compile_seconds, "sections": made}

    def _repr_html_(self) -> str:
        return (
            f'<iframe title="report" sandbox="allow-scripts" style="width:100%;height:{_TALL}px;border:0" '
            f'srcdoc="{escape(self.html, quote=True)}"></iframe>'
        )

    def __repr__(self) -> str:
        figures = sum(len(section.figures) for section in self.sections)
        late = sum(figure.guarantee == "missing" for section in self.sections for figure in section.figures)
        missing = f", {late} missing" if late else ""
        return f"<Report of {len(self.sections)} sections, {figures} figures{missing}, {self.seconds:.1f} s>"


def check_page(path: str | os.PathLike[str]) -> None:
    """Refuse a file that is not called a page."""
    if Path(path).suffix.lower() not in (".html", ".htm"):
        raise InvalidArgumentError(f"{path}: a report is a page; name it .html")


@typed
def report(
    graph: Graph,
    path: str | os.PathLike[str] | None = None,
    *,
    title: str | None = None,
    max_seconds: float = 30.0,
    compare: bool = False,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Report:
    """A page about a graph: what it is, its parts, its most important vertices, a picture, and how exact all of it is.

    One HTML file that needs no network. Every figure says how far it can be trusted, between which values it lies where
    it is not exact, and what it cost.

    Parameters
    ----------
    graph : Graph
        The graph.
    path : str or os.PathLike, optional
        Where to write the page, an .html file.
    title : str, optional
        The headline; "A graph of ..." if left out.
    max_seconds : float, default 30.0
        How long it may take, compiling apart. Questions that exact runs cannot answer in their share of that are
        answered by estimates with an interval; what there is no time for says so.
    compare : bool, default False
        Whether techniques and budgets are measured on this graph too, for as long again: an interactive chart of speed
        against error.
    seed : int, default 0
        The seed of everything that is random.
    threads : int, optional
        How many threads to use.
    progress : callable, optional
        Called as `progress(stage, done, total)`.

    Returns
    -------
    Report
        The page: `html` is its text, `save` writes it, `sections` are its parts, and notebooks show it.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], directed=False)
    >>> page = nearly.report(g)
    >>> [section.title for section in page.sections][:3], len(page.html) < 2_000_000
    (['What it is', 'Picture', 'Top vertices'], True)
    """
    if not isinstance(graph, Graph):
        raise InvalidArgumentError(f"report needs a nearly.Graph, not {type(graph).__name__}; see Graph.from_networkx")
    number("max_seconds", max_seconds, 0, above=True)
    whole_number("seed", seed, 0, 2**64 - 1)
    common = {"seed": seed, "threads": None if threads is None else checked_threads(threads)}
    if path is not None:
        check_page(path)
    clock = Clock(float(max_seconds))
    with following(progress, "report") as told:
        asker, found = Asker(graph, clock, told, **common), sections.Found()
        top_vertices.ranks(asker, found)
        made = [part(asker, found) for part in _SECTIONS]
        made.append(picture(asker, found))
        seconds, compiling = clock.used, clock.compiling
        if compare:
            made.append(comparison(asker, float(max_seconds)))
            seconds, compiling = clock.used, clock.compiling
    made.append(cost(made, seconds, float(max_seconds)))
    made.sort(key=lambda section: _ORDER.index(section.key))
    kind = ("edges, undirected", "arcs, directed")[graph.directed]
    about = f"{graph.n:,} vertices, {sections.edges_in(graph):,} {kind}"
    foot = f"Made by nearly {__version__} in {seconds:.1f} s. The file needs no network and sends nothing."
    page = Report(html_of(title or f"A graph of {graph.n:,} vertices", about, made, foot), made, seconds, compiling)
    if path is not None:
        page.save(path)
    return page


def picture(asker: Asker, found: sections.Found) -> Section:
    """The drawing: of the vertices, or of the communities where there are many."""
    section, graph = Section("picture", "Picture"), asker.graph
    asker.told("drawing", asker.asked, None)
    if graph.n > MOST_VERTICES and found.communities is None:
        section.missing = "there was no time to find the communities by which a graph of this size is drawn"
        return section
    size = found.ranks if found.ranks is not None else "degree"
    seed, threads = asker.common["seed"], asker.common["threads"]
    scene = scene_for(
        graph, size, found.communities, labels=_LABELS, positions=None, of="auto", seed=seed, threads=threads
    )
    section.words = scene.words
    section.charts.append(f'<figure class="drawing">{as_svg(scene, "picture")}</figure>')
    return section


def cost(made: list[Section], seconds: float, allowed: float) -> Section:
    """All figures with their guarantee, interval, method and price, in one table."""
    rows = [
        [
            section.title, figure.name, figure.value or "-", figure.guarantee, figure.between or "-",
            figure.promise if figure.promise != figure.guarantee else "-",
            figure.method or "-", "-" if figure.seconds is None else f"{figure.seconds:.3f}",
        ]
        for section in sorted(made, key=lambda section: _ORDER.index(section.key))
        for figure in section.figures
    ]  # fmt: skip
    heads = ["section", "figure", "value", "guarantee", "interval", "in words", "method", "seconds"]
    words = f"The budget was {allowed:g} s; {seconds:.1f} s were used, compiling apart."
    return Section("cost", "How exact, and at what cost", words, tables=[Table("All figures", heads, rows, "", (7,))])
