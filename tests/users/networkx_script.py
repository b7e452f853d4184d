"""A script of a NetworkX user, which knows nothing of any backend. It prints its answers as JSON."""

import json
import sys

import networkx as nx

G = nx.gnm_random_graph(600, 3000, seed=7)
H = nx.path_graph(30)
answers = {
    "components": nx.number_connected_components(G),
    "small": sorted(map(sorted, nx.connected_components(H)))[0][:3],
    "betweenness": max(nx.betweenness_centrality(G).items(), key=lambda pair: round(pair[1], 9))[0],
    "ranks": [round(rank, 5) for rank in list(nx.pagerank(G).values())[:5]],
    "path": nx.shortest_path_length(G, 0, 5),
}
print(json.dumps({"answers": answers, "compiled": "numba" in sys.modules}))
