"""What NetworkX learns when it is imported: the functions of the backend, their extra keywords, and the defaults.

This module is read on every `import networkx`, so it imports nothing. A test compares the names with what the families
in `nearly.adapters.networkx.functions` register.
"""

from __future__ import annotations

from typing import Any

KEYWORDS = {
    "approx": "a technique, its specification such as 'partial-edges:keep=0.5', or a list of these; "
    "None is exact. The answer's `.report` says what was done and what it guarantees.",
    "policy": "how the work is divided among threads; 'auto' if left out.",
    "seed": "the seed of everything that is random.",
    "threads": "threads to use.",
    "max_error": "a budget: how far off the answer may be; None is exact. `.report` says how far it is, and why so.",
    "max_seconds": "a budget: how long the answer may take; the best by then, with the error it has.",
    "confidence": "with which probability a bound that rests on random draws must hold; 0.99 if left out.",
    "allow": "the weakest guarantee that will do within a budget; 'statistical' if left out.",
}
DEFAULTS = {**dict.fromkeys(KEYWORDS), "least_edges": 1000}

# by the algorithm that answers; those under "" have no keywords of their own
_NAMES = {
    "": """
        all_pairs_bellman_ford_path_length all_pairs_dijkstra all_pairs_dijkstra_path all_pairs_dijkstra_path_length
        all_pairs_shortest_path all_pairs_shortest_path_length ancestors average_shortest_path_length barycenter
        bellman_ford_path_length betweenness_centrality_subset bfs_edges bfs_layers bfs_predecessors bfs_successors
        bfs_tree center closeness_centrality degree_centrality descendants descendants_at_distance dfs_edges
        dfs_postorder_nodes dfs_predecessors dfs_preorder_nodes dfs_successors dfs_tree diameter dijkstra_path
        dijkstra_path_length eccentricity eigenvector_centrality generic_bfs_edges global_efficiency greedy_color
        harmonic_centrality harmonic_diameter has_path in_degree_centrality is_attracting_component is_connected
        is_directed_acyclic_graph is_forest is_strongly_connected is_tree is_weakly_connected isolates k_core k_corona
        k_crust k_shell katz_centrality multi_source_dijkstra multi_source_dijkstra_path
        multi_source_dijkstra_path_length node_connected_component number_of_isolates number_of_selfloops
        out_degree_centrality overall_reciprocity periphery radius shortest_path shortest_path_length
        single_source_dijkstra single_source_dijkstra_path single_source_shortest_path single_target_shortest_path
        single_target_shortest_path_length wiener_index
        adamic_adar_index articulation_points biconnected_components bridges has_bridges is_biconnected is_bipartite
        jaccard_coefficient k_truss resource_allocation_index topological_generations topological_sort
    """,
    "betweenness": "betweenness_centrality edge_betweenness_centrality",
    "bfs": "single_source_shortest_path_length",
    "clustering_coefficient": "average_clustering clustering transitivity",
    "connected_components": """
        connected_components number_connected_components number_weakly_connected_components
        weakly_connected_components
    """,
    "eigenvector": "eigenvector_centrality_numpy",
    "hits": "hits",
    "katz": "katz_centrality_numpy",
    "kcore": "core_number",
    "label_propagation": "asyn_lpa_communities fast_label_propagation_communities",
    "louvain": "louvain_communities louvain_partitions",
    "maximal_independent_set": "maximal_independent_set",
    "mst": "maximum_spanning_edges maximum_spanning_tree minimum_spanning_edges minimum_spanning_tree",
    "pagerank": "pagerank",
    "scc": """
        attracting_components number_attracting_components number_strongly_connected_components
        strongly_connected_components
    """,
    "sssp": "single_source_bellman_ford_path_length single_source_dijkstra_path_length",
    "triangle_count": "triangles",
}
_OWN_SEED = (
    "asyn_lpa_communities",
    "betweenness_centrality",
    "edge_betweenness_centrality",
    "fast_label_propagation_communities",
    "louvain_communities",
    "louvain_partitions",
    "maximal_independent_set",
)


def get_info() -> dict[str, Any]:
    """The dictionary that the entry point `networkx.backend_info` promises."""
    return {
        "backend_name": "nearly",
        "project": "nearly",
        "package": "nearly",
        "short_summary": "Exact and approximate answers from compiled kernels that say how nearly right they are.",
        "default_config": dict(DEFAULTS),
        "functions": {
            name: _described(name, algorithm) for algorithm, names in _NAMES.items() for name in names.split()
        },
    }


def _described(name: str, algorithm: str) -> dict[str, Any]:
    if not algorithm:
        return {}
    extra = {key: text for key, text in KEYWORDS.items() if key != "seed" or name not in _OWN_SEED}
    return {"additional_docs": f"Answered by `nearly.{algorithm}`.", "additional_parameters": extra}
