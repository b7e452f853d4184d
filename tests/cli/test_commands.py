"""The commands do what they say, for people and for machines."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import nearly
from nearly.cli import list as listing
from nearly.cli.generate import generators
from nearly.cli.main import COMMANDS, command

SMALL = {
    "rmat": ["--scale", "6", "--edge-factor", "4"],
    "random": ["--n", "50", "--m", "200"],
    "grid": ["--rows", "7", "--cols", "9"],
    "smallworld": ["--n", "40", "--k", "4", "--p", "0.1"],
    "geometric": ["--n", "60", "--radius", "0.2"],
    "planted-partition": ["--communities", "3", "--size", "20", "--p-in", "0.5", "--p-out", "0.01"],
}


def test_every_generator_has_a_small_example_here():
    assert set(SMALL) == set(generators())


@pytest.mark.parametrize("kind", SMALL)
def test_generate_writes_what_the_function_makes(run, kind):
    done = run("generate", kind, *SMALL[kind], "--seed", 3, "-o", "g.npz", "--json")
    assert done.code == 0, done.err
    graph = nearly.read("g.npz")
    assert graph == generators()[kind](**done.document["parameters"])
    assert (done.document["vertices"], done.document["arcs"]) == (graph.n, graph.m)
    assert done.document["file_bytes"] == Path("g.npz").stat().st_size


def test_generate_prints_a_table(run):
    done = run("generate", "rmat", *SMALL["rmat"], "-o", "g.npz")
    assert done.code == 0
    assert "vertices" in done.out
    assert "64" in done.out
    assert done.err == ""


def test_hyphens_and_underscores_are_the_same(run):
    options = [option.replace("-in", "_in").replace("-out", "_out") for option in SMALL["planted-partition"]]
    assert "--p_in" in options
    assert run("generate", "planted_partition", *options, "-o", "a.npz").code == 0
    assert run("generate", "planted-partition", *SMALL["planted-partition"], "-o", "b.npz").code == 0
    assert nearly.read("a.npz") == nearly.read("b.npz")


def test_none_can_be_typed(run):
    run("generate", "grid", *SMALL["grid"], "--weights", "none", "-o", "g.npz")
    assert nearly.read("g.npz").weights is None
    run("generate", "grid", *SMALL["grid"], "-o", "g.npz")
    assert nearly.read("g.npz").weights is not None


def test_generate_undirected(run):
    assert run("generate", "rmat", *SMALL["rmat"], "--undirected", "-o", "g.npz").code == 0
    assert not nearly.read("g.npz").directed


def test_convert_with_policies(run):
    Path("in.txt").write_text("10 20 3\n10 20 2\n20 20 1\n30 10 5\n")
    done = run("convert", "in.txt", "out.npz", "--undirected", "--duplicates", "sum", "--self-loops", "drop", "--json")
    assert done.code == 0, done.err
    g = nearly.read("out.npz")
    assert (done.document["vertices"], done.document["arcs"], done.document["directed"]) == (3, 4, False)
    assert g.ids.tolist() == [10, 20, 30]
    assert g.targets.tolist() == [1, 2, 0, 0]
    assert g.weights.tolist() == [5, 5, 5, 5]


def test_convert_takes_formats_by_name(run):
    Path("edges").write_text("0 1\n1 2\n")
    assert run("convert", "edges", "--from", "text", "out", "--to", "mtx").code == 0
    assert Path("out").read_text().startswith("%%MatrixMarket")


def test_convert_weight_dtype(run):
    Path("in.wel").write_text("0 1 0.5\n")
    assert run("convert", "in.wel", "out.npz", "--weight-dtype", "float64").code == 0
    assert nearly.read("out.npz").weights.dtype == np.float64


def test_info_counts(run):
    g = nearly.Graph.from_edges([0, 0, 1, 3], [0, 1, 2, 3], weights=[1, 2, 3, 4], n=6)
    g.save("g.npz")
    done = run("info", "g.npz", "--json")
    assert done.code == 0, done.err
    facts = done.document
    assert (facts["vertices"], facts["arcs"], facts["directed"], facts["weights"]) == (6, 4, True, "uint32")
    assert facts["self_loops"] == 2
    assert facts["isolated_vertices"] == 2
    assert facts["fingerprint"] == g.fingerprint
    assert facts["memory_bytes"] == g.nbytes
    assert facts["weight_range"] == {"min": 1, "mean": 2.5, "max": 4}
    assert facts["out_degree"]["max"] == 2
    assert facts["in_degree"]["mean"] == pytest.approx(4 / 6)
    table = run("info", "g.npz").out
    for word in ("self-loops", "isolated vertices", "out-degree", "in-degree", "bytes an arc", g.fingerprint):
        assert word in table


def test_info_of_a_graph_without_vertices(run):
    nearly.Graph([0], []).save("empty.npz")
    done = run("info", "empty.npz", "--json")
    assert (done.code, done.document["vertices"], done.document["out_degree"]) == (0, 0, None)
    assert run("info", "empty.npz").code == 0


def test_list_names_what_can_be_listed(run):
    done = run("list", "--json")
    assert [entry["name"] for entry in done.document["listings"]] == list(listing.LISTINGS)
    for name in listing.LISTINGS:
        found = run("list", name, "--json").document[name]
        assert found, name
        table = run("list", name).out
        assert all(record["name"] in table for record in found)


def test_list_takes_names_with_underscores(run, monkeypatch):
    monkeypatch.setitem(listing.LISTINGS, "two-words", listing.Listing("a test", lambda: [{"name": "x"}]))
    assert run("list", "two_words", "--json").document == {"two-words": [{"name": "x"}]}


def test_list_describes_every_format():
    from nearly.graph.io import EXTENSIONS, WRITERS

    assert set(listing.ABOUT_FORMATS) == set(EXTENSIONS.values()) | set(WRITERS)


def test_help_lines_agree_with_the_commands(run):
    """The table of commands is read without importing them, so its lines could drift from their docstrings."""
    for name, line in COMMANDS.items():
        shown = run(name, "--help")
        assert shown.code == 0
        assert line in " ".join(shown.out.split()), name
        assert line in " ".join(run("--help").out.split())


def test_commands_that_take_json_print_one_document(run):
    run("generate", "rmat", *SMALL["rmat"], "-o", "g.npz")
    for args in (["info", "g.npz"], ["convert", "g.npz", "g.txt"], ["list"], ["list", "formats"]):
        assert isinstance(json.loads(run(*args, "--json").out), dict), args


def test_the_root_is_one_object():
    assert list(command().commands) == list(COMMANDS)


def test_vertices_and_pairs_are_given_by_name(run, tmp_path):
    graph, pairs = tmp_path / "named.csv", tmp_path / "pairs.txt"
    graph.write_text("source,target\nann,bob\nbob,cid\ncid,ann\ncid,dan\n")
    pairs.write_text("# two names a line\nann\tdan\n\nbob,cid\n")
    done = run("run", "common-neighbors", graph, "--undirected", "--pairs", pairs, "-o", tmp_path / "out.csv", "--json")
    assert done.document["parameters"]["pairs"] == str(pairs)
    assert (tmp_path / "out.csv").read_text().split() == ["source,target,value", "ann,dan,1", "bob,cid,1"]
    run(
        "run",
        "triangle-count",
        graph,
        "--undirected",
        "--vertices",
        "ann",
        "--vertices",
        "dan",
        "-o",
        tmp_path / "t.csv",
    )
    assert (tmp_path / "t.csv").read_text().split() == ["vertex,value", "ann,1", "dan,0"]
    top = run("run", "pagerank", graph, "--personalization", "dan", "-o", tmp_path / "p.json", "--json")
    assert top.document["parameters"]["personalization"] == ["dan"]
    assert "zoe" in run("run", "triangle-count", graph, "--undirected", "--vertices", "zoe").err
    pairs.write_text("ann bob cid\n")
    assert "line 1" in run("run", "jaccard", graph, "--undirected", "--pairs", pairs).err
