"""A wheel with machine code, in a new environment with an empty cache: first calls compile nothing.

Building it compiles everything for the baseline processor, so this runs on its own: `pytest -m wheel tests/wheel`.
Where the tests themselves are compiled for the baseline (NUMBA_CPU_NAME, as in `.ci/run`), their kernels are used.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from tests.algorithms.questions import BUILT_IN

pytestmark = [pytest.mark.wheel, pytest.mark.timeout(3600)]  # all kernels are compiled where none are kept
ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "make_wheel.py"

ASK = """
import inspect, json, sys, time
import numba, numpy as np
since = time.perf_counter()
import nearly
from nearly.base.kernel_cache import spent
edges = [0, 1, 2, 3, 4, 1], [1, 2, 0, 4, 2, 4]
g = nearly.Graph.from_edges(*edges, weights=[1.0, 2, 3, 4, 5, 6] if sys.argv[1] in ("sssp", "mst") else None)
if sys.argv[1] == "mesh":
    nearly.mesh.refine(nearly.mesh.from_points(np.random.default_rng(1).random((40, 2))))
elif sys.argv[1] == "large":
    big = nearly.generate.rmat(14, 16)
    nearly.bfs(big, 0), nearly.pagerank(big), nearly.connected_components(big)
else:
    function = getattr(nearly, sys.argv[1])
    needed = [p.name for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    function(g, **{name: 0 for name in needed if name != "graph"})
print(json.dumps({"compiled": spent.compiled, "shipped": spent.shipped, "seconds": time.perf_counter() - since}))
"""
QUESTIONS = [*BUILT_IN, "mesh", "large"]


def baseline() -> dict[str, str]:
    spec = importlib.util.spec_from_file_location("make_wheel", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.BASELINE


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The Python of a new environment into which the wheel was installed."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, str(SCRIPT), "--out", str(folder / "dist")]
    here = all(os.environ.get(key) == value for key, value in baseline().items())
    if here and "NEARLY_CACHE_DIR" in os.environ:
        command += ["--cache", os.environ["NEARLY_CACHE_DIR"]]
    subprocess.run(command, check=True)
    (wheel,) = (folder / "dist").glob("*.whl")
    assert "x86_64" in wheel.name
    venv.create(folder / "env", with_pip=True)
    python = folder / "env" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", wheel], check=True)
    return python


def ask(python, question, cache):
    ours = ("PYTHON", "NUMBA_", "NEARLY_")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    environment["NEARLY_CACHE_DIR"] = str(cache)
    done = subprocess.run(
        [python, "-c", ASK, question], capture_output=True, text=True, env=environment, cwd=cache.parent, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_first_call_compiles_nothing(installed, tmp_path, question):
    found = ask(installed, question, tmp_path / "cache")
    print(question, found)
    assert found["compiled"] == 0
    assert found["shipped"] > 0


def test_damaged_kernels_are_compiled(installed, tmp_path):
    """The last test: it damages the environment."""
    home = subprocess.run(
        [installed, "-c", "import nearly; print(nearly.__path__[0])"], capture_output=True, text=True, check=True
    )
    for path in (Path(home.stdout.strip()) / "shipped").glob("*.kernel"):
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    found = ask(installed, "bfs", tmp_path / "cache")
    assert found["shipped"] == 0
    assert found["compiled"] > 0
