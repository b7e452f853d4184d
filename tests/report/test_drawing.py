"""Pictures: what is in them, escaped names, which edges stay, large graphs by communities, formats, the command."""

from __future__ import annotations

import json
import warnings
import xml.etree.ElementTree as tree
from pathlib import Path

import numpy as np
import pytest
from tests.report.graphs import EVIL, named, planted

import nearly
from nearly.reporting.edge_choice import edges_of, most_important

SVG = "{http://www.w3.org/2000/svg}"


def test_names_are_texts_whatever_they_hold():
    picture = nearly.draw(named(), size="degree", labels=40)
    root = tree.fromstring(picture.svg)  # well-formed, control characters and all
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert not list(root.iter(f"{SVG}script"))
    assert not list(root.iter(f"{SVG}img"))
    assert any(text.startswith(EVIL[:20]) for text in texts)
    assert any("Zürich" in text for text in texts)
    assert all(len(text) < 80 for text in texts)


def test_size_colour_and_labels_follow_what_is_asked(tmp_path):
    g = planted()
    degree = nearly.draw(g, size="degree", labels=5)
    best = np.argsort(-g.out_degrees, kind="stable")[:5]
    assert list(degree.scene.labels) == best.tolist()
    assert degree.scene.radius.argmax() in np.flatnonzero(g.out_degrees == g.out_degrees.max())
    assert len(set(degree.scene.colour[:40])) == 1  # a planted community has one colour
    assert len(set(degree.scene.colour[::40])) == 6
    ranks = nearly.pagerank(g)
    by_result = nearly.draw(g, size=None, colour=ranks, positions=nearly.layout(g), labels=0)
    assert np.ptp(by_result.scene.radius) == 0
    assert by_result.scene.colour[ranks.values.argmax()] == by_result.scene.colour.max()
    assert not by_result.scene.labels
    again = nearly.draw(g, tmp_path / "again.svg", size="degree", labels=5)
    assert (tmp_path / "again.svg").read_text() == again.svg == degree.svg
    for bad, said in [
        ({"size": "nonsense"}, "nonsense"), ({"size": "bfs"}, "source"), ({"colour": [1, 2]}, "240"),
        ({"positions": [[0, 0]]}, "240 rows"), ({"of": "edges"}, "of must"), ({"labels": -1}, "labels"),
    ]:  # fmt: skip
        with pytest.raises(nearly.NearlyError, match=said):
            nearly.draw(g, **bad)


def test_the_most_important_edges_stay():
    """Every vertex keeps its first edge, to the most important of its neighbours, before others keep more."""
    g = planted()
    edges, amounts = edges_of(g), g.out_degrees + np.arange(g.n) / g.n
    kept = most_important(edges, amounts, g.n)
    assert len(kept) == g.n
    assert set(map(tuple, kept.tolist())) <= set(map(tuple, edges.tolist()))
    for v in range(g.n):
        best = max(g.neighbors(v), key=lambda u: amounts[u])
        assert (min(v, best), max(v, best)) in set(map(tuple, kept.tolist()))
    assert most_important(edges, amounts, len(edges)) is edges


def test_a_large_graph_is_drawn_by_its_communities():
    g = planted()
    scene = nearly.draw(g, of="communities", size="degree").scene
    assert len(scene.at) == 6
    assert len(scene.lines) == 15
    apart = np.sqrt(((scene.at[:, None] - scene.at[None]) ** 2).sum(axis=2)) + 1e9 * np.eye(6)
    assert (apart > scene.radius[:, None] + scene.radius[None]).all()
    assert "6 of 6" in scene.notes[0]
    assert "and 39 more" in scene.tips[0]
    by_value = nearly.draw(g, of="communities", size=None, colour=np.arange(g.n)).scene
    assert len(set(by_value.colour)) == 6


def test_formats(tmp_path, monkeypatch):
    g = named()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the font has not all letters
        nearly.draw(g, tmp_path / "picture.png", size="degree")
    assert (tmp_path / "picture.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    for name in ("picture", "picture.gif"):
        with pytest.raises(nearly.NearlyError, match="svg"):
            nearly.draw(g, tmp_path / name)
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(nearly.MissingDependencyError, match="nearly\\[plots\\]"):
        nearly.draw(g, tmp_path / "other.png")
    assert nearly.draw(g, tmp_path / "other.svg", size="degree").svg
    for empty in (nearly.Graph.from_edges([], []), nearly.Graph.from_edges([], [], n=1)):
        assert tree.fromstring(nearly.draw(empty, size="degree").svg) is not None


def test_the_command(tmp_path, monkeypatch, capsys):
    from nearly.cli.main import main

    monkeypatch.chdir(tmp_path)
    planted().save("g.npz")
    with pytest.raises(SystemExit) as ended:
        main(["draw", "g.npz", "-o", "p.svg", "--size", "degree", "--colour", "none", "--labels", "3", "--json"])
    assert not ended.value.code
    told = json.loads(capsys.readouterr().out)
    assert (told["dots"], told["vertices"]) == (240, 240)
    assert told["picture_bytes"] == Path("p.svg").stat().st_size
    with pytest.raises(SystemExit) as ended:
        main(["draw", "g.npz", "-o", "p.txt"])
    assert ended.value.code == 2
    assert ".svg" in capsys.readouterr().err
