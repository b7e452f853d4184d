"""NetworkX's own tests, run with this backend in its place wherever it answers.

By default those of the modules it serves; `full` runs all of NetworkX. Either way a plugin counts which functions
really answered (see `counting`). Tests that must fail are listed with reasons in
`nearly.adapters.networkx.expected_failures`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from nearly.adapters.networkx.dispatch import functions
from nearly.adapters.networkx.expected_failures import EXPECTED_FAILURES

HERE = Path(__file__).resolve().parent
MODULES = """
    centrality.tests.test_betweenness_centrality centrality.tests.test_closeness_centrality
    centrality.tests.test_degree_centrality centrality.tests.test_harmonic_centrality
    centrality.tests.test_eigenvector_centrality centrality.tests.test_katz_centrality link_analysis.tests.test_hits
    link_analysis.tests.test_pagerank components.tests shortest_paths.tests traversal.tests.test_bfs
    traversal.tests.test_dfs tree.tests.test_mst tree.tests.test_recognition coloring.tests
    community.tests.test_label_propagation community.tests.test_louvain tests.test_cluster tests.test_core
    tests.test_mis tests.test_dag tests.test_efficiency tests.test_isolate tests.test_reciprocity tests.test_wiener
    tests.test_bridges tests.test_link_prediction bipartite.tests.test_basic bipartite.tests.test_centrality
    assortativity.tests centrality.tests.test_group centrality.tests.test_reaching community.tests.test_leiden
    community.tests.test_quality connectivity.tests.test_edge_kcomponents tests.test_euler tests.test_hierarchy
    tests.test_richclub tests.test_smetric tests.test_voronoi
"""
SOLID = """
    pagerank betweenness_centrality edge_betweenness_centrality connected_components strongly_connected_components
    weakly_connected_components bfs_edges bfs_layers single_source_shortest_path_length
    single_source_dijkstra_path_length dijkstra_path minimum_spanning_tree minimum_spanning_edges triangles clustering
    transitivity core_number k_core louvain_communities eigenvector_centrality katz_centrality hits
"""


def run_suite(folder: Path, *arguments: str) -> Counter[str]:
    """How often each function answered in a run without failures; what is expected to fail must do so."""
    counts = folder / "counts.json"
    environment = {
        **os.environ,
        "NETWORKX_TEST_BACKEND": "nearly",
        "NETWORKX_FALLBACK_TO_NX": "True",
        "NEARLY_COUNTS": str(counts),
        "PYTHONPATH": os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH", "")])),
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "counting", "-p", "no:cacheprovider", "-p", "no:xdist"]
    done = subprocess.run(
        [*command, "--tb=short", "--pyargs", *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    return Counter(json.loads(counts.read_text()))


def test_the_modules_it_serves(tmp_path):
    counts = run_suite(tmp_path, *(f"networkx.algorithms.{module}" for module in MODULES.split()))
    assert len(counts) >= 140, f"only {len(counts)} functions answered: {sorted(counts)}"
    assert set(SOLID.split()) <= counts.keys()


@pytest.mark.full
def test_the_whole_suite(tmp_path):
    counts = run_suite(tmp_path, "networkx")
    assert functions().keys() - counts.keys() <= {"generic_bfs_edges"}  # called with neighbours of its own only


def test_expected_failures_are_few_and_explained():
    assert len(EXPECTED_FAILURES) <= 15
    assert all(reason for reason in EXPECTED_FAILURES.values())
