"""Ways into this library from others: the NetworkX backend.

Nothing is imported here, because NetworkX asks for `nearly.adapters.networkx.info` whenever it is itself imported.
"""
