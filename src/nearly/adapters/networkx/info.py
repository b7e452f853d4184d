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
        adamic_adar_index all_pairs_all_shortest_paths all_pairs_bellman_ford_path_length all_pairs_dijkstra
        all_pairs_dijkstra_path all_pairs_dijkstra_path_length all_pairs_shortest_path all_pairs_shortest_path_length
        all_shortest_paths ancestors articulation_points average_degree_connectivity average_neighbor_degree
        average_shortest_path_length barycenter bellman_ford_path_length betweenness_centrality_subset bfs_edges
        bfs_layers bfs_predecessors bfs_successors bfs_tree biconnected_components bidirectional_dijkstra
        bidirectional_shortest_path bipartite_betweenness_centrality bipartite_closeness_centrality
        bipartite_degree_centrality bridge_components bridges center closeness_centrality cn_soundarajan_hopcroft color
        common_neighbor_centrality condensation dag_longest_path dag_longest_path_length
        degree_assortativity_coefficient degree_centrality degree_pearson_correlation_coefficient descendants
        descendants_at_distance dfs_edges dfs_postorder_nodes dfs_predecessors dfs_preorder_nodes dfs_successors
        dfs_tree diameter dijkstra_path dijkstra_path_length dijkstra_predecessor_and_distance eccentricity efficiency
        ego_graph eigenvector_centrality flow_hierarchy floyd_warshall floyd_warshall_numpy generalized_degree
        generic_bfs_edges global_efficiency global_reaching_centrality greedy_color group_closeness_centrality
        group_degree_centrality group_in_degree_centrality group_out_degree_centrality harmonic_centrality
        harmonic_diameter has_bridges has_cycle has_eulerian_path has_path in_degree_centrality inter_community_edges
        intra_community_edges is_aperiodic is_arborescence is_attracting_component is_biconnected is_bipartite
        is_bipartite_node_set is_branching is_connected is_directed_acyclic_graph is_eulerian is_forest is_semiconnected
        is_semieulerian is_strongly_connected is_tree is_weakly_connected isolates jaccard_coefficient johnson k_core
        k_corona k_crust k_shell k_truss katz_centrality kosaraju_strongly_connected_components
        local_reaching_centrality modularity multi_source_dijkstra multi_source_dijkstra_path
        multi_source_dijkstra_path_length node_connected_component number_of_isolates number_of_selfloops onion_layers
        out_degree_centrality overall_reciprocity partition_quality periphery predecessor preferential_attachment
        ra_index_soundarajan_hopcroft radius reciprocity resource_allocation_index rich_club_coefficient s_metric
        schultz_index sets shortest_path shortest_path_length single_source_all_shortest_paths single_source_dijkstra
        single_source_dijkstra_path single_source_shortest_path single_target_shortest_path
        single_target_shortest_path_length square_clustering topological_generations topological_sort voronoi_cells
        wiener_index within_inter_cluster
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
    "leiden": "leiden_communities leiden_partitions",
    "louvain": "louvain_communities louvain_partitions",
    "maximal_independent_set": "maximal_independent_set",
    "mst": """
        kruskal_mst_edges maximum_spanning_edges maximum_spanning_tree minimum_spanning_edges minimum_spanning_tree
    """,
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
    "leiden_communities",
    "leiden_partitions",
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
