"""The report in a real browser: no errors, no network, a chart that responds to pointer and keys, light, dark, print.

Skipped where there is no Chromium, unless NEARLY_NEEDS_BROWSER is set, as `.ci/run` does.
"""

from __future__ import annotations

import os

import pytest
from tests.report.browser import browser, found
from tests.report.graphs import EVIL, named

import nearly
from nearly.experiments.compare import compare
from nearly.reporting.figures import Section
from nearly.reporting.page import html_of
from nearly.reporting.speed_error_chart import comparison_table, speed_error_chart

NEEDED = bool(os.environ.get("NEARLY_NEEDS_BROWSER"))
pytestmark = pytest.mark.skipif(
    found() is None and not NEEDED,
    reason="there is no chromium: apt-get install chromium; NEARLY_NEEDS_BROWSER=1 insists",
)
SHOWN = "[...document.querySelectorAll('.point')].filter(p => getComputedStyle(p).display !== 'none').length"
STORY = "document.querySelector('.story').textContent"
FOCUSED = "document.activeElement.getAttribute('aria-label')"


@pytest.fixture(scope="module")
def page():
    with browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A report with a comparison that has rows of two algorithms."""
    g = named()
    rows = [
        *compare(g, "pagerank", ["partial-edges:keep=0.5", "reduced-execution"], repeat=1, max_error=[0.1]),
        *compare(g, "sssp", "partial-edges:keep=0.5", repeat=1),
    ]
    made = nearly.report(g, title=EVIL)
    section = Section(
        "compare", "Speed against error", tables=[comparison_table(rows)], charts=[speed_error_chart(rows)]
    )
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(html_of(EVIL, "about", [*made.sections, section], "foot"), encoding="utf-8")
    return path


def test_it_opens_without_errors_and_without_a_network(page, file):
    page.console.clear()
    page.requests.clear()
    page.open(file)
    assert page.console == []
    assert [url for url in page.requests if not url.startswith(("file://", "data:"))] == []
    assert page.requests.count(file.resolve().as_uri()) == 1
    assert page.run("document.title") == EVIL  # the name was no code
    assert page.run("document.querySelectorAll('script').length") == 1
    assert page.run("document.querySelectorAll('.drawing svg circle').length") >= 36
    wide = page.run("document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0
    page.open(file, wide=390, tall=800)
    assert page.run("document.documentElement.scrollWidth - window.innerWidth") <= 0


def test_the_page_forbids_what_it_does_not_bring(page, file, tmp_path):
    """Should a name slip through unescaped: no script but the page's own runs, and nothing is fetched."""
    broken = tmp_path / "broken.html"
    evil = (
        "<script>document.title='owned'</script><img src='http://127.0.0.1:9/x.png' onerror=\"document.title='owned'\">"
    )
    broken.write_text(file.read_text("utf-8").replace("<footer>", f"<footer>{evil}"), encoding="utf-8")
    page.console.clear()
    page.open(broken)
    assert page.run("document.title") == EVIL
    assert any("Content Security Policy" in line for line in page.console)
    page.console.clear()


def test_the_chart_responds_to_the_pointer_and_to_keys(page, file):
    page.open(file)
    everything = page.run("document.querySelectorAll('.point').length")
    assert page.run(SHOWN) == everything >= 4
    before = page.run(STORY)
    page.point_at(".point[data-algorithm=sssp]")
    told = page.run(STORY)
    assert told != before
    assert "sssp" in told
    page.run("document.querySelector('.point[tabindex=\"0\"]').focus()")
    first = page.run(FOCUSED)
    assert page.run(STORY).startswith(first)
    page.press("ArrowRight")
    second = page.run(FOCUSED)
    assert second != first
    assert page.run(STORY).startswith(second)
    page.press("Home")
    assert page.run(FOCUSED) == first
    assert page.run("document.querySelector('.frontier').getAttribute('points')")
    assert page.run("document.querySelectorAll('.point.best').length") >= 1


def test_the_filter_hides_algorithms_and_the_frontier_follows(page, file):
    page.open(file)
    of_sssp = page.run("document.querySelectorAll('.point[data-algorithm=sssp]').length")
    page.run("document.querySelector('input[value=pagerank]').focus()")
    page.press(" ")
    assert page.run(SHOWN) == of_sssp
    assert page.run(
        "[...document.querySelectorAll('.point.best:not([hidden])')].every(p => p.dataset.algorithm == 'sssp')"
    )
    assert page.run("document.querySelector('.point[tabindex=\"0\"]').dataset.algorithm") == "sssp"
    page.run("document.querySelector('[data-none]').click()")
    assert page.run(SHOWN) == 0
    page.run("document.querySelector('[data-all]').click()")
    assert page.run(SHOWN) == page.run("document.querySelectorAll('.point').length")
    assert page.console == []


def test_light_dark_and_paper(page, file):
    paper, ink = "getComputedStyle(document.body).backgroundColor", "getComputedStyle(document.body).color"
    page.open(file)
    light = page.run(paper), page.run(ink)
    page.paper(dark=True)
    dark = page.run(paper), page.run(ink)
    assert light[0] == "rgb(255, 255, 255)" != dark[0]
    assert light[1] != dark[1]
    assert page.run("getComputedStyle(document.querySelector('.nearly-drawing .paper')).fill") == dark[0]
    printed = page.printed()
    assert printed.startswith(b"%PDF")
    assert len(printed) > 10_000


def test_labels_for_those_who_do_not_see_and_focus_for_those_who_do_not_point(page, file):
    page.open(file)
    named = (
        "s => s.getAttribute('aria-label') || document.getElementById(s.getAttribute('aria-labelledby').split(' ')[0])"
    )
    for kind in ("svg", "section", "nav", "[role=region]"):
        assert page.run(f"[...document.querySelectorAll('{kind}')].every({named})"), kind
    assert page.run("document.documentElement.lang") == "en"
    assert page.run("document.querySelectorAll('h1').length") == 1
    page.press("Tab")
    assert page.run("document.activeElement.className") == "skip"
    page.press("Tab")
    assert page.run("document.activeElement.tagName") == "A"
    seen = page.run("getComputedStyle(document.activeElement).outlineStyle")
    assert seen != "none"
