"""One cluster for all tests of a file: two worker processes of one thread, which share the cache of kernels."""

from __future__ import annotations

import pytest
from distributed import Client, LocalCluster


@pytest.fixture(scope="package")
def client():
    settings = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    with LocalCluster(**settings) as cluster, Client(cluster) as found:
        yield found
