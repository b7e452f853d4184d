"""Small graphs for tests of reports and drawings."""

from __future__ import annotations

from functools import cache

import numpy as np

import nearly

EVIL = "<script>document.title='owned'</script>\"'&<img src=x onerror=alert(1)>"


@cache
def planted() -> nearly.Graph:
    """Six communities of 40 vertices."""
    return nearly.generate.planted_partition(6, 40, 0.3, 0.004, seed=1)


@cache
def named() -> nearly.Graph:
    """A graph whose most important vertex has a name that is code, and others with odd letters."""
    names = np.array([EVIL, "Zürich", "a\x00b\x1f", "x" * 200, "]]>", "北京", *(f"v{i}" for i in range(30))], object)
    hub = np.zeros(35, int)
    src, dst = np.concatenate([hub, np.arange(1, 35)]), np.concatenate([np.arange(1, 36), np.arange(2, 36)])
    plain = nearly.Graph.from_edges(src, dst, directed=False)
    return nearly.Graph(plain.offsets, plain.targets, directed=False, ids=names)
