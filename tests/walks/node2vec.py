"""node2vec's walks on NetworkX graphs in plain Python, step by step from the definition: the oracle and the peer."""

from __future__ import annotations

import random

import networkx as nx


def factors(G: nx.Graph, t: int, v: int, p: float, q: float) -> dict[int, float]:
    """How much each neighbour of v counts after t."""
    counts = {}
    for x, data in G[v].items():
        bias = 1 / p if x == t else 1.0 if G.has_edge(t, x) else 1 / q
        counts[x] = data.get("weight", 1) * bias
    return counts


def walk(G: nx.Graph, begin: int, length: int, p: float, q: float, rng: random.Random) -> list[int]:
    """One walk; it ends early where no arc leaves."""
    made = [begin]
    while len(made) < length:
        v = made[-1]
        if not G[v]:
            break
        if len(made) == 1:
            counts = {x: data.get("weight", 1) for x, data in G[v].items()}
        else:
            counts = factors(G, made[-2], v, p, q)
        made.append(rng.choices(list(counts), list(counts.values()))[0])
    return made
