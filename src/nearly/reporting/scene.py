"""What is in a picture: dots, lines and labels in the coordinates of the paper, whatever it is written as.

A graph of up to MOST_VERTICES vertices is drawn as it is, a larger one by its communities (`community_scene`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nearly.engine.vertex_names import names_of
from nearly.graph.csr import Graph
from nearly.layouts import layout
from nearly.reporting.edge_choice import edges_of, most_important
from nearly.reporting.palette import OTHERS, class_colours, ramp_colours
from nearly.reporting.vertex_values import VertexValues

MOST_VERTICES = 5000
MOST_EDGES = 6000
WIDTH, HEIGHT = 960, 640
_MARGIN = 34
_SQUARES = 24  # a side, by which empty space is measured
_RELIEF = 0.6  # the most that is done against crowds, and the share of filled squares from which on nothing is
_LONGEST = 32  # characters of a label


@dataclass
class Scene:
    """A picture.

    at : a row of x and y for each dot, in points from the top left.
    radius : how large each dot is.
    colours, colour : the colours there are, and which one each dot has.
    lines, widths : rows of two dots, and how wide each line is.
    labels : texts by dot, the most important first.
    tips : what is told of a dot that a pointer rests on, by dot.
    legend : colours and what they mean.
    title, words : what it shows, for readers that cannot see it.
    """

    at: np.ndarray
    radius: np.ndarray
    colours: list[str]
    colour: np.ndarray
    lines: np.ndarray
    widths: np.ndarray
    labels: dict[int, str]
    tips: dict[int, str]
    legend: list[tuple[str, str]]
    title: str
    words: str
    notes: list[str] = field(default_factory=list)
    faint: float = 0.4  # how much of the lines' colour is seen


def vertex_scene(
    graph: Graph, size: VertexValues | None, colour: VertexValues | None, labels: int, positions: Any, seed: int
) -> Scene:
    """A picture of all vertices."""
    at = on_paper(relieved(layout(graph, seed=seed)) if positions is None else positions)
    amounts = np.ones(graph.n) if size is None else size.values.astype(np.float64)
    edges = edges_of(graph)
    lines = most_important(edges, amounts, MOST_EDGES)
    colours, chosen, legend = coloured(colour, graph.n)
    order = np.argsort(-amounts, kind="stable")
    named = {int(v): short(name) for v, name in zip(order[:labels], names_of(graph, order[:labels]).tolist())}
    told = order[:300]
    tips = {int(v): _tip(name, amounts[v], size) for v, name in zip(told, names_of(graph, told).tolist())}
    notes = [] if len(lines) == len(edges) else [f"{len(lines):,} of {len(edges):,} edges drawn, the most important"]
    title = f"A graph of {graph.n:,} vertices and {len(edges):,} edges"
    faint = float(np.clip(40 / (len(lines) + 1) ** 0.6, 0.12, 0.55))
    return Scene(
        at, radii(amounts, at), colours, chosen, lines, np.full(len(lines), 0.8), named, tips, legend, title,
        _words(size, colour, list(named.values())), notes, faint,
    )  # fmt: skip


def relieved(at: np.ndarray) -> np.ndarray:
    """The positions with less empty space between crowds: where most of the picture is empty, towards even ranks.

    Left and right, above and below stay as they were; the more of the picture is empty, the more it is changed.
    """
    if len(at) < 3:
        return at
    low, high = at.min(axis=0), at.max(axis=0)
    place = ((at - low) / np.maximum(high - low, 1e-300) * (_SQUARES - 1e-9)).astype(int)
    filled = np.unique(place[:, 0] * _SQUARES + place[:, 1]).size / min(_SQUARES**2, len(at))
    share = float(np.clip(_RELIEF - filled, 0, _RELIEF))
    even = np.argsort(np.argsort(at, axis=0, kind="stable"), axis=0, kind="stable") / (len(at) - 1)
    return (1 - share) * at + share * (low + even * (high - low))


def on_paper(at: Any) -> np.ndarray:
    """Positions as points on the paper, as large as fits, the picture's proportions kept."""
    at = np.asarray(at, np.float64)
    if not len(at):
        return at.reshape(0, 2)
    low, high = at.min(axis=0), at.max(axis=0)
    room, span = np.array([WIDTH, HEIGHT]) - 2.0 * _MARGIN, np.maximum(high - low, 1e-9)
    scale = min(room / span) if (high > low).any() else 1.0
    return (at - (low + high) / 2) * scale * [1, -1] + np.array([WIDTH, HEIGHT]) / 2


def radii(amounts: np.ndarray, at: np.ndarray) -> np.ndarray:
    """How large dots are: areas grow with the amounts, and all get smaller where they are many or close together."""
    base = 0.16 * np.sqrt(WIDTH * HEIGHT / max(len(at), 1))
    if len(at) > 1:
        from scipy.spatial import cKDTree

        base = min(base, 0.6 * float(np.median(cKDTree(at).query(at, 2)[0][:, 1])))
    base = float(np.clip(base, 1.3, 9))
    low, high = amounts.min(initial=np.inf), amounts.max(initial=-np.inf)
    share = (amounts - low) / (high - low) if high > low else np.full(amounts.size, 0.15)
    return base * (0.75 + 2.0 * np.sqrt(np.maximum(share, 0)))


def coloured(colour: VertexValues | None, n: int) -> tuple[list[str], np.ndarray, list[tuple[str, str]]]:
    """The colours, which one each vertex has, and what they mean."""
    if colour is None or not n:
        return [OTHERS], np.zeros(n, int), []
    if not colour.classes:
        colours, chosen = ramp_colours(colour.values)
        low, high = colour.values.min(), colour.values.max()
        ends = [(colours[0], f"{colour.name} {low:.3g}"), (colours[-1], f"{high:.3g}")]
        return colours, chosen, ends
    colours, chosen = class_colours(colour.values)
    sizes = np.bincount(chosen, minlength=len(colours))
    legend = [(colours[k], f"{int(sizes[k]):,}") for k in range(min(6, len(colours) - 1)) if sizes[k]]
    if legend:
        found = np.unique(colour.values).size
        legend[0] = (legend[0][0], f"{legend[0][1]} vertices, the largest of {found:,} {colour.name}")
    if sizes[-1]:
        legend.append((colours[-1], f"{int(sizes[-1]):,} in smaller ones"))
    return colours, chosen, legend


def short(name: Any) -> str:
    """A name that has room beside a dot."""
    text = " ".join(str(name).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _tip(name: Any, amount: float, size: VertexValues | None) -> str:
    return short(name) if size is None else f"{short(name)}: {size.name} {amount:.4g}"


def _words(size: VertexValues | None, colour: VertexValues | None, labels: list[str]) -> str:
    said = "Dots are vertices, lines edges."
    if size is not None:
        said += f" Larger dots have a greater {size.name}."
    if colour is not None:
        said += f" Colours show {colour.name}."
    return said + (f" The largest: {', '.join(labels[:10])}." if labels else "")
