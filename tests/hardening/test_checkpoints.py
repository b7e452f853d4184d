"""Checkpoints: a run that is cut anywhere goes on from its file and gives the same bits as an undisturbed one."""

from __future__ import annotations

import numpy as np
import pytest

import nearly
from nearly import FileAccessError, InvalidArgumentError, NearlyError
from nearly.algorithms.betweenness import sources
from nearly.algorithms.pagerank import in_place
from nearly.engine.checkpoint import Checkpoint
from nearly.mesh import parts

pytestmark = pytest.mark.small
G = nearly.generate.rmat(7, 6, seed=2)
WEIGHTED = nearly.generate.with_weights(G, seed=3)
MESH = nearly.mesh.from_points(np.random.default_rng(4).random((30, 2)))


class Cut(Exception):
    """The process ends here."""


JOBS = {
    "pagerank": lambda path: nearly.pagerank(G, tol=1e-12, checkpoint=path).values,
    "pagerank by weights": lambda path: nearly.pagerank(WEIGHTED, dangling="leak", checkpoint=path).values,
    "betweenness": lambda path: nearly.betweenness(G, checkpoint=path).values,
    "edges": lambda path: nearly.betweenness(G, edges=True, checkpoint=path).edge_values,
    "some sources": lambda path: nearly.betweenness(G, sources=70, seed=5, checkpoint=path).values,
    "top k": lambda path: nearly.topk_betweenness(G, k=5, batch=16, checkpoint=path).history,
    "louvain": lambda path: nearly.louvain(WEIGHTED, checkpoint=path).values,
    "louvain, refined": lambda path: nearly.louvain(G, refine=True, checkpoint=path).values,
    "refine": lambda path: nearly.mesh.refine(MESH, min_angle=25, max_area=3e-4, checkpoint=path).mesh.points,
}


@pytest.fixture(autouse=True)
def small_steps(monkeypatch):
    """States are written after every step, and steps are small."""
    monkeypatch.setenv("NEARLY_CHECKPOINT", "0")
    monkeypatch.setattr(in_place, "_ROUNDS", 3)
    monkeypatch.setattr(sources, "GRAPH", 0)
    monkeypatch.setattr(sources, "_WORK", 1)
    monkeypatch.setattr(sources, "_SUMS", 1)
    monkeypatch.setattr(parts, "PART", 200)


def cut_after(monkeypatch, writes):
    """Let a run end after so many states were written."""
    write, count = Checkpoint.write, 0

    def writing(self, state):
        nonlocal count
        write(self, state)
        count += 1
        if count == writes:
            raise Cut

    monkeypatch.setattr(Checkpoint, "write", writing)


@pytest.mark.parametrize("name", JOBS)
def test_a_run_that_was_cut_goes_on(tmp_path, name):
    path, ask = tmp_path / "run.ckpt", JOBS[name]
    wanted = ask(tmp_path / "undisturbed")
    assert not list(tmp_path.iterdir()), "what is done needs no file"
    if name != "refine":
        assert np.array_equal(wanted, ask(None))
    for after in (1, 2):
        with pytest.MonkeyPatch.context() as patch:
            cut_after(patch, after)
            with pytest.raises(Cut):
                ask(path)
        with pytest.MonkeyPatch.context() as patch:  # and once more on the way
            cut_after(patch, 1)
            try:
                ask(path)
            except Cut:
                assert path.exists()
        assert np.array_equal(ask(path), wanted), after
        assert not path.exists()


def test_another_question_is_no_start(tmp_path):
    path = tmp_path / "run.ckpt"
    with pytest.MonkeyPatch.context() as patch:
        cut_after(patch, 1)
        with pytest.raises(Cut):
            nearly.betweenness(G, checkpoint=path)
    before = path.read_bytes()
    others = [
        lambda: nearly.betweenness(WEIGHTED, checkpoint=path),
        lambda: nearly.betweenness(G, endpoints=True, checkpoint=path),
        lambda: nearly.betweenness(G, sources=5, checkpoint=path),
        lambda: nearly.pagerank(G, checkpoint=path),
        lambda: nearly.mesh.refine(MESH, checkpoint=path),
    ]
    for other in others:
        with pytest.raises(InvalidArgumentError, match="another question"):
            other()
    assert path.read_bytes() == before
    for damaged in (before[:-30], b"", b"x" * 100):
        path.write_bytes(damaged)
        with pytest.raises(NearlyError):
            nearly.betweenness(G, checkpoint=path)


def test_what_cannot_be_kept_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "run.ckpt"
    for refused in (
        lambda: nearly.pagerank(G, policy="topology", checkpoint=path),
        lambda: nearly.pagerank(G, method="components", checkpoint=path),
        lambda: nearly.betweenness(G, approx=nearly.PartialEdges(), checkpoint=path),
        lambda: nearly.topk_betweenness(G, method="sampling", checkpoint=path),
        lambda: nearly.pagerank(G, checkpoint=3),
    ):
        with pytest.raises(InvalidArgumentError, match="checkpoint"):
            refused()
    with pytest.raises(FileAccessError, match="checkpoint"):
        nearly.betweenness(G, checkpoint=tmp_path / "missing" / "run.ckpt")
    monkeypatch.setenv("NEARLY_CHECKPOINT", "soon")
    with pytest.raises(InvalidArgumentError, match="NEARLY_CHECKPOINT"):
        nearly.betweenness(G, checkpoint=path)
