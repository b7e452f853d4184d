"""Workers that die, too little memory, Ctrl-C, missing packages, and questions that make no sense."""

from __future__ import annotations

import builtins
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import nearly
import nearly.distributed as nd
from nearly.distributed import programs
from nearly.distributed.cluster import workers_of

G = nearly.generate.rmat(8, 8, seed=2)


def test_a_lost_worker_does_not_lose_the_run(client, tmp_path):
    """A worker's process is killed in the middle, as by a machine that loses its power."""
    dg = nd.from_graph(G, client, parts=2)
    right = nearly.pagerank(G, damping=0.999, tol=1e-13).values
    nd.pagerank(dg, max_rounds=2)  # compiled
    victims = list(client.run(os.getpid).values())[:1]

    def kill(stage: str, done: int, total: int | None) -> None:
        if victims and done >= 10:
            os.kill(victims.pop(), signal.SIGKILL)

    arguments = {"damping": 0.999, "tol": 1e-300, "max_rounds": 600, "checkpoint_every": 5}
    r = nd.pagerank(dg, **arguments, checkpoint=tmp_path / "kept", progress=kill)
    assert not victims
    assert np.abs(r.values.compute() - right).sum() <= r.bound + 1e-9
    assert len(r.restarts) >= 1
    assert "worker" in r.restarts[0].why
    assert r.since >= 5
    assert not list((tmp_path / "kept").glob("*.npz"))


def test_a_run_goes_on_from_its_checkpoint(client, tmp_path):
    """A run that was given up is taken up by the next call; its answer is that of a run without a break."""
    folder = tmp_path / "kept"
    for name, arguments in (
        ("pagerank", {"tol": 1e-12}),
        ("label_propagation", {}),
        ("kcore", {}),
        ("bfs", {"source": 0}),
    ):
        dg = nd.from_graph(G if name != "bfs" else nearly.generate.grid(40, 40, seed=1), client, parts=2)
        whole = getattr(nd, name)(dg, **arguments)
        kept = {"checkpoint": folder / name, "checkpoint_every": 2}
        _give_up(dg, name, arguments, kept)
        again = getattr(nd, name)(dg, **arguments, **kept)
        assert again.since >= 2
        assert np.array_equal(again.values.compute(), whole.values.compute())


def _give_up(dg, name, arguments, kept):
    """Run until checkpoints are there, and leave them: they are written, and not removed, by a run that fails."""
    real = dg.call_all

    def failing(method, *more):
        if method == "tidy":
            raise RuntimeError("given up")
        return real(method, *more)

    dg.call_all = failing
    try:
        with pytest.raises(RuntimeError, match="given up"):
            getattr(nd, name)(dg, **arguments, **kept)
    finally:
        del dg.call_all


def test_ctrl_c_frees_the_workers(client):
    dg = nd.from_graph(G, client, parts=2)
    nd.pagerank(dg, max_rounds=2)
    waiting = [signal.SIGINT]

    def press(stage: str, done: int, total: int | None) -> None:  # the main thread waits for the run then
        if waiting and done >= 3:
            os.kill(os.getpid(), waiting.pop())

    with pytest.raises(KeyboardInterrupt):
        nd.pagerank(dg, damping=0.999999, tol=1e-300, max_rounds=10**6, progress=press)
    before = [progress[0] for progress in dg.call_all("where")]
    time.sleep(0.3)
    assert [progress[0] for progress in dg.call_all("where")] == before
    assert np.array_equal(nd.kcore(dg).values.compute(), nearly.kcore(G).values)


def test_calls_can_go_through_the_scheduler(client):
    dg = nd.from_graph(G, client, parts=2)
    dg.hosts = [host._replace(direct=False) for host in dg.hosts]
    assert np.array_equal(nd.bfs(dg, 3).values.compute(), nearly.bfs(G, 3).values)


def test_too_little_memory_is_told_before_loading(client, tmp_path, monkeypatch):
    rows = {address: {**facts, "memory_limit": 1 << 20} for address, facts in workers_of(client).items()}
    monkeypatch.setattr("nearly.distributed.cluster.workers_of", lambda *_: rows)
    (tmp_path / "edges.txt").write_text("1 2\n" * 1000)
    for make in (lambda: nd.read(tmp_path / "edges.txt", client), lambda: nd.from_graph(G, client)):
        with pytest.raises(nearly.MemoryBudgetError, match="add workers"):
            make()


def test_bad_arguments(client):
    dg = nd.from_graph(G, client, parts=2)
    cases = [
        (lambda: nd.from_graph("graph", client), "graph must be a nearly.Graph"),
        (lambda: nd.from_graph(G, "tcp://nowhere"), "client must be a dask.distributed.Client"),
        (lambda: nd.from_graph(G, client, parts=0), "parts must be a whole number"),
        (lambda: nd.pagerank(G), "dg must be a DistributedGraph"),
        (lambda: nd.pagerank(dg, damping=1), "damping must be"),
        (lambda: nd.pagerank(dg, dangling="keep"), "dangling must be one of"),
        (lambda: nd.bfs(dg, 256), "source 256 is not a vertex"),
        (lambda: nd.sssp(dg, 1.5), "source must be a vertex number or a name"),
        (lambda: nd.label_propagation(dg, seed=-1), "seed must be a whole number"),
    ]
    for call, why in cases:
        with pytest.raises(nearly.InvalidArgumentError, match=why):
            call()
    bad = nd.from_graph(nearly.Graph.from_edges([0, 1], [1, 2], [1.0, -2.0], negative="keep"), client, parts=2)
    with pytest.raises(nearly.InvalidArgumentError, match="negative"):
        nd.sssp(bad, 0)
    assert nd.connected_components(bad).count == 1  # the graph is as good as before


def test_values_of_a_lost_run_say_so(client):
    dg = nd.from_graph(G, client, parts=2)
    r = nd.bfs(dg, 0)
    dg.make()
    with pytest.raises(nd.ClusterError, match="run it again"):
        r.values.compute()


def test_without_dask_the_error_names_the_extra(monkeypatch):
    real = builtins.__import__

    def without(name, *arguments, **more):
        if name.split(".")[0] == "distributed":
            raise ImportError(name)
        return real(name, *arguments, **more)

    for name in [name for name in sys.modules if name.startswith("nearly.distributed")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(nearly.MissingDependencyError, match=r"nearly\[distributed\]"):
        __import__("nearly.distributed")


def test_import_nearly_leaves_dask_alone():
    code = "import sys, nearly; nearly.read; print([m for m in ('dask', 'distributed') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_every_program_is_public():
    assert set(programs.PROGRAMS) <= set(nd.__all__)


def test_the_command_line(client, tmp_path, capsys):
    from nearly.cli.main import main

    for k, text in enumerate(("10 20\n20 30\n", "30 40\n50 60\n")):
        (tmp_path / f"part-{k}.txt").write_text(text)
    files, address = [str(tmp_path / f"part-{k}.txt") for k in (0, 1)], client.scheduler.address
    with pytest.raises(SystemExit) as end:
        main(["run", "bfs", *files, "--source", "20", "--cluster", address, "--json", "-o", str(tmp_path / "levels")])
    told = capsys.readouterr()
    assert not end.value.code, told.err
    document = json.loads(told.out)
    assert (document["vertices"], document["arcs"], document["guarantee"]) == (6, 4, "exact")
    from pyarrow import parquet

    table = parquet.read_table(tmp_path / "levels").to_pydict()
    assert dict(zip(table["vertex"], table["level"])) == {10: -1, 20: 0, 30: 1, 40: 2, 50: -1, 60: -1}
    with pytest.raises(SystemExit) as end:
        main(["run", "pagerank", files[0], "--approx", "partial-edges:keep=0.5", "--cluster", address, "--json"])
    told = capsys.readouterr()
    assert not end.value.code, told.err
    document = json.loads(told.out)
    assert document["guarantee"] != "exact"
    assert document["parameters"]["approx"] == ["partial-edges:keep=0.5"]
    for more, why in (
        (["pagerank", files[0], "--approx", "merge-similar", "--cluster", address], "takes one PartialEdges"),
        (["kcore", files[0], "--approx", "partial-edges:keep=0.5", "--cluster", address], "--approx does not work"),
        (["pagerank", *files], "only a run with --cluster"),
        (["scc", *files, "--cluster", address], "does not run on a cluster"),
        (["bfs", files[0], "--source", "10", "--cluster", address, "--policy", "split"], "--policy does not work"),
        (["bfs", files[0], "--source", "10", "--cluster", "here"], "--cluster must be an address"),
        (["kcore", files[0], "--cluster", address, "--verify"], "--verify does not work"),
    ):
        with pytest.raises(SystemExit) as end:
            main(["run", *more])
        assert end.value.code == 2
        assert why in capsys.readouterr().err
