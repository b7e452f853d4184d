"""Small graphs on which every algorithm is tested, and a hypothesis strategy that makes more."""

from __future__ import annotations

import networkx as nx
import numpy as np
from hypothesis import strategies as st

from nearly import Graph


def _kron(scale: int, edge_factor: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A small R-MAT edge list in plain NumPy, so that the zoo does not lean on what it tests."""
    rng = np.random.default_rng(seed)
    m = edge_factor << scale
    src, dst = np.zeros(m, np.int64), np.zeros(m, np.int64)
    for bit in range(scale):
        corner = rng.choice(4, size=m, p=[0.57, 0.19, 0.19, 0.05])
        src |= (corner >> 1) << bit
        dst |= (corner & 1) << bit
    return src, dst


def _grid(rows: int, cols: int) -> tuple[np.ndarray, np.ndarray]:
    cell = np.arange(rows * cols).reshape(rows, cols)
    src = np.concatenate([cell[:, :-1].ravel(), cell[:-1].ravel()])
    dst = np.concatenate([cell[:, 1:].ravel(), cell[1:].ravel()])
    return src, dst


def _edges() -> dict[str, tuple[int, list[int], list[int]]]:
    n = 6
    clique = [(u, v) for u in range(n) for v in range(n) if u != v]
    kron, grid = _kron(8, 8, 1), _grid(9, 7)
    return {
        "empty": (0, [], []),
        "one vertex": (1, [], []),
        "edgeless": (5, [], []),
        "self-loops": (3, [0, 1, 1, 2], [0, 1, 2, 2]),
        "parallel edges": (3, [0, 0, 0, 1, 1], [1, 1, 1, 2, 2]),
        "path": (7, list(range(6)), list(range(1, 7))),
        "cycle": (7, list(range(7)), [*range(1, 7), 0]),
        "clique": (n, [u for u, _ in clique], [v for _, v in clique]),
        "star": (70, [0] * 69, list(range(1, 70))),
        "inward star": (70, list(range(1, 70)), [0] * 69),
        "disconnected": (9, [0, 1, 2, 5, 6], [1, 2, 0, 6, 7]),
        "two SCCs in a chain": (7, [0, 1, 2, 2, 3, 4, 5], [1, 2, 0, 3, 4, 5, 3]),
        "kron-8": (256, kron[0].tolist(), kron[1].tolist()),
        "grid": (63, grid[0].tolist(), grid[1].tolist()),
    }


def zoo(directed: bool = True, weights: str | None = None, duplicates: str | None = None) -> dict[str, Graph]:
    """The named graphs. `weights`: None, "int", "float" or "zero" (many zeros among whole numbers)."""
    made = {}
    for name, (n, src, dst) in _edges().items():
        rng = np.random.default_rng(len(name))
        drawn = {
            None: None,
            "int": rng.integers(1, 10, len(src)),
            "float": rng.random(len(src)) + 0.01,
            "zero": rng.integers(0, 3, len(src)),
        }[weights]
        keep = duplicates or ("keep" if name == "parallel edges" and directed else None)
        made[name] = Graph.from_edges(src, dst, drawn, n=n, directed=directed, duplicates=keep)
    return made


@st.composite
def graphs(draw: st.DrawFn, directed: bool | None = None, weights: str | None = None, most: int = 24) -> Graph:
    """Random small graphs, self-loops and gaps included. `weights`: None, "int" or "float"."""
    n = draw(st.integers(1, most))
    edges = draw(
        st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), st.integers(0, 9)), max_size=3 * most)
    )
    src, dst = [e[0] for e in edges], [e[1] for e in edges]
    drawn = (
        None
        if weights is None
        else np.array([e[2] for e in edges], np.int64 if weights == "int" else np.float64)
        + (0 if weights == "int" else 0.25)
    )
    both = draw(st.booleans()) if directed is None else directed
    return Graph.from_edges(np.array(src, np.int64), np.array(dst, np.int64), drawn, n=n, directed=both)


def arcs_of(g: Graph) -> list[tuple[int, int, float]]:
    """The arcs as (u, v, weight), weight 1 where there are none."""
    weights = [1.0] * g.m if g.weights is None else g.weights.tolist()
    return list(zip(g.arc_sources().tolist(), g.targets.tolist(), weights))


def as_networkx(g: Graph) -> nx.Graph:
    """The graph for NetworkX's oracles; of parallel arcs the lightest stays."""
    made = nx.DiGraph() if g.directed else nx.Graph()
    made.add_nodes_from(range(g.n))
    for u, v, w in sorted(arcs_of(g), key=lambda arc: -arc[2]):
        made.add_edge(u, v, weight=w)
    return made
