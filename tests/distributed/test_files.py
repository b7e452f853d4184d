"""Graphs from many files, saved and opened graphs, and values written by the workers."""

from __future__ import annotations

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

import nearly
import nearly.distributed as nd


def same(one: nearly.Graph, other: nearly.Graph) -> bool:
    ids = (one.ids is None and other.ids is None) or np.array_equal(one.ids, other.ids)
    arrays = all(np.array_equal(a, b) and a.dtype == b.dtype for a, b in zip(one.arrays, other.arrays))
    return ids and arrays and one.directed == other.directed


def edges(kind: str, seed: int = 5, m: int = 400):
    rng = np.random.default_rng(seed)
    src, dst = rng.integers(0, 90, (2, m))
    if kind == "names":
        return [f"v{k:x}" for k in src * 7], [f"v{k:x}" for k in dst * 7]
    if kind == "wide":  # near the largest that readers take, in some files
        return [(2**63 - 1 - int(k) if i < 100 else int(k)) for i, k in enumerate(src)], dst.tolist()
    spread = {"dense": 1, "sparse": 1_000_003}[kind]
    return (src * spread).tolist(), (dst * spread).tolist()


def write(folder, kind: str, ending: str, weights=None, files: int = 3) -> list[str]:
    """The edges in one file, all.*, and in several, part-*.*; rows of the one in the order of the others."""
    src, dst = edges(kind)
    columns = {"source": src, "target": dst, **({} if weights is None else {"weight": weights})}
    rows = len(src)
    cuts = [rows * k // files for k in range(files + 1)]
    for name, low, high in [("all", 0, rows), *((f"part-{k}", cuts[k], cuts[k + 1]) for k in range(files))]:
        some = {key: value[low:high] for key, value in columns.items()}
        path = folder / f"{name}{ending}"
        if ending == ".parquet":
            parquet.write_table(pyarrow.table(some), path)
        else:
            mark = "," if ending == ".csv" else " "
            lines = [mark.join(map(str, row)) for row in zip(*some.values())]
            head = [mark.join(some)] if ending == ".csv" else []
            path.write_text("\n".join([*head, *lines]) + "\n")
    return [str(folder / f"all{ending}"), str(folder / f"part-*{ending}")]


@pytest.mark.parametrize(
    ("kind", "ending"),
    [("dense", ".parquet"), ("sparse", ".parquet"), ("names", ".parquet"), ("sparse", ".csv"), ("names", ".csv"),
     ("wide", ".txt"), ("dense", ".txt")],
)  # fmt: skip
def test_many_files_are_one_graph(client, tmp_path, kind, ending):
    one, many = write(tmp_path, kind, ending)
    for directed in (True, False):
        right = nearly.read(one, directed=directed)
        dg = nd.read(many, client, directed=directed, parts=3)
        assert same(dg.to_graph(), right)
    if right.ids is not None:
        name = right.ids[7].item()
        assert dg.index(name) == 7
        with pytest.raises(nearly.InvalidArgumentError, match="is not the id of a vertex"):
            dg.index("nobody" if kind == "names" else 500)
    if kind == "names":
        assert np.array_equal(nd.bfs(dg, name).values.compute(), nearly.bfs(right, name).values)


@pytest.mark.parametrize("policy", [None, "first", "sum", "keep"])
def test_weights_and_parallel_edges(client, tmp_path, policy):
    weights = (np.random.default_rng(1).integers(1, 50, 400) / 4).tolist()
    one, many = write(tmp_path, "sparse", ".parquet", weights)
    right = nearly.read(one, duplicates=policy)
    assert same(nd.read(many, client, duplicates=policy, parts=2).to_graph(), right)


def test_parts_of_our_own_format(client, tmp_path):
    one, _ = write(tmp_path, "sparse", ".parquet")
    for k in range(3):
        nearly.write(nearly.read(tmp_path / f"part-{k}.parquet"), tmp_path / f"part-{k}.npz")
    assert same(nd.read(tmp_path / "part-*.npz", client).to_graph(), nearly.read(one))


def test_rmat_is_the_same_graph(client):
    for settings in ({}, {"directed": False, "weights": "int"}, {"simple": False, "permute": False}):
        right = nearly.generate.rmat(8, 6, seed=3, **settings)
        assert same(nd.generate.rmat(8, 6, seed=3, client=client, parts=3, **settings).to_graph(), right)


def test_saved_graphs_open(client, tmp_path):
    _, many = write(tmp_path, "names", ".parquet")
    dg = nd.read(many, client, parts=3)
    dg.save(tmp_path / "kept")
    again = nd.open(tmp_path / "kept", client)
    assert again.parts == 3
    assert same(again.to_graph(), dg.to_graph())
    r = nd.connected_components(again)
    files = r.values.to_parquet(tmp_path / "components")
    assert len(files) == 3
    table = parquet.read_table(tmp_path / "components")
    assert table.column_names == ["vertex", "component"]
    assert table["vertex"].to_pylist() == dg.to_graph().ids.tolist()
    assert np.array_equal(table["component"].to_numpy(), r.values.compute())
    (tmp_path / "kept" / "part-00001.npz").write_bytes(b"nothing")
    with pytest.raises(nearly.GraphFormatError, match=r"part-00001.npz"):
        nd.open(tmp_path / "kept", client)
    with pytest.raises(nearly.NearlyError, match="is no saved graph"):
        nd.open(tmp_path / "nowhere", client)


def test_bad_rows_name_file_and_line(client, tmp_path):
    write(tmp_path, "sparse", ".txt")
    with open(tmp_path / "part-1.txt", "a") as file:
        file.write("12 x13\n")
    with pytest.raises(nearly.GraphFormatError, match=r"part-1.txt, line 1?\d\d") as caught:
        nd.read(tmp_path / "part-*.txt", client)
    assert caught.value.line == len((tmp_path / "part-1.txt").read_text().splitlines())


def test_files_that_do_not_fit_together(client, tmp_path):
    (tmp_path / "a.txt").write_text("1 2 0.5\n")
    (tmp_path / "b.txt").write_text("1 2\n")
    (tmp_path / "c.txt").write_text("# Undirected graph\n1 2\n")
    (tmp_path / "d.txt").write_text("x y\n")
    for names, why in (("ab", "some files have weights"), ("bc", "undirected"), ("bd", "by words and others")):
        with pytest.raises(nearly.InvalidGraphError, match=why):
            nd.read([tmp_path / f"{name}.txt" for name in names], client)
    with pytest.raises(nearly.NearlyError, match="no file has such a name"):
        nd.read(tmp_path / "*.parquet", client)


def test_rows_have_the_names_of_the_files(client, tmp_path):
    one, many = write(tmp_path, "names", ".csv")
    r, right = nd.pagerank(nd.read(many, client)), nearly.pagerank(nearly.read(one))
    assert [name for name, _ in r.top(5)] == [name for name, _ in right.top(5)]
    assert r["v0"] == pytest.approx(right["v0"], rel=1e-6)
    assert r.to_pandas().shape == (len(right), 2)
