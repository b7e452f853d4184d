"""Files: nothing under a final name is partial, leftovers go, caches are checked, pipes and devices are refused."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import textwrap
import zipfile

import numpy as np
import pytest

import nearly
from nearly import FileAccessError, Graph, GraphFormatError, InvalidGraphError
from nearly.base.files import replacing, sweep
from nearly.engine.transform import disk_cache

KILLED = """
    import os, sys
    from nearly.base.files import replacing
    with replacing(sys.argv[1]) as file:
        file.write(b"half")
        file.flush()
        os.kill(os.getpid(), 9)
"""


def test_what_a_killed_writer_left_is_swept_by_the_next_of_that_name(tmp_path):
    for name in ("a.npz", "b*.npz"):
        subprocess.run([sys.executable, "-c", textwrap.dedent(KILLED), str(tmp_path / name)], check=False)
    assert len(list(tmp_path.iterdir())) == 2
    with replacing(tmp_path / "a.npz") as mine, replacing(tmp_path / "a.npz") as other:  # neither sweeps the other
        mine.write(b"first")
        other.write(b"second")
        assert len(list(tmp_path.iterdir())) == 3
        assert sweep(tmp_path, ".a*.part") == 0
    assert (tmp_path / "a.npz").read_bytes() == b"first"
    assert sweep(tmp_path) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]


def test_long_names_can_be_written(tmp_path):
    path = tmp_path / ("é" * 120 + ".bin")
    with replacing(path) as file:
        file.write(b"x")
    assert path.read_bytes() == b"x"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
@pytest.mark.parametrize("format", ["npz", "parquet", "csv", "sg", "wsg"])
def test_pipes_and_devices_are_refused_where_a_format_needs_a_file(tmp_path, format):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero", tmp_path, tmp_path / "missing"):
        with pytest.raises(FileAccessError):
            nearly.read(path, format=format)


@pytest.mark.parametrize("kind", ["<U999999999", "<U99999999", "<U0", "|O", "<c16"])
def test_ids_of_absurd_types_are_refused(tmp_path, kind):
    path = tmp_path / "g.npz"
    Graph.from_edges([0], [1]).save(path)
    content = {info.filename: zipfile.ZipFile(path).read(info) for info in zipfile.ZipFile(path).infolist()}
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": kind, "fortran_order": False, "shape": (2,)})
    content["ids.npy"] = header.getvalue()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    with pytest.raises(GraphFormatError):
        nearly.read(path)


def test_a_kept_transform_is_checked_before_it_is_used(tmp_path, monkeypatch):
    monkeypatch.setenv("NEARLY_CACHE_DIR", str(tmp_path / "cache"))
    meta = {"prefix": "", "sizes": {"weights": 3}, "seconds": 0.25}
    weights = np.array([1.5, 2.5, 3.5], np.float32)

    def find(name="one"):
        return disk_cache.load(name, lambda meta: meta["sizes"])

    disk_cache.store("one", meta, {"weights": weights})
    path = disk_cache.folder() / "one.npz"
    sound = path.read_bytes()
    assert find().arrays["weights"].tolist() == weights.tolist()
    changes = {
        "weights": sound.replace(weights.tobytes(), np.ones(3, np.float32).tobytes()),
        "notes": sound.replace(b'"seconds": 0.25', b'"seconds": 0.75'),
        "no digest": sound.replace(b'"digest"', b'"dijest"'),
    }
    for name, damaged in changes.items():
        assert damaged != sound, name
        path.write_bytes(damaged)
        assert find() is None, name
        assert not path.exists(), name
    (disk_cache.folder() / "other.npz").write_bytes(sound)
    assert find("other") is None, "an entry under another's name"
    json.dumps(meta)


def test_sums_of_weights_get_a_wider_type_or_an_error():
    ends = [0, 0], [1, 1]
    assert Graph.from_edges(*ends, [3e38, 3e38], duplicates="sum").weights.tolist() == pytest.approx([6e38])
    assert Graph.from_edges(*ends, [2**32 - 1] * 2, duplicates="sum").weights.tolist() == [2**33 - 2]
    with pytest.raises(InvalidGraphError, match="float64 holds"):
        Graph.from_edges(*ends, [1.7e308] * 2, duplicates="sum", weight_dtype="float64")


def test_sums_of_weights_in_files_too(tmp_path):
    (tmp_path / "g.txt").write_text("0 1 3e38\n0 1 3e38\n")
    with pytest.raises(InvalidGraphError, match="weight_dtype='float64'"):
        nearly.read(tmp_path / "g.txt", duplicates="sum")
    assert nearly.read(tmp_path / "g.txt", duplicates="sum", weight_dtype="float64").weights.tolist() == [6e38]


@pytest.mark.parametrize(
    ("name", "text"), [("g.csv", "a"), ("g.csv", "a\nb\n"), ("g.csv", "x\na,b\n"), ("g.txt", "a\n")]
)
def test_lines_too_short_for_an_edge(tmp_path, name, text):
    """The first word of such a line was written beyond the end of an array, and names of columns were looked for."""
    (tmp_path / name).write_text(text)
    with pytest.raises(GraphFormatError):
        nearly.read(tmp_path / name)
