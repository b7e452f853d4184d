"""Comparing: every row says what it should, exact knobs give exact answers, what makes no sense is listed."""

from __future__ import annotations

import csv
import json
import math

import pytest

import nearly
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.technique import TECHNIQUES
from nearly.experiments.compare import compositions
from nearly.experiments.comparison import COLUMNS, EXACT, SAME_ERROR

FIVE = ["sssp", "mst", "scc", "pagerank", "betweenness"]


@pytest.fixture(scope="module")
def graph():
    return nearly.generate.rmat(8, 8, seed=1, weights="int")


@pytest.fixture(scope="module")
def found(graph):
    return nearly.compare(graph, FIVE, ["partial-edges:keep=0.5", "reduced-execution"], repeat=2, sources=16)


def test_rows_say_what_was_done(found):
    rows = [row for row in found if row.technique not in (EXACT, SAME_ERROR)]
    assert [(r.algorithm, r.technique) for r in rows] == [
        (name, spec) for name in FIVE for spec in ("partial-edges:keep=0.5", "reduced-execution")
    ]
    for row in found:
        assert row.seconds > 0
        assert row.speedup == pytest.approx(row.exact_seconds / row.seconds)
        assert row.speedup_vs_best == pytest.approx(row.best_exact_seconds / row.seconds)
        assert row.best_exact_seconds <= row.exact_seconds
        assert row.inaccuracy >= 0
        assert row.metrics
        assert row.preprocess_seconds >= 0
        assert row.extra_space >= 0
        assert (row.seed, row.repeat, row.policy) == (1, 2, "auto")
        assert (row.break_even_runs is None) == (row.seconds >= row.exact_seconds)
    assert found.skipped == []


def test_exact_rows_come_first_and_are_exact(found):
    for name in FIVE:
        first = next(row for row in found if row.algorithm == name)
        assert (first.technique, first.inaccuracy, first.speedup) == (EXACT, 0.0, 1.0)


def test_guarantees_and_errors_agree(found):
    for row in found:
        assert row.guarantee != "exact" or row.inaccuracy == 0, row
    wrong = {row.algorithm for row in found if row.inaccuracy > 0}
    assert {"sssp", "pagerank", "betweenness"} <= wrong


def test_every_pagerank_row_has_its_equal_error_row(graph, found):
    ranks = [row for row in found if row.algorithm == "pagerank"]
    for row, stopped in zip(ranks[1::2], ranks[2::2], strict=True):
        assert stopped.technique == SAME_ERROR
        assert stopped.inaccuracy <= row.inaccuracy
        assert row.technique in stopped.note
        if stopped.rounds > 1:  # one round fewer would have been too few
            exact, less = nearly.pagerank(graph), nearly.pagerank(graph, max_rounds=stopped.rounds - 1)
            assert nearly.accuracy.inaccuracy(exact, less, graph) > row.inaccuracy


@pytest.mark.parametrize("cls", list(TECHNIQUES), ids=lambda cls: cls.name)
def test_exact_knobs_give_exact_answers(graph, cls):
    from nearly.engine.knob import NEVER

    still = cls(**{k.name: k.exact for k in cls.dials.values() if k.exact is not NEVER})
    assert still.is_exact
    found = nearly.compare(graph, ["sssp", "mst", "pagerank", "louvain"], still, repeat=1)
    rows = [row for row in found if not row.is_exact]
    assert rows
    for row in rows:
        if still.idle:
            assert (row.inaccuracy, row.preprocess_seconds) == (0, 0)
        else:  # a reordering, whose sums may round otherwise
            assert row.inaccuracy <= 1e-6


def test_pairs_that_make_no_sense_are_listed(graph):
    found = nearly.compare(graph, ["scc", "sssp"], ["round-weights", "partial-edges"], policies=["auto"], repeat=1)
    assert [(s.algorithm, s.technique, s.policy) for s in found.skipped] == [("scc", "round-weights", "auto")]
    assert "applies to mst, sssp" in found.skipped[0].reason
    plain = nearly.Graph(graph.offsets, graph.targets)
    (skip,) = nearly.compare(plain, "sssp", "round-weights", repeat=1).skipped
    assert "changes nothing here" in skip.reason


def test_no_run_is_spent_on_what_makes_no_sense(graph, monkeypatch):
    monkeypatch.setattr("nearly.experiments.bench.Contestant.warm_up", lambda *_: pytest.fail("it ran"))
    found = nearly.compare(graph, ["kcore", "scc"], "round-weights")
    assert (len(found), len(found.skipped)) == (0, 2)


def test_unsupported_policies_are_listed(graph):
    found = nearly.compare(graph, "label_propagation", "partial-edges", policies=["auto", "split"], repeat=1)
    assert {row.policy for row in found} == {"auto"}
    assert [s.technique for s in found.skipped] == [EXACT, "partial-edges"]
    assert "supports the policies" in found.skipped[0].reason
    assert "nothing to compare with" in found.skipped[1].reason


def test_auto_is_always_among_the_exact_rows(graph):
    found = nearly.compare(graph, nearly.bfs, nearly.PartialEdges(), policies="frontier", repeat=1)
    assert [(r.technique, r.policy) for r in found] == [
        (EXACT, "auto"),
        (EXACT, "frontier"),
        ("partial-edges", "frontier"),
    ]
    assert found[2].best_exact_seconds == min(found[0].seconds, found[1].seconds)
    assert found[2].exact_seconds == found[1].seconds


def test_names_objects_and_compositions(graph):
    one, two = nearly.PartialEdges(keep=0.5), nearly.ReducedExecution()
    assert compositions(["partial-edges:keep=0.5+reduced-execution"]) == compositions([[one, two]]) == [(one, two)]
    assert compositions("reduced-execution:residual=1e+1") == [(nearly.ReducedExecution(residual=10),)]
    assert compositions(nearly.PartialEdges) == [(nearly.PartialEdges(),)]
    row = nearly.compare(graph, "sssp", [[one, two]], repeat=1)[-1]
    assert row.technique == "partial-edges:keep=0.5+reduced-execution"


def test_everything_is_compared_when_nothing_is_named(monkeypatch):
    small = nearly.generate.rmat(5, 4, seed=1, weights="int")
    found = nearly.compare(small, repeat=1, sources=8)
    supported = {name for cls in TECHNIQUES for name in cls.guarantees}
    assert {row.algorithm for row in found} == supported & set(ALGORITHMS.names())
    assert {row.technique for row in found} | {s.technique for s in found.skipped} >= set(TECHNIQUES.names())


def test_the_same_seed_gives_the_same_errors(graph):
    once, again = (
        [row.inaccuracy for row in nearly.compare(graph, ["sssp", "betweenness"], "partial-edges", repeat=1, seed=3)]
        for _ in range(2)
    )
    assert once == again


def test_json_csv_and_pandas_hold_the_same(found, tmp_path):
    document = json.loads(found.to_json())
    assert [row["technique"] for row in document["rows"]] == [row.technique for row in found]
    for given, read in zip(found.to_dicts(), document["rows"], strict=True):
        finite = {k: v for k, v in given["metrics"].items() if math.isfinite(v)}
        assert read["metrics"] == {**dict.fromkeys(given["metrics"]), **finite}
        assert {**read, "metrics": None} == {**given, "metrics": None}
    found.to_csv(tmp_path / "rows.csv")
    with open(tmp_path / "rows.csv", newline="") as file:
        read = list(csv.DictReader(file))
    assert [float(row["speedup"]) for row in read] == [row.speedup for row in found]
    assert list(read[0])[: len(COLUMNS)] == COLUMNS
    frame = found.to_pandas()
    assert list(frame.columns) == list(read[0])
    assert frame["inaccuracy"].tolist() == [row.inaccuracy for row in found]


def test_it_is_a_sequence(found):
    assert found[0] is next(iter(found))
    assert len(found[:2]) == 2
    assert "rows" in repr(found)


def test_progress_counts_to_the_end_and_may_stop_the_work(graph):
    seen = []
    nearly.compare(graph, ["scc", "pagerank"], None, repeat=2, progress=lambda *told: seen.append(told))
    done = [told[1] for told in seen]
    assert done == sorted(done)
    assert seen[-1][1] == seen[-1][2]
    with pytest.raises(KeyError, match="enough"):
        nearly.compare(graph, "bfs", progress=lambda *_: (_ for _ in ()).throw(KeyError("enough")))


def test_a_run_over_the_limit_is_skipped_with_the_reason():
    road = nearly.generate.grid(60, 60, seed=1)
    found = nearly.compare(road, "sssp", "partial-edges:keep=0.9", policies=["topology"], repeat=1, limit=1e-9)
    assert not any(row.policy == "topology" for row in found)
    assert "stopped after" in found.skipped[0].reason


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"algorithms": "walk"}, "no algorithm is called"),
        ({"techniques": "guess"}, "no technique is called"),
        ({"techniques": "partial-edges:keep=0"}, "above 0 and at most 1"),
        ({"techniques": []}, "at least one technique"),
        ({"algorithms": []}, "at least one algorithm"),
        ({"repeat": 0}, "repeat must be"),
        ({"sources": 0}, "sources must be"),
        ({"limit": 0}, "limit must be"),
        ({"source": 10**6}, "not a vertex"),
        ({"policies": []}, "policies must be"),
    ],
)
def test_bad_arguments(graph, arguments, words):
    with pytest.raises(nearly.InvalidArgumentError, match=words):
        nearly.compare(graph, **{"algorithms": "bfs", "techniques": "partial-edges", **arguments})


def test_a_graph_without_vertices():
    found = nearly.compare(nearly.Graph([0], []), "bfs", "partial-edges", repeat=1)
    assert (len(found), found.skipped[0].reason) == (0, "the graph has no vertices")


def test_times_are_taken_until_they_are_settled(monkeypatch):
    from nearly.experiments import contestants
    from nearly.experiments.contestants import Contestant, take_turns

    steady, wild = Contestant(None), Contestant(None)
    seconds = iter([1.0, 9.0, 2.0, 8.0, 1.0, *[2.0] * 100])
    monkeypatch.setattr(Contestant, "again", lambda self: self.runs.append(1.0 if self is steady else next(seconds)))
    take_turns([steady, wild], 3)
    assert 3 < len(wild.runs) == len(steady.runs) < 3 * contestants.MOST_TURNS
    assert (steady.spread, steady.settled, wild.settled) == (0.0, True, True)
    never = Contestant(None)
    turns = iter([1.0, 9.0] * 100)
    monkeypatch.setattr(Contestant, "again", lambda self: self.runs.append(next(turns)))
    take_turns([never], 3)
    assert len(never.runs) == 3 * contestants.MOST_TURNS
    assert not never.settled
    once = Contestant(None, runs=[1.0])
    assert (once.spread, once.settled) == (None, True)  # of one run nothing is known


def test_doubts_are_told(found):
    from dataclasses import replace

    from nearly.experiments.comparison import Comparison

    rows = [replace(row, settled=i > 0) for i, row in enumerate(found)]
    doubtful = Comparison(rows, busy=0.43)
    assert "43% of the cores" in doubtful.doubts
    assert f"1 of {len(rows)} rows" in repr(doubtful)
    assert "do not rely" in doubtful._repr_html_()
    assert Comparison([replace(row, settled=True) for row in rows], busy=0.01).doubts == ""


def test_other_programs_are_seen():
    import subprocess
    import sys
    import time

    from nearly.experiments.machine_load import OtherPrograms

    others = OtherPrograms()
    assert others.share() is None  # too little time
    time.sleep(0.25)
    share = others.share()
    assert share is None or 0 <= share <= 1
    assert subprocess.run([sys.executable, "-c", "pass"], check=True).returncode == 0
