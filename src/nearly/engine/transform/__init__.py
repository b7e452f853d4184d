"""Graphs that techniques made: the way there and back, copies of vertices, clusters, and keeping them on disk."""
