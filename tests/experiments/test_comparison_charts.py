"""Pictures are drawn for whatever was measured: errors of 0, words as values, a single row."""

from __future__ import annotations

from dataclasses import replace

import pytest
from matplotlib.axes import Axes

import nearly
from nearly.experiments.comparison import SAME_ERROR, Row
from nearly.experiments.comparison_charts import plot_comparison, plot_sweep
from nearly.experiments.pictures import is_ours

ROW = Row(
    "sssp", "partial-edges", "auto", speedup=2.0, speedup_vs_best=1.5, inaccuracy=0.01, guarantee="upper bound",
    seconds=0.5, exact_seconds=1.0, best_exact_seconds=0.75, preprocess_seconds=0.1, compile_seconds=0.0,
    extra_space=0.0, break_even_runs=0.2, edges_touched=10, rounds=3, seed=1, repeat=5,
)  # fmt: skip
CASES = {
    "one": [ROW],
    "exact ones": [replace(ROW, inaccuracy=0.0), replace(ROW, inaccuracy=0.0, speedup=0.5)],
    "far apart": [
        replace(ROW, inaccuracy=e, speedup=s) for e, s in ((0, 0.01), (1e-12, 100), (0.5, 1), (float("inf"), 2))
    ],
    "same error": [ROW, replace(ROW, technique=SAME_ERROR, algorithm="pagerank")],
}


@pytest.mark.parametrize("rows", CASES.values(), ids=CASES)
@pytest.mark.parametrize("form", ["png", "svg"])
def test_comparisons_are_drawn(rows, form, tmp_path):
    path = tmp_path / f"picture.{form}"
    plot_comparison([replace(ROW, technique="exact"), *rows], path, "a title")
    assert path.read_bytes().startswith(b"\x89PNG" if form == "png" else b"<?xml")
    if form == "png":
        assert is_ours(path)
    else:
        assert "slower than exact" in path.read_text() or "DejaVu" in path.read_text()


@pytest.mark.parametrize("values", [[0.1, 0.5, 1.0], [1, 10, 1000], ["random", "heaviest", "lightest"], [0.3]])
def test_sweeps_are_drawn(values, tmp_path):
    rows = [replace(ROW, knob="keep", value=v, inaccuracy=0.1 * i) for i, v in enumerate(values)]
    rows += [replace(row, technique=SAME_ERROR) for row in rows]
    plot_sweep(rows, tmp_path / "sweep.png", "a title")
    assert (tmp_path / "sweep.png").stat().st_size > 10_000


def test_nothing_to_draw(tmp_path):
    for draw in (plot_comparison, plot_sweep):
        with pytest.raises(nearly.InvalidArgumentError, match="nothing to draw"):
            draw([replace(ROW, technique="exact")], tmp_path / "none.png", "a title")
    assert not list(tmp_path.iterdir())


def test_others_pictures_are_not_ours(tmp_path):
    (tmp_path / "other.png").write_bytes(b"\x89PNG, drawn elsewhere")
    assert not is_ours(tmp_path / "other.png")


def test_labels_of_points_that_coincide_stand_on_one_line(monkeypatch, tmp_path):
    written = []
    monkeypatch.setattr(Axes, "annotate", lambda self, text, at, **style: written.append((text, at[1])))
    seen = ((0.1, 0.01, 2.0), (0.2, 0.01, 2.001), (0.3, 0.5, 2.0), (0.4, 0.01, 9.0))
    rows = [replace(ROW, knob="keep", value=v, inaccuracy=e, speedup=s) for v, e, s in seen]
    plot_sweep(rows, tmp_path / "sweep.png", "a title")
    assert [w for w in written if w[0][0].isdigit()] == [("0.1, 0.2", 2.0), ("0.3", 2.0), ("0.4", 9.0)]


def test_lines_and_labels_stay_apart(tmp_path):
    from matplotlib.figure import Figure

    from nearly.experiments.comparison_charts import _label_ticks
    from nearly.experiments.pictures import few_ticks, side_by_side

    for count in (1, 3, 9):
        widths = [style["lw"] for style in side_by_side(count)]
        assert widths == sorted(set(widths), reverse=True)  # one on top of another leaves its rim
        assert widths[0] <= 8
    axes = Figure(figsize=(5, 4)).subplots()
    axes.set_xscale("log")
    places = [0.01, 0.7, 0.8, 0.9, 1.0]
    axes.plot(places, [1] * 5)
    _label_ticks(axes, places, [str(place) for place in places])
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0.01", "0.7", "", "", "1.0"]
    few_ticks(axes.xaxis, whole=True)


def test_stand_ins_are_called_so():
    import nearly
    from nearly.experiments.reproduction import Reproduced, Table

    g = nearly.Graph.from_edges([0], [1], n=512)
    table = Table("t", [{"graph": "orkut-like", "paper": 1}, {"graph": "mine"}, {"other": 2}])
    made = Reproduced([table]).on({"orkut-like": g, "mine": g}, {"orkut-like": "soc-orkut"})
    assert [row.get("graph") for row in made.shown(table)] == ["like soc-orkut, 512 vertices", "mine", None]
    assert table.rows[0]["graph"] == "orkut-like"  # recorded under its own name
