"""What people look at: `nearly.report`, a page about a graph, and `nearly.draw`, a picture of it.

The package is not called `report`, because `nearly.report` is the function.
"""
