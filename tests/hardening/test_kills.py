"""kill -9 at any moment: under a final name there is the old file or the new one, whole.

Two writers of the same files are killed here; a thousand kills of commands, of the compiler and of writes to caches and
checkpoints are a part of the campaign (`tests/campaign/kills`), of which a few are made here.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

import nearly
from nearly import Graph
from nearly.engine.transform import disk_cache

ROOT = Path(__file__).resolve().parent.parent.parent
NEW = Graph.from_edges([0, 1, 2], [1, 2, 0], [1.5, 2, 3], directed=False)
WRITER = """
    import sys
    import numpy as np
    import nearly
    from nearly.engine.transform import disk_cache
    folder = sys.argv[1]
    graphs = [nearly.Graph.from_edges(np.arange(k), np.arange(k) + 1) for k in (20_000, 30_000)]
    print("ready", flush=True)
    for turn in range(10**6):
        graph = graphs[turn % 2]
        for name in ("g.npz", "g.txt", "g.csv"):
            graph.save(f"{folder}/{name}")
        disk_cache.store("one", {"sizes": {"a": 9000}}, {"a": np.full(9000, turn % 2, np.uint32)})
"""


def kill_writers(folder, kills: int) -> int:
    """Two writers of the same files, killed at random moments; how often a file was there and sound."""
    rng, sound = random.Random(24), 0
    environment = {**os.environ, "NEARLY_CACHE_DIR": str(folder / "cache")}
    command = [sys.executable, "-c", textwrap.dedent(WRITER), str(folder)]
    for _ in range(kills):
        writers = [subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) for _ in range(2)]
        for writer in writers:
            writer.stdout.readline()
        time.sleep(rng.uniform(0.0, 0.3))
        for writer in writers:
            writer.send_signal(signal.SIGKILL)
            writer.wait()
            writer.stdout.close()
        for name in ("g.npz", "g.txt", "g.csv"):
            if (folder / name).exists():
                graph = nearly.read(folder / name)
                graph.validate()
                assert graph.m in (20_000, 30_000)
                sound += 1
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("NEARLY_CACHE_DIR", str(folder / "cache"))
            kept = disk_cache.load("one", lambda meta: meta["sizes"])
            assert kept is None or np.unique(kept.arrays["a"]).size == 1
    return sound


def test_killed_writers_leave_whole_files(tmp_path):
    assert kill_writers(tmp_path, 3)
    for name in ("g.npz", "g.txt", "g.csv"):
        NEW.save(tmp_path / name)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cache", "g.csv", "g.npz", "g.txt"]


@pytest.mark.full
def test_many_killed_writers(tmp_path):
    assert kill_writers(tmp_path, 500)


KILLS = 12  # of a thousand that a campaign makes


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_killed_at_any_moment_nothing_is_partial():
    """In a process of its own, from which children are forked: see `tests/campaign/kills`."""
    command = [sys.executable, "-m", "tests.campaign", "--part", "kills", "--cases", str(KILLS), "--minutes", "5"]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}  # so that a child works at once
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"| kills | {KILLS} |" in done.stdout
