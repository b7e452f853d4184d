"""Twenty workers killed at random moments, and no run lost: every answer is compared with that of one machine."""

from __future__ import annotations

import os
import signal
import threading

import numpy as np
import pytest
from distributed import Client, LocalCluster

import nearly
import nearly.distributed as nd

KILLS = 20
G = {"scale": 11, "edge_factor": 8, "seed": 4, "weights": "int"}
LONG = {"damping": 0.9999, "tol": 1e-300, "max_rounds": 150, "weights": False}  # a second or so
QUESTIONS = (
    ("pagerank", LONG), ("bfs", {"source": 3}), ("pagerank", LONG), ("sssp", {"source": 3}),
    ("pagerank", LONG), ("connected_components", {}), ("pagerank", LONG), ("kcore", {}),
    ("pagerank", LONG), ("label_propagation", {}), ("pagerank", LONG), ("triangle_count", {}),
)  # fmt: skip


@pytest.mark.full
def test_killed_workers_lose_no_run(tmp_path):
    rng, g, killed, again = np.random.default_rng(8), nearly.generate.rmat(**G), [], 0
    right = {name: getattr(nearly, name)(g, **more).values for name, more in QUESTIONS if name != "pagerank"}
    ranks = nearly.pagerank(g, damping=LONG["damping"], weights=False, tol=1e-13, max_rounds=20000).values
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
        dg = nd.generate.rmat(**G, client=client, parts=4)
        for k in range(1000):
            if len(killed) == KILLS:
                break
            name, more = QUESTIONS[k % len(QUESTIONS)]
            two_workers(cluster, client)
            victim = int(rng.choice(list(client.run(os.getpid).values())))
            over = threading.Event()
            timer = threading.Timer(rng.uniform(0, 1.5 if name == "pagerank" else 0.2), kill, (victim, over, killed))
            timer.start()
            kept = {"checkpoint": tmp_path / f"{k}", "checkpoint_every": 7} if k % 4 == 0 else {}
            r = getattr(nd, name)(dg, **more, **kept)
            over.set()
            timer.cancel()
            again += len(r.restarts)
            values = None
            while values is None:
                try:
                    values = r.values.compute()
                except nd.ClusterError:  # killed just after its run
                    r = getattr(nd, name)(dg, **more)
            if name == "pagerank":
                assert np.abs(values - ranks).sum() <= r.bound + 1e-9
            else:
                assert np.array_equal(values, right[name]), name
    assert len(killed) == KILLS
    assert again >= KILLS // 4  # many in the middle of a run


def two_workers(cluster: LocalCluster, client: Client) -> None:
    """Wait until Dask has started a worker in place of one that was killed; it may need to be asked."""
    for _ in range(5):
        try:
            return client.wait_for_workers(2, timeout=10)
        except TimeoutError:
            cluster.scale(2)
    raise TimeoutError("Dask starts no second worker")


def kill(victim: int, over: threading.Event, killed: list[int]) -> None:
    """End a worker as by a machine that loses its power, unless the run is over."""
    if not over.is_set():
        os.kill(victim, signal.SIGKILL)
        killed.append(victim)
