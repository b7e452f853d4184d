"""Graphs of several classes on which estimates of distances are asked with many seeds."""

from __future__ import annotations

import networkx as nx
import numpy as np

import nearly


def _of(made):
    return nearly.Graph.from_networkx(nx.convert_node_labels_to_integers(made))


def _dust(directed):
    rng = np.random.default_rng(1)
    return nearly.Graph.from_edges(*rng.integers(0, 900, (2, 1400)), n=2000, directed=directed)


GRAPHS = {
    "star": _of(nx.star_graph(1500)),
    "barbell": _of(nx.barbell_graph(400, 300)),
    "long path with a clique": _of(nx.lollipop_graph(500, 700)),
    "dust": _dust(False),
    "equal degrees": _of(nx.watts_strogatz_graph(1500, 10, 0.0)),
    "hubs": nearly.generate.rmat(11, 6, seed=1, directed=False),
    "directed hubs": nearly.generate.rmat(11, 6, seed=1),
    "directed dust": _dust(True),
}
