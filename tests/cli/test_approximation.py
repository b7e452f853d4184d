"""`run --approx`, `compare`, `sweep`, `list techniques` and `demo`: what was applied, what it cost, how wrong it is."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import pytest

import nearly
from nearly.cli import demo
from nearly.engine.technique import TECHNIQUES


@pytest.fixture
def graph(run):
    nearly.write(nearly.generate.rmat(8, 8, seed=1, weights="int"), "g.npz")
    return "g.npz"


def test_run_tells_what_was_applied(run, graph):
    spec = "partial-edges:keep=0.5,select=lightest"
    done = run("run", "sssp", graph, "--source", 0, "--approx", spec, "--approx", "reduced-execution", "--json")
    assert done.code == 0, done.err
    assert [t["spec"] for t in done.document["techniques"]] == [spec, "reduced-execution"]
    assert done.document["techniques"][0]["knobs"]["keep"] == 0.5
    assert done.document["guarantee"] == "upper bound"
    assert done.document["preprocess_seconds"] > 0
    table = run("run", "sssp", graph, "--source", 0, "--approx", spec, "--verify").out
    for word in (spec, "upper bound", "preprocessing", "holds"):
        assert word in table


def test_run_is_exact_without_approx(run, graph):
    done = run("run", "pagerank", graph, "--json")
    assert (done.document["techniques"], done.document["guarantee"]) == ([], "exact")
    assert "preprocessing" not in run("run", "pagerank", graph).out


def test_compare_prints_rows(run, graph, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    arguments = ["compare", graph, "-a", "sssp", "-a", "pagerank", "-t", "partial-edges", "-t", "round-weights"]
    done = run(*arguments, "--repeat", 1, "--json", "--csv", "rows.csv", "--plot", "rows.png")
    assert done.code == 0, done.err
    rows = done.document["rows"]
    assert [(r["algorithm"], r["technique"]) for r in rows] == [
        ("sssp", "exact"),
        ("sssp", "partial-edges"),
        ("sssp", "round-weights"),
        ("pagerank", "exact"),
        ("pagerank", "partial-edges"),
        ("pagerank", "exact, stopped at the same error"),
    ]
    assert [(s["algorithm"], s["technique"]) for s in done.document["skipped"]] == [("pagerank", "round-weights")]
    with open("rows.csv", newline="") as file:
        assert [float(r["inaccuracy"]) for r in csv.DictReader(file)] == [r["inaccuracy"] for r in rows]
    assert Path("rows.png").read_bytes().startswith(b"\x89PNG")
    table = run(*arguments, "--repeat", 1)
    assert table.code == 0
    for word in ("speedup", "inaccuracy", "break-even", "guarantee", "same error", "not measured", "upper bound"):
        assert word in table.out


def test_compare_starts_at_the_files_id(run):
    Path("chain.txt").write_text("10 20\n20 30\n30 40\n")
    done = run("compare", "chain.txt", "-a", "bfs", "-t", "partial-edges", "--source", 30, "--repeat", 1, "--json")
    assert done.code == 0, done.err
    assert done.document["rows"][0]["edges_touched"] == 1
    assert run("compare", "chain.txt", "-a", "bfs", "-t", "partial-edges", "--source", 99).code == 2


def test_slower_is_called_slower():
    from nearly.cli.comparison_view import times

    assert times(0.5) == "0.50x, slower"
    assert times(1.5) == "1.50x"


def test_sweep_prints_a_row_a_value(run, graph):
    arguments = ["sweep", graph, "-a", "sssp", "-t", "partial-edges:select=lightest", "-k", "keep", "--repeat", 1]
    done = run(*arguments, "--values", "0.2,0.6,1", "--json", "--plot", "sweep.svg")
    assert done.code == 0, done.err
    assert [row["value"] for row in done.document["rows"]] == [None, 0.2, 0.6, 1.0]
    assert done.document["rows"][-1]["inaccuracy"] == 0
    assert Path("sweep.svg").read_text().startswith("<?xml")
    assert "keep" in run(*arguments, "--values", "0.2").out
    budgets = run("sweep", graph, "-a", "bfs", "-k", "max-error", "--values", "0.1", "--max-error", 0.2, "--json")
    assert [row["technique"] for row in budgets.document["rows"]] == ["exact", "budget 0.1", "budget 0.2"]
    words = run("sweep", graph, "-a", "bfs", "-t", "partial-edges", "-k", "select", "--values", "random", "--json")
    assert words.document["rows"][1]["value"] == "random"


def test_narrow_screens_get_fewer_columns(run, graph, monkeypatch):
    monkeypatch.setenv("COLUMNS", "72")
    out = run("compare", graph, "-a", "sssp", "-t", "partial-edges", "--repeat", 1).out
    assert "inaccuracy" in out
    assert "Left out, the screen is too narrow: seconds" in " ".join(out.split())
    assert max(len(line) for line in out.splitlines()) <= 72


def test_list_techniques_tells_knobs_and_guarantees(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    found = {record["name"]: record for record in run("list", "techniques", "--json").document["techniques"]}
    assert list(found) == TECHNIQUES.names()
    for cls in TECHNIQUES:
        record = found[cls.name]
        assert record["reference"] == cls.reference
        assert [knob["name"] for knob in record["knobs"]] == list(cls.dials)
        assert all(knob["allowed"] and knob["meaning"] for knob in record["knobs"])
        assert record["guarantees"] == cls.guarantees
    table = " ".join(run("list", "techniques").out.split())
    for words in ("a number, above 0 and at most 1", "GP1", "upper bound", "connected-components", "certified"):
        assert words in table


def test_reproduce_graprox(run, graph):
    done = run("reproduce", "graprox", graph, "--repeat", 1, "--json")
    assert done.code == 0, done.err
    main, _, summary = done.document["tables"][:3]
    names = list(dict.fromkeys(row["algorithm"] for row in main["rows"]))
    assert names == ["sssp", "mst", "scc", "pagerank", "betweenness", "mean"]
    first = main["rows"][0]
    assert (first["technique"], first["slides: speedup"], first["slides: inaccuracy %"]) == (
        "GP1 reduced execution", 1.34, 6.07,
    )  # fmt: skip
    assert summary["rows"][0]["graph"] == "g"


@pytest.fixture
def small_demo(monkeypatch):
    monkeypatch.setattr(demo, "SCALE", 8)
    monkeypatch.setattr(demo, "REPEAT", 1)


def test_demo_races_and_draws(run, small_demo):
    done = run("demo", "--json")
    assert done.code == 0, done.err
    assert done.document["graph"]["vertices"] == 256
    raced = {(r["algorithm"], r["technique"]) for r in done.document["rows"]}
    assert raced >= set(demo.PAIRS.items())
    assert done.document["skipped"] == []
    assert Path(done.document["plot"]).read_bytes().startswith(b"\x89PNG")
    asked = [(row["algorithm"], row["max_error"]) for row in done.document["budgets"]]
    assert asked == demo.BUDGETS
    for row in done.document["budgets"]:
        assert row["exact_seconds"] > 0
        if row["seconds"] is None:
            assert row["choice"] == "exact (not run here)"
            assert row["extrapolated"]
        else:
            assert row["error"] <= row["max_error"]
            assert row["speedup"] == pytest.approx(row["exact_seconds"] / row["seconds"])
    shown = run("demo").out
    assert demo.PICTURE in shown
    assert "within a budget" in shown
    assert [p.name for p in Path().iterdir()] == [demo.PICTURE]


def test_demo_leaves_others_files_alone(run, small_demo):
    Path(demo.PICTURE).write_bytes(b"not ours")
    assert run("demo").code == 0
    assert Path(demo.PICTURE).read_bytes() == b"not ours"
    assert Path("nearly-demo-2.png").exists()


def test_demo_without_matplotlib(run, small_demo, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = run("demo")
    assert done.code == 0, done.err
    assert "no picture: pictures need matplotlib" in " ".join(done.out.split())
    assert not list(Path().iterdir())
    assert run("demo", "--plot", "x.png").code == 2
