"""`transform` writes a graph with what it became; `run` and `compare` take the file; `cache` lists and clears."""

from __future__ import annotations

import numpy as np
import pytest

import nearly
from nearly.engine.transform import disk_cache as cache
from nearly.engine.transform import store as kept


@pytest.fixture
def graph(run):
    nearly.write(nearly.generate.rmat(9, 8, seed=1, weights="int"), "g.npz")
    return "g.npz"


@pytest.mark.parametrize(
    ("spec", "technique"),
    [
        ("merge-similar:jaccard=0.3", nearly.MergeSimilar),
        ("coalesce:chunk=4,threshold=0.3,slack=1", nearly.Coalesce),
        ("split-nodes:mda=4", nearly.SplitNodes),
        ("cluster-locality:threshold=0.3", nearly.ClusterLocality),
    ],
)
def test_run_takes_a_transformed_graph(run, graph, monkeypatch, spec, technique):
    made = run("transform", graph, "--technique", spec, "-o", "t.npz", "--json")
    assert made.code == 0, made.err
    names = [name for row in made.document["transforms"] for name in row["algorithms"]]
    assert set(names) == set(technique.guarantees)
    assert nearly.read("t.npz") == nearly.read("g.npz")  # to others it is the graph as it was given
    for name, more in (("sssp", ("--source", 0)), ("pagerank", ()), ("mst", ()), ("connected-components", ())):
        run("run", name, graph, *more, "--approx", spec, "-o", "a.npy")
        with monkeypatch.context() as patch:
            patch.setattr(technique, "transform", lambda *_: pytest.fail("it was transformed again"))
            done = run("run", name, "t.npz", *more, "-o", "b.npy", "--json")
        assert done.code == 0, done.err
        assert done.document["techniques"][0]["name"] == technique.name
        np.testing.assert_array_equal(np.load("a.npy"), np.load("b.npy"))


def test_compare_takes_a_transformed_graph(run, graph):
    run("transform", graph, "-t", "partial-edges:keep=0.5", "-a", "sssp", "-o", "t.npz")
    done = run("compare", "t.npz", "-a", "sssp", "--repeat", 1, "--json")
    assert done.code == 0, done.err
    assert [row["technique"] for row in done.document["rows"]] == ["exact", "partial-edges:keep=0.5"]


def test_refusals_say_what_to_change(run, graph):
    assert "choose a name with that ending" in run("transform", graph, "-t", "merge-similar", "-o", "t.txt").err
    assert "changes nothing" in run("transform", graph, "-t", "partial-edges:keep=1", "-o", "t.npz").err
    assert (
        "does not apply to coloring"
        in run("transform", graph, "-t", "round-weights", "-a", "coloring", "-o", "t.npz").err
    )
    run("transform", graph, "-t", "round-weights:levels=4", "-a", "sssp", "-o", "t.npz")
    assert "does not apply to pagerank" in run("run", "pagerank", "t.npz").err


@pytest.mark.parametrize("name", ["place", "arcs"])
def test_maps_that_lead_nowhere_are_refused(run, graph, name):
    g = nearly.read(graph)
    applied = nearly.engine.algorithm.ALGORITHMS.get("sssp").apply("merge-similar:jaccard=0.3", g)
    found = kept.Found(applied.map, 1.0)
    meta, arrays = kept.recorded(found, "")
    arrays[name] = arrays[name].copy()
    arrays[name][0] = max(g.n, g.m) + 5
    with pytest.raises(nearly.InvalidGraphError, match="does not fit"):
        kept.revived(meta, arrays, g)


def test_the_cache_is_used_listed_bounded_and_cleared(run, tmp_path, monkeypatch):
    monkeypatch.setenv("NEARLY_CACHE_DIR", str(tmp_path / "kept"))
    monkeypatch.setenv("NEARLY_CACHE", "1")
    monkeypatch.setattr(kept, "_WORTH_KEEPING", 0.0)
    g = nearly.generate.rmat(9, 8, seed=1, weights="int")
    first = nearly.sssp(g, 0, approx="merge-similar:jaccard=0.3")
    again = nearly.generate.rmat(9, 8, seed=1, weights="int")  # an equal graph, another object
    with monkeypatch.context() as patch:
        patch.setattr(nearly.MergeSimilar, "transform", lambda *_: pytest.fail("it was transformed again"))
        np.testing.assert_array_equal(nearly.sssp(again, 0, approx="merge-similar:jaccard=0.3").values, first.values)
    listed = run("cache", "--json").document
    assert [entry["technique"].split("(")[0] for entry in listed["entries"]] == ["merge-similar"]
    damaged = next(cache.folder().glob("*.npz"))
    damaged.write_bytes(damaged.read_bytes()[:1000])
    np.testing.assert_array_equal(nearly.sssp(again, 0, approx="merge-similar:jaccard=0.3").values, first.values)
    monkeypatch.setenv("NEARLY_CACHE_SIZE", "10K")
    nearly.sssp(again, 0, approx="merge-similar:jaccard=0.4")
    assert sum(entry.nbytes for entry in cache.entries()) <= 150_000  # the new one is larger than the bound: not kept
    (cache.folder() / ".left.npz.part").write_bytes(b"half")
    assert run("cache", "--clear", "--json").document["removed"] == 1
    assert list(cache.folder().iterdir()) == []
