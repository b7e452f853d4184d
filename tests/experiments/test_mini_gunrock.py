"""Mini-Gunrock on tiny graphs: every table and picture, the paper's means, duplicates, a graph named as the paper's."""

from __future__ import annotations

import pytest

import nearly
from nearly.base.progress import silent
from nearly.experiments.papers.mini_gunrock import MEANS, PAPER, STANDS_FOR, mini_gunrock, stand_ins
from nearly.experiments.papers.mini_gunrock_rounds import INPUT


@pytest.fixture(scope="module")
def made():
    return mini_gunrock({}, 8, 1, silent)


def test_every_table_has_its_rows(made):
    bfs, pagerank, _, about, rounds, balance, idempotent, colors = made.tables
    names = list(stand_ins(8))
    assert list(STANDS_FOR) == names
    assert set(STANDS_FOR.values()) == set(PAPER)
    for table in (about, bfs, pagerank, idempotent):
        assert [row["graph"] for row in table.rows] == names
    assert [row["paper: Mini-Gunrock"] for row in bfs.rows] == [111.4, 37.32, 107.3, 7548.0, 3473.0]
    assert [row["paper: Gunrock"] for row in pagerank.rows] == [176.0, 27.31, 176.2, 91.81, 181.6]
    assert about.rows[3]["paper: diameter"] == 6809
    for name in names:
        steps = [row for row in rounds.rows if row["graph"] == name]
        assert 0 < len(steps) <= 12
        assert 50 < sum(row["edges %"] for row in steps) <= 100.01  # a round visits rows that no other round does
        assert sum(row["input: rounds"] for row in balance.rows if row["graph"] == name) == len(
            made.figures[name][INPUT]
        )
    assert {row["method"] for row in colors.rows} == {"luby-jones-rounds", "luby-jones", "greedy"}


def test_geometric_means_are_the_papers(made):
    means = {(row["algorithm"], row["graphs"]): row for row in made.tables[2].rows}
    for algorithm, printed in MEANS.items():
        row = means[algorithm, "scale-free"]
        assert row["paper: Mini-Gunrock over Gunrock"] == pytest.approx(printed, abs=0.001)
        assert means[algorithm, "all"]["paper: Mini-Gunrock over Gunrock"] < row["paper: Mini-Gunrock over Gunrock"]
        assert all(row[f"over {policy}"] > 0 for policy in ("topology", "frontier", "split", "heavy-light"))


def test_frontiers_of_idempotent_rounds_are_no_smaller(made):
    for row in made.tables[6].rows:
        assert row["idempotent: edges"] >= row["edges"]
        assert row["idempotent: largest frontier"] >= row["largest frontier"]
    assert any(row["duplicates"] > 0 for row in made.tables[6].rows)


def test_a_given_graph_is_shown_beside_the_papers_row(tmp_path):
    g = nearly.generate.rmat(7, 8, seed=1, directed=False)
    made = mini_gunrock({"kron": g, "mine": g}, 8, 1, silent)
    assert [row["paper: Gunrock"] for row in made.tables[0].rows] == [196.9, None]
    assert [row["graphs"] for row in made.tables[2].rows] == ["scale-free", "all"] * 2
    for name, draw in made.pictures.items():
        draw(tmp_path / f"{name}.png")
        assert (tmp_path / f"{name}.png").stat().st_size > 1000
