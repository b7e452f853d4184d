"""`nearly run`: answers by the file's own ids, certificates, files and pictures, and errors before the work begins."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from nearly.engine.algorithm import ALGORITHMS


@pytest.fixture
def chain(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("chain.txt").write_text("10 20\n20 30\n30 40\n")
    return "chain.txt"


def test_source_and_output_speak_in_the_files_ids(run, chain):
    done = run("run", "bfs", chain, "--source", 20, "-o", "levels.csv", "--verify", "--json")
    assert done.code == 0, done.err
    assert Path("levels.csv").read_text().splitlines() == ["vertex,value", "10,-1", "20,0", "30,1", "40,2"]
    assert done.document["certificate"]["ok"] is True
    assert done.document["guarantee"] == "exact"
    assert done.document["edges_visited"] == 2


def test_ranked_vertices_are_written_with_their_own_scores(run, chain):
    done = run("run", "topk_closeness", chain, "--k", 2, "-o", "top.csv")
    assert done.code == 0, done.err
    head, *rows = Path("top.csv").read_text().splitlines()
    assert head == "vertex,value"
    assert [row.split(",")[0] for row in rows] == ["40", "30"]
    assert [float(row.split(",")[1]) for row in rows] == pytest.approx([1 / 2, 4 / 9])


@pytest.mark.parametrize("name", ["values.npy", "values.json", "values.parquet", "values.csv"])
def test_every_format_holds_the_values(run, chain, name):
    assert run("run", "bfs", chain, "--source", 10, "-o", name).code == 0
    if name.endswith(".npy"):
        assert np.load(name).tolist() == [0, 1, 2, 3]
    elif name.endswith(".json"):
        assert json.loads(Path(name).read_text())["value"] == [0, 1, 2, 3]
    else:
        import pandas

        table = pandas.read_parquet(name) if name.endswith("parquet") else pandas.read_csv(name)
        assert table["vertex"].tolist() == [10, 20, 30, 40]
        assert table["value"].tolist() == [0, 1, 2, 3]


def test_chosen_arcs_are_written_with_their_ends(run, chain):
    Path("weighted.wel").write_text("10 20 5\n20 30 1\n10 30 2\n")
    assert run("run", "mst", "weighted.wel", "-o", "forest.csv").code == 0
    lines = Path("forest.csv").read_text().splitlines()
    assert lines[0] == "source,target,weight,arc"
    assert [line.rsplit(",", 1)[0] for line in lines[1:]] == ["10,30,2", "20,30,1"]


def test_a_picture_of_the_rounds(run, chain):
    assert run("run", "bfs", chain, "--source", 10, "--plot", "trace.png").code == 0
    assert Path("trace.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--source", 99], "no vertex has the id 99"),
        (["--source", 10, "--policy", "magic"], "supports the policies"),
        (["--source", 10, "-o", "values.xlsx"], "results are written as .csv"),
        (["--source", 10, "--plot", "trace.bmp"], "pictures are written as .png"),
        (["--source", 10, "-o", "nowhere/values.csv"], "does not exist; make it first"),
    ],
)
def test_bad_input_is_one_sentence(run, chain, arguments, message):
    done = run("run", "bfs", chain, *arguments)
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err
    assert sorted(p.name for p in Path().iterdir()) == ["chain.txt"]


def test_a_failing_certificate_is_exit_code_3(run, chain, monkeypatch):
    from nearly.engine.result import Certificate, Result

    monkeypatch.setattr(Result, "certificate", lambda self: Certificate(False, "all is well"))
    done = run("run", "bfs", chain, "--source", 10, "--verify")
    assert done.code == 3
    assert "it is not true that all is well" in done.err


def test_every_algorithm_has_a_command(run):
    done = run("run", "--help")
    for entry in ALGORITHMS:
        if entry.function.__module__.startswith("nearly."):  # examples may have registered more in this process
            assert entry.name.replace("_", "-") in done.out


def test_reproduce_prints_the_papers_columns(run, chain):
    done = run("reproduce", "mini-gunrock", chain, "--repeat", 1, "--json", "--plot", "new/figures")
    assert done.code == 0, done.err
    bfs, pagerank = done.document["tables"][:2]
    assert [row["graph"] for row in bfs["rows"]] == [row["graph"] for row in pagerank["rows"]] == ["chain"]
    assert bfs["rows"][0]["auto"] > 0
    assert Path("new/figures/mini-gunrock-chain.png").exists()


def test_a_graph_is_compared_with_the_papers_of_that_name(run, chain):
    done = run("reproduce", "mini-gunrock", chain, "--as", "KRON", "--repeat", 1, "--json")
    assert done.code == 0, done.err
    (row,) = done.document["tables"][0]["rows"][:1]
    assert row["graph"] == "kron"
    assert row["paper: Gunrock"] == 196.9
