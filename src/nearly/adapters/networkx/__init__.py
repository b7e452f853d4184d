"""The NetworkX backend: graphs converted and kept, functions registered with their limits, dispatch."""
