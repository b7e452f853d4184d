"""Names and attribute columns in an .npz: strings as their bytes and where each begins, anything else as an array.

`meta.json` lists the columns; the arrays of column k are `vertex0.npy` (or `edge0.npy`) and, of strings, its bounds and
which are missing. Nothing that a file says of sizes is believed before the arrays are there and fit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.base.memory import require
from nearly.graph.io.npz_arrays import ArrayFile
from nearly.graph.names import Names

_BYTES, _PLACES, _NUMBERS = ("|u1",), ("<u8",), ("<i8", "<u8", "<f4", "<f8")
_MOST = 10_000  # columns


def name_arrays(prefix: str, names: Names) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What `meta.json` says of names, and their arrays."""
    arrays = {f"{prefix}_bytes": names.data, f"{prefix}_bounds": names.bounds}
    return {"bytes": int(names.data.size), "count": names.size}, arrays


def read_names(file: ArrayFile, prefix: str, meta: Any, count: int, mapped: bool) -> Names:
    """Names that `name_arrays` described."""
    size = meta.get("bytes") if isinstance(meta, dict) else None
    if type(size) is not int or not count <= size < 2**62:
        raise file.bad("what the file says of its names makes no sense; write it again with nearly")
    sizes = {f"{prefix}_bytes": size, f"{prefix}_bounds": count + 1}
    arrays = file.arrays(sizes, {f"{prefix}_bytes": _BYTES, f"{prefix}_bounds": _PLACES}, mapped)
    data, bounds = arrays[f"{prefix}_bytes"], arrays[f"{prefix}_bounds"]
    rising = bool((bounds[1:] > bounds[:-1]).all()) and int(bounds[0]) == 0 and int(bounds[-1]) == size
    if not rising or (data[bounds[1:].astype(np.int64) - 1] != 0).any():
        raise file.bad(f"{prefix}_bounds.npy does not fit the names; write the file again with nearly")
    require(size, "the names of the file")
    try:
        data.tobytes().decode()
    except UnicodeDecodeError:
        raise file.bad(f"{prefix}_bytes.npy holds what is no text; write the file again with nearly") from None
    return Names(data, bounds)


def column_arrays(prefix: str, columns: dict[str, np.ndarray]) -> tuple[list[dict[str, Any]], dict[str, np.ndarray]]:
    """What `meta.json` says of columns, and their arrays."""
    told, arrays = [], {}
    for k, (name, column) in enumerate(columns.items()):
        at = f"{prefix}{k}"
        meta: dict[str, Any] = {"name": name, "kind": "number"}
        if column.dtype.kind in "OU":
            values = column.tolist()
            texts, missing = Names.of(["" if v is None else v for v in values]), [v is None for v in values]
            more, held = name_arrays(at, texts)
            meta = {"name": name, "kind": "text", "names": more}
            arrays.update(held)
            arrays[f"{at}_missing"] = np.array(missing, np.uint8)
        elif column.dtype.kind == "b":
            meta["kind"], arrays[at] = "truth", column.view(np.uint8)
        else:
            kind = {"i": np.int64, "u": np.uint64}.get(column.dtype.kind, np.float64)
            arrays[at] = column.astype(np.float32 if column.dtype == np.float32 else kind)
        told.append(meta)
    return told, arrays


def read_columns(file: ArrayFile, prefix: str, told: Any, count: int, mapped: bool) -> dict[str, np.ndarray]:
    """Columns that `column_arrays` described."""
    sound = isinstance(told, list) and len(told) <= _MOST and all(isinstance(meta, dict) for meta in told)
    if not sound or not all(isinstance(meta.get("name"), str) for meta in told):
        raise file.bad("what the file says of its columns makes no sense; write it again with nearly")
    columns = {}
    for k, meta in enumerate(told):
        at, kind = f"{prefix}{k}", meta.get("kind")
        if kind == "text":
            texts = read_names(file, at, meta.get("names"), count, mapped)
            missing = file.arrays({f"{at}_missing": count}, {f"{at}_missing": _BYTES}, mapped)[f"{at}_missing"]
            column = texts.array.astype(object)
            column[missing != 0] = None
        elif kind == "truth":
            column = file.arrays({at: count}, {at: _BYTES}, mapped)[at] != 0
        else:
            column = file.arrays({at: count}, {at: _NUMBERS}, mapped)[at]
        columns[meta["name"]] = column
    return columns
