"""The API reference: a page for each public name, found in `nearly.__all__` and the registries.

A name goes to the group of the module it comes from, so that a new one appears by itself; what no group claims is
listed under "More". A public module (`nearly.mesh`) is one page with all of its names.
"""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from types import ModuleType
from typing import Any

import nearly
from nearly.engine.technique import Technique
from sitegen.tables import heading, joined, toctree

GROUPS = {  # page: title, the modules whose names it lists
    "graphs": ("Graphs and files", ("nearly.graph",)),
    "algorithms": ("Algorithms", ("nearly.algorithms", "nearly.walks")),
    "techniques": ("Techniques", ("nearly.techniques",)),
    "budgets": ("Plans and comparisons", ("nearly.budget", "nearly.experiments")),
    "pictures": ("Reports and drawings", ("nearly.layouts", "nearly.reporting")),
    "settings": ("Settings", ("nearly.base.progress", "nearly.base.threads", "nearly.engine")),
    "errors": ("Errors", ("nearly.base.errors",)),
    "more": ("More", ("nearly",)),
}
ANSWERS = (  # what calls return: classes that a user meets and does not make
    "nearly.engine.result.Result",
    "nearly.engine.result.Certificate",
    "nearly.engine.result_table.ResultTable",
    "nearly.engine.trace.Trace",
    "nearly.engine.plan.Plan",
    "nearly.engine.plan.Candidate",
    "nearly.experiments.comparison.Comparison",
    "nearly.experiments.comparison.Row",
    "nearly.reporting.drawing.Drawing",
    "nearly.reporting.report.Report",
)


def pages() -> dict[str, str]:
    """The sources of the reference by path."""
    made: dict[str, str] = {}
    listed = []
    for page, names in grouped().items():
        if names:
            title = GROUPS[page][0]
            made[f"api/{page}.rst"] = _listing(title, [f"nearly.{name}" for name in names])
            made.update({f"api/nearly.{name}.rst": _page(f"nearly.{name}", getattr(nearly, name)) for name in names})
            listed.append(page)
    made["api/answers.rst"] = _listing("What calls return", list(ANSWERS))
    made.update({f"api/{name}.rst": _page(name, _found(name)) for name in ANSWERS})
    for name in nearly._MODULES:
        made[f"api/nearly.{name}.rst"] = _module(f"nearly.{name}", getattr(nearly, name))
    order = [*listed, "answers", *(f"nearly.{name}" for name in nearly._MODULES)]
    made["api/index.rst"] = joined(heading("API reference"), _ABOUT, toctree(order, ":maxdepth: 1"))
    return made


_ABOUT = (
    """Every public name of ``nearly``, from its docstring. What is not here may change from one version to the next."""
)


def grouped() -> dict[str, list[str]]:
    """The public names that are no modules, by page."""
    found: dict[str, list[str]] = {page: [] for page in GROUPS}
    for name in nearly.__all__:
        if name != "__version__" and name not in nearly._MODULES:
            home = nearly._HOME_OF[name]
            page = next(page for page, (_, homes) in GROUPS.items() if _within(home, homes))
            found[page].append(name)
    return {page: sorted(names, key=str.lower) if page != "errors" else names for page, names in found.items()}


def _within(home: str, homes: tuple[str, ...]) -> bool:
    return any(home == each or home.startswith(f"{each}.") for each in homes)


def _listing(title: str, names: list[str]) -> str:
    return joined(heading(title), _summary(names), toctree(names, ":hidden:"))


def _summary(names: list[str]) -> str:
    return "\n".join([".. autosummary::", "   :nosignatures:", "", *(f"   ~{name}" for name in names)])


def _page(name: str, value: Any) -> str:
    return joined(heading(name.rpartition(".")[2]), _directive(name, value))


def _module(name: str, module: ModuleType) -> str:
    """A page with all public names of a module."""
    about = re.sub(r"\s+", " ", (inspect.getdoc(module) or "").partition("\n\n")[0])
    names = [each for each in members(module) if each not in _elsewhere(name)]
    dotted = sorted((f"{name}.{each}" for each in names), key=lambda each: not _documented(each))  # constants last
    blocks = [_directive(each, _found(each)) for each in dotted]
    documented = [each for each in dotted if _documented(each)]
    summary = [_summary(documented)] if documented else []
    return joined(heading(name), about, *summary, f".. py:module:: {name}", *blocks)


def members(module: ModuleType) -> list[str]:
    """The public names of a module: `__all__`, or what it imports under its own name."""
    if hasattr(module, "__all__"):
        return list(module.__all__)
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and not isinstance(value, ModuleType) and name != "annotations"
    ]


def _elsewhere(module: str) -> set[str]:
    """Names of `nearly.extend` that have a page of their own as what calls return."""
    return {name.rpartition(".")[2] for name in ANSWERS} if module == "nearly.extend" else set()


def _directive(name: str, value: Any) -> str:
    """What makes Sphinx print the docstring of an object."""
    if inspect.isclass(value):
        hidden = issubclass(value, (Technique, Exception)) and value is not Technique
        return f".. autoclass:: {name}" + (
            "" if hidden else "\n   :members:\n   :inherited-members: Sequence, tuple, object"
        )
    if isinstance(value, ModuleType):
        return f".. automodule:: {name}\n   :members:\n   :imported-members:"
    if callable(value):
        return f".. autofunction:: {name}"
    return f".. py:data:: {name}\n   :value: {_short(repr(value))}"  # the docstring of a value is that of its class


def _found(name: str) -> Any:
    """The object of a name: of a module, or of a public module of `nearly` that is called so there only."""
    module, _, attribute = name.rpartition(".")
    home = getattr(nearly, module.removeprefix("nearly."), None) or import_module(module)
    return getattr(home, attribute)


def _documented(name: str) -> bool:
    """Whether an object has a docstring of its own."""
    return callable(_found(name)) or isinstance(_found(name), ModuleType)


def _short(text: str, most: int = 90) -> str:
    """A value as it is written, without the place of an object in memory, which is another in every build."""
    text = re.sub(r"<(?:\w+\.)*(\w+) object at 0x\w+>", r"\1()", text)
    return text if len(text) <= most else text[: most - 4] + " ..."
