"""The command line in its own words: options, formats, completion, stand-ins, what a guarantee is worth."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import nearly


@pytest.fixture
def file(tmp_path):
    nearly.generate.rmat(6, 4, seed=1, weights="int").save(tmp_path / "g.npz")
    return "g.npz"


@pytest.mark.small
def test_errors_speak_of_options(run, file):
    for arguments, said in [
        (("run", "pagerank", file, "--max-error", -1), "--max-error must be"),
        (("run", "sssp", file, "--source", 9999), "--source: no vertex has the id 9999"),
        (("run", "bfs", file, "--source", 0, "--max-rounds", 0), "--max-rounds must be"),
        (("compare", file, "-t", "partial-edges:kep=1"), "did you mean 'keep'"),
        (("sweep", file, "-a", "bfs", "-t", "partial-edges", "-k", "kep", "--values", "1"), "did you mean 'keep'"),
    ]:
        done = run(*arguments)
        assert done.code == 2
        assert said in done.err
    assert ".png, .svg or .pdf" in " ".join(run("mesh", "plot", "--help").out.split())


@pytest.mark.small
def test_louvain_is_not_called_exact(run, file):
    assert "heuristic run in full" in run("run", "louvain", file).out
    assert run("run", "louvain", file, "--json").document["guarantee"] == "exact"  # the word of the library


def test_the_shell_completes_commands_options_and_names():
    for words, completed in (
        ("nearly mes", "mesh"),
        ("nearly mesh plot --mi", "--min-angle"),
        ("nearly run pa", "pagerank"),
    ):
        told = {"_NEARLY_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
        done = subprocess.run(
            [sys.executable, "-m", "nearly"], env={**os.environ, **told}, capture_output=True, text=True, check=False
        )
        assert completed in done.stdout.split()


@pytest.mark.small
def test_a_chart_in_text_where_there_is_no_picture():
    from nearly.cli.comparison_view import chart

    g = nearly.generate.rmat(6, 4, seed=1, weights="int")
    lines = chart(nearly.compare(g, "sssp", "partial-edges:keep=0.5", repeat=1)).splitlines()
    assert lines[0] == "speedup over exact"
    assert lines[1].startswith("sssp, partial-edges:keep=0.5 █")
    assert "% off" in lines[1]
