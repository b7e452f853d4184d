"""Every reader under arbitrary and mutated bytes: a graph or one of our errors, in bounded memory, nothing else."""

from __future__ import annotations

import gzip
import resource
import zlib
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import nearly
from nearly import Graph, NearlyError

BUDGET = 64 << 20
LEEWAY = 512 << 10  # KiB: the budget, and what compiling a kernel takes
DESCRIBED = ["graphml", "gexf", "gml", "net", "json"]
EXTENSIONS = ["txt", "csv", "mtx", "gr", "graph", "npz", "parquet", "sg", "wsg", *DESCRIBED]
WORDS = [
    b"0", b"1", b"2", b"7", b"-1", b"1e5", b"nan", b"inf", b"0.5", b"99999999999", b"18446744073709551616", b"1" * 400,
    b" ", b"\t", b",", b",,", b"\n", b"\r\n", b"\n\n", b"\x00", b"\xff", b"\xef\xbb\xbf", b"#", b"%", b"c ", b"a ",
    b"%%MatrixMarket matrix coordinate real general\n", b"%%MatrixMarket matrix coordinate pattern symmetric\n",
    b"# nearly graph: vertices=3 directed=0 weights=float32 ids=listed\n", b"# vertex 5\n", b'# vertex "x"\n',
    b"vertices=99999999", b"3 3 2\n", b"p sp 3 2", b"source,target\n", b"alice", b"# Undirected graph\n",
    b"3 2 011 1\n", b"x", b'"', b"PK\x03\x04", b"PAR1", b"\x93NUMPY", b"\xc3\xbc", b'"a ""b"" c"', b"#x", b"[", b"]",
    b"<node id='1'/>", b"<!ENTITY a 'b'>", b"<!DOCTYPE g [<!ENTITY x '1'>]>", b"&#65;", b"&x;", b"<data key='d0'>",
    b"*Arcs\n",    b"*Vertices 999999999\n", b"node [ id 1 ]", b'{"id": 7}', b"[" * 300, b"<g>" * 300, b"null", b"{",
]  # fmt: skip


@pytest.fixture(autouse=True)
def budget(monkeypatch):
    monkeypatch.setenv("NEARLY_MEMORY", str(BUDGET))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz")


def survives(path: Path, **options) -> bool:
    """Whether the file is a graph; anything but a sound graph or one of our errors fails the test."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        graph = nearly.read(path, **options)
        graph.validate()
    except NearlyError:
        return False
    else:
        assert graph.n >= 0
        assert graph.ids is None or len(graph.ids.tolist()) == graph.n
        assert all(len(column) == graph.n for column in (graph.vertices or {}).values())
        assert graph.edges is None or len(graph.edges["source"]) <= graph.m
        return True
    finally:
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        assert grown < LEEWAY, "a small file took more memory than the budget and the compiler together"


@cache
def specimens() -> dict[str, list[bytes]]:
    """Valid files of every format, to be mutated."""
    rng = np.random.default_rng(9)
    src, dst = rng.integers(0, 12, (2, 40))
    plain = Graph.from_edges(src, dst, n=14)
    weighted = Graph.from_edges(src, dst, rng.random(40), n=14, directed=False)
    whole = Graph.from_edges(src, dst, rng.integers(0, 9, 40), n=14, directed=False)
    named = Graph._trusted(weighted.arrays, False, np.array([f"v{i:02}" for i in range(14)]))
    sparse = Graph._trusted(plain.arrays, True, np.arange(14) ** 3 + 2)
    told = named.with_vertices({"size": np.arange(14.0), "note": ["x", None] * 7}).with_edges(
        {"year": np.arange(np.count_nonzero(named.arc_sources() <= named.targets))}
    )
    found: dict[str, list[bytes]] = {}
    for extension in EXTENSIONS:
        if extension in ("gr", "graph"):
            continue
        kinds = (plain, whole) if extension in ("sg", "wsg") else (plain, weighted, named, sparse, told)
        found[extension] = [_bytes_of(g, extension) for g in kinds]
    arcs = list(zip((plain.arc_sources() + 1).tolist(), (plain.targets + 1).tolist()))
    found["gr"] = ["\n".join(["c x", f"p sp 14 {len(arcs)}", *(f"a {u} {v} 3" for u, v in arcs), ""]).encode()]
    rows = [[] for _ in range(14)]
    both = list(zip(weighted.arc_sources().tolist(), (weighted.targets + 1).tolist()))
    for u, v in both:
        rows[u].append(str(v))
    loops = sum(u + 1 == v for u, v in both)
    head = f"14 {(len(both) + loops) // 2}"
    found["graph"] = [
        "\n".join([head, *(" ".join(row) for row in rows), ""]).encode(),
        "\n".join([f"{head} 11", *(" ".join(["9", *(f"{v} 4" for v in row)]) for row in rows), ""]).encode(),
    ]
    return found


def _bytes_of(graph: Graph, extension: str) -> bytes:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        graph.save(Path(folder) / f"g.{extension}")
        return (Path(folder) / f"g.{extension}").read_bytes()


def mutated(data: bytes, rng: np.random.Generator) -> bytes:
    """`data` with a few bytes changed, cut, repeated or put in, most of them where heads and directories are."""
    work = bytearray(data)
    for _ in range(int(rng.integers(1, 5))):
        if not work:
            break
        edge = min(len(work), 400)
        at = int(rng.choice([rng.integers(len(work)), rng.integers(edge), len(work) - 1 - rng.integers(edge)]))
        action = int(rng.integers(6))
        if action == 0:
            work[at] = int(rng.integers(256))
        elif action == 1:
            work[at] ^= 1 << int(rng.integers(8))
        elif action == 2:
            del work[at : at + int(rng.integers(1, 20))]
        elif action == 3:
            work[at:at] = WORDS[int(rng.integers(len(WORDS)))]
        elif action == 4:
            work[at:at] = work[at : at + int(rng.integers(1, 60))]
        else:
            del work[at:]
    return bytes(work)


def fuzz(place: Path, extension: str, seed: int, count: int) -> None:
    rng = np.random.default_rng([seed, EXTENSIONS.index(extension)])
    path = place / f"f.{extension}"
    for _ in range(count):
        specimen = specimens()[extension][int(rng.integers(len(specimens()[extension])))]
        data = mutated(specimen, rng)
        if extension not in ("npz", "parquet", "sg", "wsg") and rng.random() < 0.2:
            packed = gzip.compress(data, 1)
            data = mutated(packed, rng) if rng.random() < 0.5 else packed
        path.write_bytes(data)
        survives(path, mmap=bool(rng.integers(2)), directed=[None, True, False][int(rng.integers(3))])


def test_specimens_are_sound(place):
    for extension, files in specimens().items():
        for data in files:
            (place / f"s.{extension}").write_bytes(data)
            assert survives(place / f"s.{extension}"), extension


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_mutated_files(place, extension):
    fuzz(place, extension, 1, 120)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("extension", EXTENSIONS)
def test_many_mutated_files(place, extension, seed):
    fuzz(place, extension, 100 + seed, 3000)


soups = st.lists(st.sampled_from(WORDS), max_size=25).map(b"".join)
lines = st.lists(st.lists(st.sampled_from(WORDS[:12]), max_size=4).map(b" ".join), max_size=12).map(b"\n".join)
contents = st.one_of(st.binary(max_size=200), soups, lines)
relaxed = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_soups(place, extension):
    @relaxed
    @given(contents, st.booleans(), st.sampled_from(["reject", "keep"]), st.sampled_from(["reject", "drop"]))
    def check(data, weights, negative, nan):
        path = place / f"soup.{extension}"
        path.write_bytes(data)
        survives(path, weights=weights, negative=negative, nan=nan)

    check()


@settings(relaxed, max_examples=25)
@given(
    st.lists(
        st.tuples(st.integers(0, 2**18), st.sampled_from(["0 1\n", "\n", "0", "5 5 5\n", "#", "1 2 nan\n"])), max_size=3
    )
)
def test_bombs(place, parts):
    """Small files that unpack to a great deal of one thing."""
    packer = zlib.compressobj(1, wbits=31)
    data = b"".join(packer.compress(word.encode() * (count // len(word))) for count, word in parts) + packer.flush()
    path = place / "bomb.txt.gz"
    path.write_bytes(data)
    survives(path)
