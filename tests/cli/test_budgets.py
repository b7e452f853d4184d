"""Budgets on the command line: `nearly plan`, what `nearly run` says of errors, and rows of budgets in `compare`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import nearly
from nearly.engine.result import Result
from nearly.engine.result_files import columns_of, write_result


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "g.npz"
    nearly.generate.rmat(7, 6, seed=2, weights="int").save(path)
    return path


def test_a_plan_is_a_table_or_a_document(run, file):
    asked = ("plan", file, "sssp", "--source", 0, "--max-error", 0.2, "--approx", "partial-edges")
    table, done = run(*asked), run(*asked, "--json")
    assert (table.code, done.code) == (0, 0), table.err + done.err
    assert table.out.startswith("sssp within max_error=0.2: ")
    assert "predicted s" in table.out
    assert done.document["algorithm"] == "sssp"
    assert done.document["max_error"] == 0.2
    assert [row["chosen"] for row in done.document["candidates"]] == [True, False]
    assert done.document["choice"] == done.document["candidates"][0]["name"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--source", 0], "a plan needs a budget"),
        (["--source", 0, "--max-error", -1], "--max-error must be"),
        (["--source", 0, "--max-error", 0.1, "--approx", "threshold-scaling"], "does not apply to sssp"),
        (["--source", 9999, "--max-error", 0.1, "--approx", "partial-edges"], "source"),
    ],
)
def test_wrong_plans_are_one_sentence(run, file, arguments, message):
    done = run("plan", file, "sssp", *arguments)
    assert done.code == 2
    assert message in done.err
    assert done.out == ""


def test_a_run_within_a_budget_says_its_error_and_why(run, file):
    asked = ("run", "sssp", file, "--source", 0, "--max-error", 0.3, "--approx", "partial-edges")
    told = run(*asked, "--json").document["budget"]
    assert 0 <= told["error"] <= 0.3
    assert (told["error_kind"], told["error_scope"], told["interval"]) == ("relative", "aggregate", None)
    assert told["plan"]["choice"].startswith("partial-edges")
    shown = run(*asked).out
    assert "of the whole" in shown
    assert "because it was named" in shown


def test_exact_runs_without_a_budget_say_nothing_of_it(run, file):
    assert "budget" not in run("run", "bfs", file, "--source", 0, "--json").document


def test_results_without_values_are_written_by_name(file, tmp_path):
    from nearly.engine.algorithm import ALGORITHMS

    total = ALGORITHMS.get("triangle_count").result(None, total=7, guarantee="statistical")
    g = nearly.read(file)
    assert columns_of(g, total)["value"].tolist() == [7]
    write_result(g, total, tmp_path / "t.csv")
    assert Path(tmp_path / "t.csv").read_text().splitlines() == ["name,value", "total,7.0"]
    write_result(g, total, tmp_path / "t.json")
    assert json.loads((tmp_path / "t.json").read_text())["value"] == [7.0]
    write_result(g, total, tmp_path / "t.npy")
    assert np.load(tmp_path / "t.npy").tolist() == [7.0]
    assert isinstance(total, Result)


def test_budgets_are_rows_of_a_comparison(run, file):
    done = run("compare", file, "-a", "bfs", "-t", "partial-edges", "--max-error", 0.1, "--repeat", 1, "--json")
    assert done.code == 0, done.err
    rows = {row["technique"]: row for row in done.document["rows"]}
    assert rows["budget 0.1"]["choice"] == "exact"
    assert rows["budget 0.1"]["bound"] == 0
    assert rows["budget 0.1"]["inaccuracy"] == 0
    assert rows["partial-edges"]["choice"] == ""
