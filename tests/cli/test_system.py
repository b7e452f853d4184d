"""`nearly system` and `nearly warm`."""

from __future__ import annotations

from functools import partial

import pytest

from nearly.base import kernel_cache
from nearly.cli import warm
from nearly.engine.technique import ALGORITHMS
from nearly.experiments import warm_up


def test_system_says_where_kernels_come_from(run, monkeypatch, tmp_path):
    monkeypatch.setenv("NEARLY_CACHE_DIR", str(tmp_path / "cache"))
    found = run("system", "--json").document
    assert found["cores"] >= 1
    assert found["kernels"]["kept"] == {"folder": str(kernel_cache.folder()), "count": 0, "bytes": 0}
    shipped = found["kernels"]["shipped"]
    assert shipped["used"] == (shipped["why_not"] is None)
    assert "Kernels" in run("system").out


def test_every_algorithm_is_warmed_up():
    names = {task.name.split(":")[0] for task in warm_up.tasks()}
    assert {entry.name for entry in ALGORITHMS} <= names
    assert len(warm_up.tasks(("bfs",))) < len(warm_up.tasks(("bfs",), policies=True)) < len(warm_up.tasks())


def test_tasks_that_make_no_sense_are_passed_over():
    seen = []

    def fail():
        raise ALGORITHMS.get("bfs").function(None)

    tasks = [warm_up.Task("first", fail), warm_up.Task("second", lambda: seen.append(1))]
    warm_up.run_all(tasks, lambda *told: seen.append(told))
    assert seen == [("first", 0, 2), ("second", 1, 2), 1]


def test_warm_shares_the_tasks_out(run, monkeypatch):
    monkeypatch.setattr(warm, "_in_processes", lambda arguments, processes: 10 * processes + len(arguments))
    found = run("warm", "bfs", "--policies", "--processes", "2", "--json").document
    assert found["compiled"] == 22
    assert "kernels compiled in" in run("warm", "bfs").out


@pytest.mark.parametrize("share", ["0/2", "1/2"])
def test_a_process_does_its_share(run, monkeypatch, share):
    done = []
    tasks = [warm_up.Task(f"task {i}", partial(done.append, i)) for i in range(5)]
    monkeypatch.setattr(warm_up, "tasks", lambda *_: tasks)
    said = run("warm", "--share", share).out.splitlines()
    assert done == ([0, 2, 4] if share == "0/2" else [1, 3])
    assert said[0].split("\t")[0] == f"task {done[0]}"
    assert said[-1].startswith("compiled\t")


def test_an_unknown_algorithm_is_refused(run):
    ran = run("warm", "breadth-first")
    assert ran.code == 2
    assert "bfs" in ran.err
