"""A large graph by its communities: a dot for each of the largest, by its vertices, and lines by their edges."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.engine.vertex_names import names_of
from nearly.graph.csr import Graph
from nearly.layouts import layout
from nearly.reporting.edge_choice import most_important
from nearly.reporting.palette import CLASSES, OTHERS, class_colours, ramp_colours
from nearly.reporting.scene import HEIGHT, WIDTH, Scene, on_paper, short
from nearly.reporting.vertex_values import VertexValues

MOST_COMMUNITIES = 150
MOST_LINES = 700
_FILLED = 0.22  # the share of the paper that dots cover together
_APART = 2.0  # points between two dots


class Quotient(NamedTuple):
    """The largest communities: their sizes, a member that stands for each, and the edges between them."""

    sizes: np.ndarray
    leaders: np.ndarray
    edges: np.ndarray  # rows of two communities
    counts: np.ndarray  # edges between these
    total: int  # communities in all
    chosen: np.ndarray  # for each vertex its place among the communities here, -1 where it is not among them


def quotient(graph: Graph, labels: np.ndarray, amounts: np.ndarray) -> Quotient:
    """The communities to draw, by labels; the member of the largest amount stands for its community."""
    from scipy import sparse

    found, index, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    index = index.reshape(-1)
    kept = np.argsort(-sizes, kind="stable")[:MOST_COMMUNITIES]
    kept = kept[: max(int((sizes[kept] > 1).sum()), 1)]  # of single vertices there is nothing to see
    place = np.full(found.size, -1)
    place[kept] = np.arange(kept.size)
    chosen = place[index]
    order = np.lexsort((np.arange(graph.n), -amounts, chosen))
    first = np.searchsorted(chosen[order], np.arange(kept.size))
    view = graph.symmetrized()
    source, target = chosen[view.arc_rows().astype(np.int64)], chosen[view.arrays.targets.astype(np.int64)]
    between = (source >= 0) & (target > source)
    ends = source[between], target[between]
    joined = sparse.coo_matrix((np.ones(ends[0].size), ends), (kept.size, kept.size)).tocsr().tocoo()
    edges = np.stack([joined.row, joined.col], axis=1).astype(np.int64)
    return Quotient(sizes[kept], order[first], edges, joined.data, found.size, chosen)


def community_scene(
    graph: Graph, size: VertexValues | None, labels: VertexValues, colour: VertexValues | None, named: int, seed: int
) -> Scene:
    """A picture of the largest communities."""
    amounts = np.ones(graph.n) if size is None else size.values.astype(np.float64)
    made = quotient(graph, labels.values, amounts)
    sizes = made.sizes.astype(np.float64)
    radius = np.maximum(np.sqrt(_FILLED * WIDTH * HEIGHT / np.pi * sizes / sizes.sum()), 2.5)
    at = apart(_placed(made, seed), radius)
    pick = most_important(made.edges, sizes, MOST_LINES)
    strength = np.sqrt(_counts_of(made, pick))
    colours, chosen, legend = _coloured(made, colour)
    leaders = names_of(graph, made.leaders).tolist()
    tips = {k: f"{short(leaders[k])} and {made.sizes[k] - 1:,} more" for k in range(len(leaders))}
    edges = graph.symmetrized().m // 2
    title = f"The {len(leaders):,} largest of {made.total:,} communities of {graph.n:,} vertices, {edges:,} edges"
    most = size.name if size is not None else "index"
    first = ", ".join(tips[k] for k in range(min(10, len(tips))))
    words = (
        "Dots are communities, as large as they have vertices; lines are edges between them. "
        f"A label is the member of greatest {most}. Largest: {first}."
    )
    covered = int(made.sizes.sum())
    notes = [f"drawn by communities: {len(leaders):,} of {made.total:,}, with {covered:,} of {graph.n:,} vertices"]
    if len(pick) < len(made.edges):
        notes.append(f"{len(pick):,} of {len(made.edges):,} links drawn, the most important")
    return Scene(
        at, radius, colours, chosen, pick, 0.4 + 4.6 * strength / max(strength.max(initial=0), 1e-9),
        {k: short(leaders[k]) for k in range(min(named, len(leaders)))}, tips, legend, title, words, notes, faint=0.32,
    )  # fmt: skip


def _placed(made: Quotient, seed: int) -> np.ndarray:
    """Positions of the communities; those joined by more edges, for their sizes, are nearer."""
    k = made.sizes.size
    expected = np.sqrt(made.sizes[made.edges[:, 0]] * 1.0 * made.sizes[made.edges[:, 1]])
    weights = np.sqrt(made.counts / expected).astype(np.float32)
    graph = Graph.from_edges(made.edges[:, 0], made.edges[:, 1], weights=weights, n=k, directed=False)
    return on_paper(layout(graph, weights=True, seed=seed))


def _counts_of(made: Quotient, pick: np.ndarray) -> np.ndarray:
    known = {(int(u), int(v)): count for (u, v), count in zip(made.edges, made.counts)}
    return np.array([known[int(u), int(v)] for u, v in pick], np.float64)


def _coloured(made: Quotient, colour: VertexValues | None) -> tuple[list[str], np.ndarray, list[tuple[str, str]]]:
    """Communities in colours of their own, or by the mean of a value."""
    k = made.sizes.size
    if colour is None:
        return [OTHERS], np.zeros(k, int), []
    if colour.classes:
        colours, chosen = (
            class_colours(np.arange(k)) if k <= len(CLASSES) else (list(CLASSES), np.arange(k) % len(CLASSES))
        )
        return colours, chosen, []
    inside = made.chosen >= 0
    sums = np.bincount(made.chosen[inside], colour.values[inside].astype(np.float64), minlength=k)
    means = sums / made.sizes
    colours, chosen = ramp_colours(means)
    return colours, chosen, [(colours[0], f"mean {colour.name} {means.min():.3g}"), (colours[-1], f"{means.max():.3g}")]


def apart(at: np.ndarray, radius: np.ndarray, rounds: int = 200) -> np.ndarray:
    """Dots moved until none covers another, as far as there is room on the paper."""
    at, least = at.copy(), radius[:, None] + radius[None, :] + _APART
    edge = radius[:, None] + 4
    for _ in range(rounds):
        difference = at[:, None, :] - at[None, :, :]
        distance = np.sqrt((difference**2).sum(axis=2)) + 1e-9
        overlap = np.maximum(least - distance, 0)
        np.fill_diagonal(overlap, 0)
        if not overlap.any():
            break
        at += 0.25 * (difference / distance[:, :, None] * overlap[:, :, None]).sum(axis=1)
        at = np.clip(at, edge, np.array([WIDTH, HEIGHT]) - edge)
    return at
