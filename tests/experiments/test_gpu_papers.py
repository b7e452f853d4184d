"""Graffix and node splitting: the papers' figures stand beside ours, measured and modelled; rules of their own."""

from __future__ import annotations

import numpy as np
import pytest

import nearly
from nearly.experiments.means import arithmetic, geometric
from nearly.experiments.papers import graffix, splitting
from nearly.experiments.papers.graffix_published import PREPROCESSING, TABLES, TECHNIQUES

MEANS = {  # as the paper prints them below its tables
    "topology": {"coalesce": (1.16, 10), "cluster-locality": (1.20, 13), "normalize-degrees": (1.07, 8)},
    "split": {"coalesce": (1.10, 9), "cluster-locality": (1.19, 12), "normalize-degrees": (1.03, 8)},
    "frontier": {"coalesce": (1.14, 9), "cluster-locality": (1.19, 12), "normalize-degrees": (1.07, 8)},
}


@pytest.mark.parametrize("policy", MEANS)
@pytest.mark.parametrize("technique", TECHNIQUES)
def test_graffix_figures_have_the_papers_means(policy, technique):
    cells = [cell for cells in TABLES[policy][technique].values() for cell in cells.values()]
    speedup, inaccuracy = MEANS[policy][technique]
    assert geometric(c[0] for c in cells) == pytest.approx(speedup, abs=0.011)
    assert arithmetic(c[1] for c in cells) == pytest.approx(inaccuracy, abs=1.05)
    assert set(PREPROCESSING[technique]) == {"rmat", "random", "livejournal", "road", "twitter"}


@pytest.fixture
def few(monkeypatch):
    """Two algorithms, one style, one value of a knob."""
    small = {"topology": {t: {a: TABLES["topology"][t][a] for a in ("sssp", "pagerank")} for t in TECHNIQUES}}
    for module in (graffix, pytest.importorskip("nearly.experiments.papers.graffix_model")):
        monkeypatch.setattr(module, "TABLES", small)
        monkeypatch.setattr(module, "VALUES", (0.4,))
    monkeypatch.setattr(graffix, "STYLES", {"topology": "Baseline-I"})
    monkeypatch.setattr(graffix, "SWEPT", ("pagerank",))


@pytest.mark.parametrize("on", ["cpu", "model"])
def test_graffix_reruns_small(few, on, tmp_path):
    graph = nearly.generate.rmat(8, 8, seed=1, weights="int")
    made = graffix.graffix({"rmat": graph}, 8, 1, lambda *_: None, on=on)
    effects = [table for table in made.tables if "effect" in table.title]
    assert len(effects) == 3
    for table in effects:
        assert [row["algorithm"] for row in table.rows] == ["sssp", "pagerank", "mean"]
        assert all(row["paper: speedup"] > 1 for row in table.rows)
        if on == "cpu":
            assert table.rows[0]["inaccuracy %"] == 0  # 2-hop arcs change no distance
    for name, draw in made.pictures.items():
        draw(tmp_path / f"{name}.png")
        assert (tmp_path / f"{name}.png").stat().st_size > 1000


@pytest.mark.parametrize("on", ["cpu", "model"])
def test_splitting_reruns_small(on, tmp_path):
    graph = nearly.generate.rmat(8, 8, seed=1, weights="int")
    made = splitting.splitting({"rmat": graph}, 8, 1, lambda *_: None, on=on)
    table = made.tables[0]
    assert [row["algorithm"] for row in table.rows] == ["bfs", "sssp"]
    assert [row["paper: improvement %"] for row in table.rows] == [48.78, 37.30]
    for name, draw in made.pictures.items():
        draw(tmp_path / f"{name}.png")


def test_a_block_takes_as_long_as_its_longest_rows():
    degrees = np.zeros(512, np.int64)
    degrees[[0, 1, 32]] = 5, 9, 2  # two warps of the first block
    assert splitting.block_work(degrees).tolist() == [11, 0]
