"""`nearly system`: what nearly runs on here, and where its compiled kernels come from."""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import Any

from nearly import __version__
from nearly.base import kernel_cache
from nearly.base.memory import human_bytes, memory_budget
from nearly.base.threads import available_threads, get_threads
from nearly.cli import output
from nearly.cli.options import new_app

app = new_app()


@app.command()
def system(json: output.Json = False) -> None:
    """Show what nearly runs on, and where kernels come from."""
    import llvmlite.binding as llvm

    document: dict[str, Any] = {
        "nearly": __version__,
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "scipy", "numba", "llvmlite")},
        "processor": llvm.get_host_cpu_name(),
        "cores": available_threads(),
        "threads": get_threads(),
        "memory_budget_bytes": memory_budget(),
        "kernels": _kernels(),
    }
    facts = {key.replace("_bytes", "").replace("_", " "): value for key, value in document.items() if key != "kernels"}
    facts["memory budget"] = human_bytes(document["memory_budget_bytes"])
    output.show(document, json, output.facts("This machine", facts), output.facts("Kernels", _shown(document)))


def _kernels() -> dict[str, Any]:
    """The places that are searched in this order; what is in neither is compiled."""
    kept, kept_bytes = kernel_cache.kernels_kept()
    shipped, shipped_bytes = kernel_cache.kernels_kept(kernel_cache.SHIPPED)
    baseline = kernel_cache.baseline() or {}
    return {
        "kept": {"folder": str(kernel_cache.folder()), "count": kept, "bytes": kept_bytes},
        "shipped": {
            "count": shipped,
            "bytes": shipped_bytes,
            "made_for": baseline.get("processor"),
            "used": kernel_cache.shipped_for() is not None,
            "why_not": kernel_cache.why_not_shipped() or None,
        },
    }


def _shown(document: dict[str, Any]) -> dict[str, str]:
    kept, shipped = document["kernels"]["kept"], document["kernels"]["shipped"]
    came = f"{shipped['count']} for {shipped['made_for']} ({human_bytes(shipped['bytes'])})"
    return {
        "first: kept here": f"{kept['count']} in {kept['folder']} ({human_bytes(kept['bytes'])})",
        "then: in the wheel": came if shipped["used"] else f"not used: {shipped['why_not']}",
        "else": "compiled on first use, once; `nearly warm` does it for all",
    }
