"""Results to files: one row per vertex, per arc, or per chosen arc, with the input's own ids.

.csv, .parquet and .json carry the ids beside the columns; .npy holds the values alone.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from nearly.base.errors import InvalidArgumentError, MissingDependencyError
from nearly.base.files import replacing
from nearly.engine.result import Result
from nearly.engine.result_columns import picked, subject_of
from nearly.graph.csr import Graph

FORMATS = (".csv", ".parquet", ".npy", ".json")


def check_format(path: str | os.PathLike[str]) -> str:
    """The extension, or an error that lists the possible ones."""
    extension = Path(path).suffix.lower()
    if extension not in FORMATS:
        raise InvalidArgumentError(
            f"{path}: results are written as {', '.join(FORMATS)}, not {extension or 'no extension'!r}"
        )
    return extension


def number_or_none(value: Any) -> float | None:
    """A number for JSON: None where there is none, or it is not finite."""
    return None if value is None or not np.isfinite(value) else float(value)


def columns_of(graph: Graph, result: Result) -> dict[str, np.ndarray]:
    """What a table of the result has: vertices and values, the first ones alone, chosen arcs, or bare values.

    A result without values, such as a total within a budget, has its numbers by name.
    """
    if result.values is None:
        numbers = result.scalars
        return {"name": np.array(list(numbers)), "value": np.array(list(numbers.values()), np.float64)}
    values = np.asarray(result.values)
    ids = np.arange(graph.n) if graph.ids is None else graph.ids
    if values is getattr(result, "edges", None):
        offsets, targets, _ = graph.arrays
        sources = np.searchsorted(offsets, values.astype(np.uint64), side="right") - 1
        columns = {"source": ids[sources], "target": ids[targets[values]]}
        return {**columns, **({"weight": graph.weights[values]} if graph.weights is not None else {}), "arc": values}
    subject = subject_of(result, graph)
    ends = {key: ids[index] for key, index in zip(subject.keys, subject.indices)}
    return {**ends, "value": picked(values, subject)}


def write_result(graph: Graph, result: Result, path: str | os.PathLike[str]) -> None:
    """Write a result in the format of the file's extension."""
    extension = check_format(path)
    columns = columns_of(graph, result)
    with replacing(path) as file:
        if extension == ".npy":
            values = columns["value"] if result.values is None else np.asarray(result.values)
            np.save(file, values, allow_pickle=False)
        elif extension == ".json":
            file.write(json.dumps(_document(result, columns)).encode())
        elif extension == ".csv":
            _write_csv(file, columns)
        else:
            _write_parquet(file, columns)


def _document(result: Result, columns: dict[str, np.ndarray]) -> dict[str, Any]:
    def plain(value: Any) -> Any:
        return None if isinstance(value, float) and not np.isfinite(value) else value

    listed = {name: [plain(x) for x in column.tolist()] for name, column in columns.items()}
    return {"algorithm": result.algorithm, "guarantee": result.guarantee, **listed}


def _write_csv(file: Any, columns: dict[str, np.ndarray]) -> None:
    file.write((",".join(columns) + "\n").encode())
    step = 1 << 16
    for low in range(0, len(next(iter(columns.values()))), step):
        parts = [column[low : low + step].tolist() for column in columns.values()]
        file.write("".join(",".join(map(_field, row)) + "\n" for row in zip(*parts)).encode())


def _field(value: Any) -> str:
    text = str(value)
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\n\r') else text


def _write_parquet(file: Any, columns: dict[str, np.ndarray]) -> None:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingDependencyError("writing .parquet needs pyarrow: pip install 'nearly[parquet]'") from None
    pq.write_table(pa.table({name: pa.array(column) for name, column in columns.items()}), file)
