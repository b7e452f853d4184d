"""nearly: graph analytics, exact and approximate, that says how nearly right each answer is.

Names are loaded on first use, so that `import nearly` stays fast and compiles nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "nearly.base.errors": (
        "NearlyError",
        "GraphFormatError",
        "InvalidGraphError",
        "InvalidArgumentError",
        "MemoryBudgetError",
        "DeviceUnavailableError",
        "MissingDependencyError",
    ),
    "nearly.base.threads": ("set_threads", "get_threads"),
    "nearly.graph.csr": ("Graph",),
    "nearly.graph.read": ("read",),
    "nearly.graph.write": ("write",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_MODULES = {"generate": "nearly.graph.generate"}

__all__ = ["__version__", *_HOME_OF, *_MODULES]  # noqa: PLE0604


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
