"""Write src/nearly/__init__.pyi, what editors and type checkers see of the lazy names: `make stub`.

Signatures come from the registries: an algorithm's own parameters with the common ones and the class of its result,
a technique's knobs. A test compares the file with what this script makes.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import nearly
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.technique import TECHNIQUES

STUB = Path(__file__).parent.parent / "src" / "nearly" / "__init__.pyi"
HEAD = '''"""Written by scripts/make_stub.py: the public names, spelled out for editors and type checkers."""

import os
from typing import Any, Literal

from nearly.base.progress import Progress
from nearly.engine.technique import Technique
'''


def stub() -> str:
    """The text of the stub."""
    algorithms, techniques = list(ALGORITHMS), list(TECHNIQUES)
    own = {entry.name for entry in algorithms} | {cls.__name__ for cls in techniques}
    lines = [f"from {home} import {name} as {name}" for name, home in nearly._HOME_OF.items() if name not in own]
    lines += [f"from {home.rpartition('.')[0]} import {name} as {name}" for name, home in nearly._MODULES.items()]
    lines += [f"from {entry.result.__module__} import {entry.result.__name__}" for entry in algorithms]
    parts = [HEAD + "\n".join(sorted(set(lines))), "__version__: str"]
    parts += [f"def {entry.name}({_parameters(entry)}) -> {entry.result.__name__}: ..." for entry in algorithms]
    parts += [
        f"class {cls.__name__}(Technique):\n    def __init__(self, {_knobs(cls)}) -> None: ..." for cls in techniques
    ]
    return "\n\n".join(parts) + "\n"


def _parameters(entry: Any) -> str:
    """A function's parameters with their annotations as written."""
    made, starred = [], False
    for parameter in inspect.signature(entry.function).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            made.append("*")
            starred = True
        default = "" if parameter.default is parameter.empty else " = ..."
        made.append(f"{parameter.name}: {_type(parameter.annotation)}{default}")
    return ", ".join(made)


def _type(annotation: Any) -> str:
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    if "Callable[[str, int" in text:
        return "Progress | None"
    return text.replace("typing.", "").replace("nearly.graph.csr.", "").replace("numpy.", "np.")


def _knobs(cls: Any) -> str:
    return ", ".join(f"{knob.name}: Any = ..." for knob in cls.dials.values())


if __name__ == "__main__":
    STUB.write_text(stub())
