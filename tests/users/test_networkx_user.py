"""A NetworkX script, unchanged, with the backend switched on from outside: the same answers, no small call slower."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).with_name("networkx_script.py")


def answers(**settings):
    """What the script prints with these environment variables."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("NETWORKX_")}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(SCRIPT)],
        env={**clean, **settings}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


def test_a_script_unchanged(tmp_path):
    plain = answers()
    assert not plain["compiled"]
    never_compiled = answers(NETWORKX_BACKEND_PRIORITY="nearly", NEARLY_CACHE_DIR=str(tmp_path))
    assert never_compiled == plain  # compiling would take longer than NetworkX does: nothing is even imported


def test_large_enough_calls_are_handed_over():
    program = (
        "import networkx as nx\n"
        "from nearly.adapters.networkx import worth\n"
        "G = nx.gnm_random_graph(600, 3000, seed=7)\n"
        "worth.COMPILING = worth.LOADING = 0.0  # as if all were ready\n"
        "nx.betweenness_centrality(G)\n"
        "assert worth.readiness.hot, 'it was not handed over'\n"
    )
    environment = {**os.environ, "NETWORKX_BACKEND_PRIORITY": "nearly"}
    subprocess.run([sys.executable, "-W", "ignore", "-c", program], env=environment, check=True)
