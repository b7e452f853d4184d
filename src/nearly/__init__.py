"""nearly: graph analytics, exact and approximate, that says how nearly right each answer is.

Names are loaded on first use, so that `import nearly` stays fast and compiles nothing. Algorithms and techniques are
found by the files that hold them: `nearly.bfs` in algorithms/bfs.py, `nearly.PartialEdges` in techniques/partial_edges.
`__init__.pyi` spells all names out for editors; `make stub` writes it.
"""

from __future__ import annotations

import os
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "nearly.algorithms.connected_components": ("largest_component",),
    "nearly.algorithms.core_decomposition": ("degeneracy",),
    "nearly.algorithms.topological_sort": ("is_dag",),
    "nearly.base.errors": (
        "NearlyError",
        "GraphFormatError",
        "InvalidGraphError",
        "InvalidArgumentError",
        "MemoryBudgetError",
        "TimeBudgetError",
        "FileAccessError",
        "DeviceUnavailableError",
        "MissingDependencyError",
    ),
    "nearly.budget": ("plan",),
    "nearly.algorithms.distances.index": ("DistanceIndex",),
    "nearly.base.progress": ("set_progress",),
    "nearly.base.threads": ("set_threads", "get_threads"),
    "nearly.engine.transform.disk_cache": ("set_cache",),
    "nearly.experiments.compare": ("compare",),
    "nearly.experiments.sweep": ("sweep",),
    "nearly.graph.csr": ("Graph",),
    "nearly.graph.graph_edits": ("subgraph", "ego", "remove_self_loops", "remove_edges", "add_edges"),
    "nearly.graph.io": ("read", "write"),
    "nearly.layouts": ("layout",),
    "nearly.reporting.drawing": ("draw",),
    "nearly.reporting.report": ("report",),
    "nearly.walks": ("random_walks",),
}
_MODULES = {
    "accuracy": "nearly.accuracy",
    "engine": "nearly.engine",
    "extend": "nearly.extend",
    "generate": "nearly.graph.generate",
    "mesh": "nearly.mesh",
    "model": "nearly.model",
}


def _files(folder: str) -> list[str]:
    """The modules and packages in a folder of this package, but for what they share."""
    found = iter_modules([os.path.join(os.path.dirname(__file__), folder)])
    return sorted(module.name for module in found if module.name != "shared")


_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_HOME_OF.update({name: f"nearly.algorithms.{name}" for name in _files("algorithms")})
_HOME_OF.update({name.title().replace("_", ""): f"nearly.techniques.{name}" for name in _files("techniques")})

__all__ = ["__version__", *_HOME_OF, *_MODULES]


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        value = getattr(import_module(_HOME_OF[name]), name)
    elif name in _MODULES:
        value = import_module(_MODULES[name])
    else:
        raise AttributeError(f"module 'nearly' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
