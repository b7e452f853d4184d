"""For the tests of readers and writers: files from text, errors that say what they must, equality down to types."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nearly
from nearly import Graph


def put(folder: Path, name: str, text: str | bytes) -> Path:
    """A file with this text, gzipped where its name says so."""
    path = folder / name
    data = text.encode() if isinstance(text, str) else text
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


def refused(
    path: Path, error: type[nearly.NearlyError], *words: str, line: int | None = None, **options: Any
) -> Exception:
    """Read `path`, which must fail with `error`; its message must name the file and the line and hold `words`."""
    before = folder_state(path.parent)
    with pytest.raises(error) as caught:
        nearly.read(path, **options).validate()
    message = str(caught.value)
    assert path.name in message or error is not nearly.GraphFormatError
    if line is not None:
        assert caught.value.line == line
        assert f"line {line}:" in message
    for word in words:
        assert word in message
    assert "\n" not in message
    assert folder_state(path.parent) == before, "a failed read left something behind"
    return caught.value


def folder_state(folder: Path) -> dict[str, bytes | None]:
    """Every file of a folder with its bytes."""
    return {p.name: p.read_bytes() if p.is_file() else None for p in sorted(folder.iterdir())}


def arcs(graph: Graph) -> list[tuple]:
    """(source, target) or (source, target, weight) of every arc, in terms of the original ids."""
    ids = np.arange(graph.n) if graph.ids is None else graph.ids
    ends = [ids[graph.arc_sources()].tolist(), ids[graph.targets].tolist()]
    return list(zip(*ends)) if graph.weights is None else list(zip(*ends, graph.weights.tolist()))


def assert_same(a: Graph, b: Graph) -> None:
    """Equal, with equal types."""
    assert a == b
    assert a.fingerprint == b.fingerprint or a.ids is not None
    for one, other in zip(a.arrays, b.arrays):
        assert one.dtype == other.dtype
    if a.ids is not None:
        assert a.ids.dtype.kind == b.ids.dtype.kind


def sample_graphs() -> dict[str, Graph]:
    """Graphs that a file format must carry: every weight type, isolated vertices, every kind of ids, parallel edges."""
    rng = np.random.default_rng(7)
    src, dst = rng.integers(0, 9, (2, 30))
    weights = {
        "unweighted": (None, None),
        "uint32": (rng.integers(0, 2**32, 30), None),
        "float32": (rng.random(30), "float32"),
        "whole float32": (np.arange(30.0), "float32"),
        "float64": (rng.random(30) * 10.0 ** rng.integers(-9, 9, 30), "float64"),
        "negative": (-rng.random(30), "float32"),
    }
    ids = {
        "": None,
        ", sparse ids": np.arange(12) ** 4 + 5,
        ", falling ids": np.arange(12)[::-1] * 3,
        ", ids like vertices": np.arange(12),
        ", negative ids": np.arange(-5, 7),
        ", names": np.array([f"v {i:02}, \n\"'#" for i in range(12)]),
        ", names like numbers": np.array([str(10 + i) for i in range(12)]),
        ", unsorted names": np.array(list("zyxwvutsrqpo")),
    }
    graphs = {}
    for directed in (True, False):
        for kind, (values, dtype) in weights.items():
            g = Graph.from_edges(src, dst, values, 12, directed, negative="keep", weight_dtype=dtype)
            for name, labels in ids.items():
                if name == "" or kind in ("unweighted", "float32"):
                    graphs[f"{'directed' if directed else 'undirected'} {kind}{name}"] = Graph._trusted(
                        g.arrays, directed, labels
                    )
        parallel = Graph.from_edges(src, dst % 3, weights["float32"][0], 12, directed, duplicates="keep")
        graphs[f"{'directed' if directed else 'undirected'} parallel"] = parallel
    graphs["no edges"] = Graph.from_edges([], [], n=4)
    graphs["no edges, undirected, weighted"] = Graph.from_edges([], [], [], 3, False, weight_dtype="float32")
    graphs["no vertices"] = Graph.from_edges([], [])
    return graphs
