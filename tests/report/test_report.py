"""Reports: figures that are right and say so, names that are escaped, time that runs out, the chart, the command."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from types import SimpleNamespace

import numpy as np
import pytest
from tests.report.graphs import EVIL, named, planted

import nearly
from nearly.experiments.comparison import Row
from nearly.reporting import asking
from nearly.reporting.asking import Asker, Clock, NoAnswer
from nearly.reporting.figures import Figure
from nearly.reporting.speed_error_chart import speed_error_chart, story


class Reader(HTMLParser):
    """Tags with their attributes, and all text outside of style and script."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._inside: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._inside.append(tag)

    def handle_endtag(self, tag):
        while self._inside and self._inside.pop() != tag:
            pass

    def handle_data(self, data):
        if not self._inside or self._inside[-1] not in ("style", "script"):
            self.text += data


def figures(report):
    return {figure.name: figure for section in report.sections for figure in section.figures}


def test_figures_are_those_of_the_library():
    g = planted()
    made = nearly.report(g)
    told = figures(made)
    assert told["vertices"].value == "240"
    assert told["edges"].value == f"{g.m // 2:,}"
    assert told["components"].value == "1"
    assert told["diameter"].value == str(nearly.diameter(g).values)
    assert told["triangles"].value == f"{nearly.triangle_count(g).total:,}"
    assert told["communities"].value == "6"
    assert told["communities"].guarantee == "heuristic"  # whatever the method: no optimum is promised
    assert told["largest core number"].value == str(nearly.kcore(g).degeneracy)
    assert told["top by betweenness"].value == str(nearly.topk_betweenness(g, k=1).vertices[0])
    assert all(figure.guarantee != "missing" for figure in told.values())
    assert len(made.html) < 2_000_000
    for word in ("Picture", "How exact, and at what cost", "exact", "heuristic"):
        assert word in made.html
    rows = next(section for section in made.sections if section.key == "cost").tables[0].rows
    assert len(rows) == len(told)
    json.dumps(made.to_dict(), allow_nan=False)
    assert "srcdoc" in made._repr_html_()


def test_the_page_is_closed_and_names_are_texts(tmp_path):
    made = nearly.report(named(), tmp_path / "r.html", title=EVIL)
    page = (tmp_path / "r.html").read_text()
    assert page == made.html
    reader = Reader(page)
    scripts = [attributes for tag, attributes in reader.tags if tag == "script"]
    assert scripts == [{}]  # its own, inline
    assert not [tag for tag, _ in reader.tags if tag in ("img", "iframe", "object", "embed", "base", "form")]
    assert not [a for _, a in reader.tags for name in a if name.startswith("on")]
    addresses = [a[name] for _, a in reader.tags for name in ("src", "href") if name in a]
    assert addresses
    assert all(address.startswith(("#", "data:,")) for address in addresses)
    assert "<script>document" in reader.text  # as text
    assert "url(" not in page
    assert "@import" not in page
    assert "default-src 'none'" in page


def test_what_there_is_no_time_for_says_so():
    g = planted()
    made = nearly.report(g, max_seconds=1e-6)
    told = figures(made)
    assert told["vertices"].value == "240"
    assert told["diameter"].guarantee == "missing"
    assert "time" in told["diameter"].promise
    assert "missing" in made.html


def test_a_question_disturbed_by_the_compiler_is_asked_again(monkeypatch):
    """Time that ran out while kernels were compiled is no answer; time that ran out without is one."""
    compiled, calls = [0.0], []

    def kcore(graph, **keywords):
        calls.append(keywords)
        compiled[0] += 10 if len(calls) < 3 else 0
        if len(calls) != 3:
            raise nearly.TimeBudgetError("it would take a year")
        return "the answer"

    monkeypatch.setattr(asking, "compile_seconds", lambda: compiled[0])
    monkeypatch.setattr(asking, "ALGORITHMS", SimpleNamespace(get=lambda name: SimpleNamespace(function=kcore)))
    asker = Asker(planted(), Clock(1.0), lambda *_: None, seed=3)
    assert asker.ask("kcore", 0.5) == "the answer"
    assert len(calls) == 3
    assert calls[0]["seed"] == 3
    late = asker.ask("kcore", 0.5)
    assert isinstance(late, NoAnswer)
    assert late.why == "it ran out of time: it would take a year"
    assert len(calls) == 4


@pytest.mark.parametrize("n", [0, 1, 3])
def test_tiny_and_odd_graphs(n):
    for directed in (False, True):
        g = nearly.Graph.from_edges(np.arange(n), np.zeros(n, int), n=n, directed=directed)
        made = nearly.report(g, max_seconds=5)
        assert figures(made)["vertices"].value == str(n)
        assert not re.search(r"\bnan\b", made.html)


def test_intervals_are_told_with_the_digits_they_need():
    assert Figure("x", "3", interval=(3.0, 4.0)).between == "3 to 4"
    assert Figure("x", "3.23", interval=(3.2312, 3.2319)).between == "3.2312 to 3.2319"
    assert Figure("x", "3").between == ""


def row(algorithm, technique, speed, error, **more):
    costs = (0.5, 1.0, 1.0, 0.0, 0.0, 0.0, None, 10, 3, 1, 3)
    return Row(algorithm, technique, "auto", speed, speed, error, "certified", *costs, **more)


def test_the_chart_has_a_point_with_its_story_for_every_row():
    rows = [row("pagerank", "exact", 1, 0), row("pagerank", "budget 0.1", 8, 0.03, bound=0.09, choice="rounds"),
            row("sssp", "<b>", 0.5, 0.0), row("sssp", "far", 3, float("inf"))]  # fmt: skip
    reader = Reader(speed_error_chart(rows))
    points = [a for tag, a in reader.tags if tag == "circle"]
    assert len(points) == 3
    assert [p["data-algorithm"] for p in points] == ["sssp", "pagerank", "sssp"]  # by error
    assert [p["tabindex"] for p in points] == ["0", "-1", "-1"]
    assert "the planner chose rounds" in story(rows[1])
    assert "bound 0.09" in points[1]["aria-label"]
    assert "slower" in points[0]["aria-label"]
    left, right = float(points[0]["cx"]), float(points[2]["cx"])
    assert left < float(points[1]["cx"]) < right
    assert float(points[1]["cy"]) < float(points[2]["cy"]) < float(points[0]["cy"])
    assert sum(a.get("type") == "checkbox" for _, a in reader.tags) == 2


def test_bad_arguments(tmp_path):
    g = planted()
    for bad, said in (({"max_seconds": 0}, "max_seconds"), ({"seed": -1}, "seed"), ({"compare": 3}, "compare")):
        with pytest.raises(nearly.NearlyError, match=said):
            nearly.report(g, **bad)
    with pytest.raises(nearly.NearlyError, match="html"):
        nearly.report(g, tmp_path / "report.pdf")
    with pytest.raises(nearly.NearlyError, match="Graph"):
        nearly.report("file.npz")


def test_the_command(tmp_path, monkeypatch, capsys):
    from nearly.cli.main import main

    monkeypatch.chdir(tmp_path)
    planted().save("g.npz")
    with pytest.raises(SystemExit) as ended:
        main(["report", "g.npz", "-o", "r.html", "--max-seconds", "20", "--json"])
    assert not ended.value.code
    told = json.loads(capsys.readouterr().out)
    assert told["report_bytes"] == (tmp_path / "r.html").stat().st_size
    assert {s["section"] for s in told["sections"]} >= {"sizes", "top", "distances", "cost"}
    assert "<title>g.npz</title>" in (tmp_path / "r.html").read_text()
    with pytest.raises(SystemExit) as ended:
        main(["report", "g.npz", "-o", "r.txt"])
    assert ended.value.code == 2
