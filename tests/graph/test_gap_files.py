"""Files of the GAP benchmark suite: written and read back, byte for byte as its converter makes them."""

from __future__ import annotations

import struct

import numpy as np
import pytest

import nearly
from nearly import Graph, GraphFormatError, InvalidArgumentError

pytestmark = pytest.mark.small


def some_graph(directed, weights):
    rng = np.random.default_rng(3)
    src, dst = rng.integers(0, 30, (2, 90))
    return Graph.from_edges(src, dst, rng.integers(0, 99, 90) if weights else None, n=33, directed=directed)


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("extension", ["sg", "wsg"])
def test_round_trip(tmp_path, directed, extension):
    g = some_graph(directed, extension == "wsg")
    g.save(tmp_path / f"g.{extension}")
    back = nearly.read(tmp_path / f"g.{extension}")
    back.validate()
    assert back.directed == directed
    for ours, theirs in zip(g.arrays, back.arrays, strict=True):
        assert np.array_equal(ours, theirs)
        assert ours.dtype == theirs.dtype


def test_the_bytes(tmp_path):
    """Two arcs, 0 -> 1 and 2 -> 1, as the suite's converter writes them: both directions."""
    Graph.from_edges([0, 2], [1, 1]).save(tmp_path / "g.sg")
    forth, back = struct.pack("<4q2i", 0, 1, 1, 2, 1, 1), struct.pack("<4q2i", 0, 0, 2, 2, 0, 2)
    assert (tmp_path / "g.sg").read_bytes() == struct.pack("<?2q", True, 2, 3) + forth + back
    Graph.from_edges([0], [1], [7], directed=False).save(tmp_path / "g.wsg")
    assert (tmp_path / "g.wsg").read_bytes() == struct.pack("<?2q3q4i", False, 2, 2, 0, 1, 2, 1, 7, 0, 7)


def test_weights_are_left_out_or_are_1(tmp_path):
    g = some_graph(True, True)
    g.save(tmp_path / "g.sg")
    assert not nearly.read(tmp_path / "g.sg").weighted
    some_graph(True, False).save(tmp_path / "g.wsg")
    assert set(nearly.read(tmp_path / "g.wsg").weights.tolist()) == {1}
    assert not nearly.read(tmp_path / "g.wsg", weights=False).weighted


def test_what_cannot_be_written(tmp_path):
    half = Graph.from_edges([0], [1], [0.5])
    with pytest.raises(InvalidArgumentError, match="whole weights"):
        half.save(tmp_path / "g.wsg")
    assert not (tmp_path / "g.wsg").exists()
    with pytest.raises(InvalidArgumentError, match="are not gzipped"):
        half.save(tmp_path / "g.sg.gz")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "fewer than the head"),
        (struct.pack("<?2q", True, 2, 3), "does not fit 17 bytes"),
        (struct.pack("<?2q3qi", False, 1, 2, 0, 1, 1, 5), "5"),
        (struct.pack("<?2q3qi", False, 1, 2, 0, 7, 1, 0), "offsets must not fall"),
        (struct.pack("<?2q", False, -1, -1), "does not fit"),
        (struct.pack("<B2q3qi", 9, 1, 2, 0, 1, 1, 1), "does not fit"),
    ],
)
def test_damaged_files(tmp_path, data, why):
    (tmp_path / "g.sg").write_bytes(data)
    with pytest.raises(GraphFormatError, match=why):
        nearly.read(tmp_path / "g.sg")


def test_negative_weights(tmp_path):
    (tmp_path / "g.wsg").write_bytes(struct.pack("<?2q3q4i", False, 2, 2, 0, 1, 2, 1, -7, 0, -7))
    with pytest.raises(GraphFormatError, match="negative"):
        nearly.read(tmp_path / "g.wsg")
    assert nearly.read(tmp_path / "g.wsg", negative="keep").weights.tolist() == [-7, -7]
