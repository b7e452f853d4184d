"""`nearly cache`: list the transformed graphs that are kept on disk, or clear them."""

from __future__ import annotations

import datetime
from typing import Annotated

import typer

from nearly.base.files import sweep
from nearly.base.kernel_cache import folder as kernel_folder
from nearly.base.memory import human_bytes
from nearly.cli import output
from nearly.cli.options import new_app
from nearly.engine.transform import disk_cache as store

app = new_app()


@app.command()
def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Remove everything that is kept, and leftovers.")] = False,
    json: output.Json = False,
) -> None:
    """List the transformed graphs kept on disk, or clear them."""
    found = store.entries()
    if clear:
        store.shrink(0)
        kernels = kernel_folder()
        if kernels is not None:
            sweep(kernels)  # what compilations that were killed have left there
    document = {
        "folder": str(store.folder()),
        "limit_bytes": store.limit(),
        "bytes": 0 if clear else sum(entry.nbytes for entry in found),
        "removed": len(found) if clear else 0,
        "entries": [] if clear else [
            {"technique": e.key, "bytes": e.nbytes, "used": _when(e.used), "file": e.path.name} for e in found
        ],
    }  # fmt: skip
    if clear:
        text = f"removed {len(found)} transformed graph{'s' * (len(found) != 1)} from {store.folder()}"
    else:
        total = human_bytes(sum(entry.nbytes for entry in found))
        text = f"{len(found)} kept in {store.folder()}: {total} of at most {human_bytes(store.limit())}"
    shown = [{"technique": e.key, "size": human_bytes(e.nbytes), "last used": _when(e.used)} for e in found]
    output.show(document, json, *([output.rows("Transformed graphs", shown)] if shown and not clear else []), text)


def _when(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds).isoformat(" ", "minutes")
