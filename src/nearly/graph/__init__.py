"""Graphs as arrays: the `Graph` type, building, checking, converting, reading, writing, generating.

- `csr` is `Graph`, over `stored_graph` (what it holds) and `graph_constructors` (`from_...`); `csr_arrays`: its arrays
- `build` makes a graph of an `edge_source`; `edge_weights` and `validate` check what comes from outside
- `derived_graphs`, `renumber`, `opposite_arcs` and `bfs_order` make something else of a graph
- `scipy_matrix`, `networkx_graph` (with `adjacency_dicts`) and `data_frame` (with `frame_columns`) convert
- `io` reads and writes files, `generate` makes graphs to order
"""
