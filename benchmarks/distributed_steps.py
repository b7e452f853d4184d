"""What `part_distributed` measures in processes of their own, as lines of JSON.

`python distributed_steps.py single FOLDER` reads the graph from one file with one process and two threads;
`... cluster FOLDER WORKERS` from many files with workers of one thread, and compares its answers with those before;
`... frames FOLDER ROUNDS` runs PageRank by Dask's data frames (merge and groupby) beside ours, with two workers.
Algorithms run twice, the second time counts: the first one compiles.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

QUESTIONS: dict[str, dict[str, Any]] = {
    "pagerank": {"weights": False},
    "pagerank within 1%": {"weights": False, "max_error": 0.01},
    "bfs": {"source": 0},
    "connected_components": {},
    "sssp": {"source": 0},
}


def tell(**facts: Any) -> None:
    print(json.dumps(facts), flush=True)


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def timed(work: Any, repeat: int = 1) -> tuple[float, Any]:
    """The median of some runs after a first one, and the last answer."""
    work()
    seconds, answer = [], None
    for _ in range(repeat):
        begin = time.perf_counter()
        answer = work()
        seconds.append(time.perf_counter() - begin)
    return sorted(seconds)[len(seconds) // 2], answer


def single(folder: Path) -> None:
    import nearly

    begin = time.perf_counter()
    g = nearly.read(folder / "all.parquet", directed=True)
    tell(step="read", seconds=time.perf_counter() - begin, n=g.n, m=g.m, peak=peak())
    for name, arguments in QUESTIONS.items():
        seconds, r = timed(lambda name=name, arguments=arguments: getattr(nearly, name.split()[0])(g, **arguments))
        np.save(folder / f"{name}.npy", r.values)
        tell(step=name, seconds=seconds, rounds=r.rounds, peak=peak())


def cluster(folder: Path, workers: int) -> None:
    from distributed import Client, LocalCluster

    import nearly.distributed as nd

    settings = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(**settings) as here, Client(here) as client:
        nd.read(str(folder / "part-00000.parquet"), client, directed=True)  # compiles what reads
        begin = time.perf_counter()
        dg = nd.read(str(folder / "part-*.parquet"), client, directed=True)
        tell(step="read", seconds=time.perf_counter() - begin, n=dg.n, m=dg.m, peak=max(client.run(peak).values()))
        for name, arguments in QUESTIONS.items():
            seconds, r = timed(lambda name=name, arguments=arguments: getattr(nd, name.split()[0])(dg, **arguments))
            rows, right = r.trace.to_list(), np.load(folder / f"{name}.npy")
            values = r.values.compute()
            off = float(np.abs(values - right).sum()) if name.startswith("pagerank") else int((values != right).sum())
            tell(
                step=name, seconds=seconds, rounds=r.rounds, peak=max(r.peaks), boundary=r.boundary, off=off,
                most=max(row["bytes"] for row in rows), bytes=sum(row["bytes"] for row in rows),
                computing=sum(row["computing"] for row in rows), waiting=sum(row["waiting"] for row in rows),
                balance=float(np.mean([row["balance"] for row in rows])),
            )  # fmt: skip


def frames(folder: Path, rounds: int) -> None:
    """A round of PageRank as Dask's data frames have it, and one of ours, with the same two workers.

    Ranks are merged to the edges and summed by target, round after round; ranks of vertices without arcs are left
    out, which spares the data frames a step that ours take.
    """
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    import nearly.distributed as nd

    files = [str(path) for path in sorted(folder.glob("part-*.parquet"))]
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as here, Client(here) as client:
        for parts in (8, 2):
            dg = nd.read(files, client, directed=True, weights=False, parts=parts)
            tell(step=f"boundary {parts}", parts=parts, boundary=nd.bfs(dg, 0).boundary)
        seconds, r = timed(lambda: nd.pagerank(dg), 3)
        tell(step="ours", seconds=seconds / r.rounds)
        edges = dd.read_parquet(files, columns=["source", "target"]).persist()
        degrees = edges.groupby("source").size(split_out=4).rename("degree").reset_index()
        shared = edges.merge(degrees, on="source").persist()
        ranks = degrees.assign(rank=1 / dg.n)[["source", "rank"]].persist()
        took = []
        for _ in range(rounds):
            begin = time.perf_counter()
            given = shared.merge(ranks, on="source")
            given = given.assign(part=given["rank"] / given["degree"])
            summed = given.groupby("target")["part"].sum(split_out=4)
            ranks = (0.15 / dg.n + 0.85 * summed).rename("rank").reset_index().rename(columns={"target": "source"})
            ranks = ranks.persist()
            float(ranks["rank"].sum().compute())
            took.append(time.perf_counter() - begin)
        tell(step="frames", seconds=sorted(took)[len(took) // 2])


if __name__ == "__main__":
    os.environ.setdefault("NEARLY_PROGRESS", "0")
    what, where, *more = sys.argv[1:]
    {"single": single, "cluster": cluster, "frames": frames}[what](Path(where), *map(int, more))
