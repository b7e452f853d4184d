"""Other libraries' doors into this one: the NetworkX backend.

Nothing is imported here, because NetworkX asks for `nearly.adapters.networkx.info` whenever it is itself imported.
"""
