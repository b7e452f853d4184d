"""`nearly.draw`: a picture of a graph, with size, colour and labels that say something."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Literal

import numpy as np

from nearly.base.arguments import as_array, choice, whole_number
from nearly.base.errors import InvalidArgumentError
from nearly.base.files import replacing
from nearly.base.progress import Progress, following
from nearly.base.signatures import typed
from nearly.graph.csr import Graph
from nearly.reporting.community_scene import community_scene
from nearly.reporting.scene import MOST_VERTICES, Scene, vertex_scene
from nearly.reporting.svg import as_svg
from nearly.reporting.vertex_values import VertexValues, values_for

KINDS = ("auto", "vertices", "communities")


class Drawing:
    """A picture of a graph; notebooks show it.

    Attributes
    ----------
    svg : str
        The picture as SVG.
    scene : Scene
        What is in it: positions, sizes and colours on the paper.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene, self.svg = scene, as_svg(scene)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture as its extension says: .svg, or .png and .pdf where matplotlib is installed."""
        if check_drawing(path) == "svg":
            with replacing(path) as file:
                file.write(self.svg.encode())
            return
        from nearly.reporting.png import write_png

        write_png(self.scene, path)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Drawing: {self.scene.title}>"


def check_drawing(path: str | os.PathLike[str]) -> str:
    """The format of a picture by its extension; an error where it cannot be written, or needs what is not installed."""
    if Path(path).suffix.lower() == ".svg":
        return "svg"
    from nearly.experiments.pictures import check_picture

    return check_picture(path)


@typed
def draw(  # noqa: PLR0913
    graph: Graph,
    path: str | os.PathLike[str] | None = None,
    *,
    size: Any = "pagerank",
    colour: Any = "communities",
    labels: int = 20,
    positions: Any = None,
    of: Literal["auto", "vertices", "communities"] = "auto",
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Drawing:
    """Draw a graph: where vertices are, how large by one measure, in which colour by another, the first with names.

    A graph of more than 5,000 vertices is drawn by its communities. Where there are more than 6,000 edges, those that
    matter most at one of their ends are drawn, so that every vertex keeps its first ones. Directions are not drawn. The
    same seed gives the same picture.

    Parameters
    ----------
    graph : Graph
        The graph.
    path : str or os.PathLike, optional
        Where to write the picture; its extension says the format: .svg, or .png and .pdf, which need matplotlib.
    size : str, Result or array_like, optional
        What makes vertices large: "degree", the name of an algorithm, its result, or a number for each vertex; None
        makes all alike.
    colour : str, Result or array_like, optional
        What colours show: "communities", or as for `size`. Labels (of communities, components) have colours of their
        own, numbers a ramp; None is grey.
    labels : int, default 20
        How many vertices have their names beside them, the largest first; those without room are left out.
    positions : array_like, optional
        A row of x and y for each vertex, as `nearly.layout` gives them, which is called if left out.
    of : {"auto", "vertices", "communities"}
        What is drawn: every vertex, or a dot for each community.
    seed : int, default 0
        The seed of the layout.
    threads : int, optional
        How many threads to use; the picture is the same for any number.
    progress : callable, optional
        Called as `progress(stage, done, total)`.

    Returns
    -------
    Drawing
        The picture: `svg` is its text, `save` writes it, and notebooks show it.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], directed=False)
    >>> picture = nearly.draw(g, size="degree", colour=None)
    >>> picture.svg.count("<circle"), picture
    (4, <Drawing: A graph of 4 vertices and 4 edges>)
    """
    if not isinstance(graph, Graph):
        raise InvalidArgumentError(f"draw needs a nearly.Graph, not {type(graph).__name__}; see Graph.from_networkx")
    whole_number("labels", labels, 0)
    whole_number("seed", seed, 0, 2**64 - 1)
    choice("of", of, KINDS)
    if path is not None:
        check_drawing(path)
    positions = None if positions is None else _checked_positions(positions, graph.n)
    with following(progress, "drawing"):
        made = Drawing(
            scene_for(graph, size, colour, labels=labels, positions=positions, of=of, seed=seed, threads=threads)
        )
    if path is not None:
        made.save(path)
    return made


def scene_for(
    graph: Graph, size: Any, colour: Any, *, labels: int, positions: Any, of: str, seed: int, threads: int | None = None
) -> Scene:
    """What the picture holds; arguments as those of `draw`, checked."""
    large = values_for(graph, "size", size, threads=threads)
    colours = values_for(graph, "colour", colour, threads=threads)
    if of == "auto":
        of = "vertices" if graph.n <= MOST_VERTICES or positions is not None else "communities"
    if of == "vertices" or not graph.n:
        return vertex_scene(graph, large, colours, labels, positions, seed)
    parts = colours if colours is not None and colours.classes else values_for(graph, "colour", "communities")
    assert isinstance(parts, VertexValues)
    return community_scene(graph, large, parts, colours, labels, seed)


def _checked_positions(positions: Any, n: int) -> np.ndarray:
    at = as_array("positions", positions, "a row of x and y for each vertex")
    if at.shape != (n, 2) or at.dtype.kind not in "iuf" or not np.isfinite(at).all():
        raise InvalidArgumentError(f"positions must be {n} rows of two finite numbers, as nearly.layout gives them")
    return at.astype(np.float64)
