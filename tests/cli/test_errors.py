"""Bad input: exit code 2, one message on standard error, no traceback, nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import nearly
from nearly.cli import generate as generate_command
from nearly.cli import info as info_command

BAD = {
    "missing file": (["info", "nope.npz"], "nope.npz"),
    "missing file to convert": (["convert", "nope.txt", "out.npz"], "nope.txt"),
    "unknown extension": (["info", "text.odd"], "extension"),
    "broken line": (["info", "broken.txt"], "broken.txt, line 2"),
    "not a zip": (["info", "broken.npz"], "broken.npz"),
    "a folder": (["info", "folder.txt"], "folder.txt"),
    "unknown policy": (["convert", "good.txt", "out.npz", "--duplicates", "most"], "duplicates must be one of"),
    "format that is only read": (["convert", "good.txt", "out.gr"], "gr"),
    "no such folder": (["convert", "good.txt", "nowhere/out.npz"], "nowhere"),
    "a folder as output": (["convert", "good.txt", "folder.txt"], "is a folder"),
    "argument out of range": (["generate", "rmat", "--scale", "99", "-o", "out.npz"], "scale must be"),
    "too much memory": (["generate", "rmat", "--scale", "45", "-o", "out.npz"], "budget"),
    "unknown listing": (["list", "everything"], "generators, formats"),
    "unknown command": (["levitate"], "levitate"),
    "unknown option": (["info", "good.txt", "--loud"], "--loud"),
    "missing option": (["generate", "rmat", "-o", "out.npz"], "--scale"),
    "missing output": (["generate", "rmat", "--scale", "4"], "--output"),
    "not a number": (["generate", "rmat", "--scale", "many", "-o", "out.npz"], "--scale"),
    "knob of 0": (
        ["run", "bfs", "good.txt", "--source", "0", "--approx", "partial-edges:keep=0"],
        "above 0 and at most 1",
    ),
    "knob too large": (["compare", "good.txt", "-t", "partial-edges:keep=1.5"], "above 0 and at most 1"),
    "knob not a number": (["compare", "good.txt", "-t", "partial-edges:keep=nan"], "above 0 and at most 1"),
    "knob that is a word": (["compare", "good.txt", "-t", "partial-edges:select=best"], "'heaviest' or 'lightest'"),
    "unknown knob": (
        ["run", "bfs", "good.txt", "--source", "0", "--approx", "partial-edges:kept=1"],
        "its knobs are keep, select",
    ),
    "unknown technique": (["run", "bfs", "good.txt", "--source", "0", "--approx", "guessing"], "there are: "),
    "technique that does not apply": (["run", "scc", "good.txt", "--approx", "round-weights"], "applies to mst, sssp"),
    "nothing to compare": (["compare", "good.txt", "-a", "scc", "-t", "round-weights"], "applies to mst, sssp"),
    "unknown algorithm to compare": (["compare", "good.txt", "-a", "walk"], "no algorithm is called 'walk'"),
    "value out of range": (
        ["sweep", "good.txt", "-a", "bfs", "-t", "partial-edges", "-k", "keep", "--values", "0.5,0"],
        "above 0 and at most 1",
    ),
    "sweep of an unknown knob": (
        ["sweep", "good.txt", "-a", "bfs", "-t", "partial-edges", "-k", "kept", "--values", "0.5"],
        "its knobs are keep",
    ),
    "picture of an unknown kind": (["compare", "good.txt", "--plot", "out.bmp"], "pictures are written as .png"),
    "no graph of the paper": (["reproduce", "mini-gunrock", "good.txt", "--as", "orkut"], "soc-orkut"),
    "a name too many": (["reproduce", "mini-gunrock", "good.txt", "--as", "kron", "--as", "rgg"], "names 2 graphs"),
    "pictures into a file": (["reproduce", "mini-gunrock", "--plot", "good.txt/figures"], "cannot be made a folder"),
    "no folder for the table": (["compare", "good.txt", "--csv", "nowhere/out.csv"], "does not exist; make it first"),
    "not one of the words": (
        ["generate", "grid", "--rows", "2", "--cols", "2", "--weights", "x", "-o", "o.npz"],
        "'x'",
    ),
}


@pytest.fixture
def inputs(run):
    Path("good.txt").write_text("0 1\n1 2\n")
    Path("broken.txt").write_text("0 1\nzero one\n")
    Path("broken.npz").write_bytes(b"not a zip at all")
    Path("folder.txt").mkdir()
    return {entry.name for entry in Path().iterdir()}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(run, inputs, case):
    args, words = BAD[case]
    done = run(*args)
    assert done.code == 2
    assert words in done.err
    assert "Traceback" not in done.err
    assert done.out == ""
    assert {entry.name for entry in Path().iterdir()} == inputs


def test_one_line_for_errors_of_the_library(run, inputs):
    for args in (["info", "nope.npz"], ["info", "broken.txt"], ["info", "good.txt", "--nan", "x"]):
        err = run(*args).err
        assert err.startswith("error: ")
        assert err.count("\n") == 1


def test_long_messages_are_not_folded(run):
    name = "x" * 200 + ".npz"
    assert name in run("info", name).err


def test_file_names_are_not_markup(run):
    assert "[bold]nope[/bold].npz" in run("info", "[bold]nope[/bold].npz").err
    nearly.Graph.from_edges([0], [1]).save("[red]g.npz")
    assert "[red]g.npz" in run("info", "[red]g.npz").out


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes there")
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_file_names_that_cannot_be_shown(tmp_path, encoding):
    name = os.fsdecode("gr\u00fcn-".encode() + b"\xff.npz")
    nearly.Graph.from_edges([0], [1]).save(tmp_path / name)
    for args, code in ((["info", name], 0), (["info", name, "--json"], 0), (["info", "x" + name], 2)):
        done = subprocess.run(
            [sys.executable, "-m", "nearly", *args],
            cwd=tmp_path, capture_output=True, check=False, env={**os.environ, "PYTHONIOENCODING": encoding},
        )  # fmt: skip
        assert done.returncode == code
        assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("place", ["before", "after"])
def test_debug_shows_the_traceback(run, place):
    args = ["--debug", "info", "nope.npz"] if place == "before" else ["info", "nope.npz", "--debug"]
    done = run(*args)
    assert done.code == 2
    assert "Traceback" in done.err
    assert "nope.npz" in done.err.splitlines()[-1]


def test_json_errors_leave_standard_output_empty(run):
    done = run("info", "nope.npz", "--json")
    assert (done.code, done.out) == (2, "")
    assert "nope.npz" in done.err


def test_output_is_checked_before_the_work(run, monkeypatch):
    """An impossible output must not be noticed only after an hour of generating."""
    worked = []
    monkeypatch.setattr(generate_command, "save", lambda *_: worked.append("saved"))
    for target in ("nowhere/g.npz", "g.gr", "g.odd", "g.npz.gz"):
        done = run("generate", "rmat", "--scale", 45, "-o", target)
        assert done.code == 2
        assert "budget" not in done.err
    assert not worked


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_read_only_folder(run):
    Path("locked").mkdir(mode=0o500)
    assert run("generate", "rmat", "--scale", 4, "-o", "locked/g.npz").code == 2


def test_interrupt_is_one_line_and_130(run, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(info_command.nearly, "read", interrupted)
    done = run("info", "g.npz")
    assert done.code == 130
    assert done.err == "error: interrupted\n"


def test_out_of_memory_is_told(run, monkeypatch):
    def exhausted(*_, **__):
        raise MemoryError

    monkeypatch.setattr(info_command.nearly, "read", exhausted)
    done = run("info", "g.npz")
    assert (done.code, done.err) == (2, "error: out of memory\n")


def test_a_defect_is_not_hidden(run, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("a defect")

    monkeypatch.setattr(info_command.nearly, "read", broken)
    with pytest.raises(ZeroDivisionError):
        run("info", "g.npz")


def test_closed_pipe_is_silent():
    done = subprocess.run(
        f"{sys.executable} -m nearly list formats --json | true",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="signals differ there")
def test_interrupting_the_process(tmp_path):
    """A real Ctrl-C, while the process waits for a pipe that says nothing."""
    os.mkfifo(tmp_path / "pipe.txt")
    process = subprocess.Popen(
        [sys.executable, "-m", "nearly", "info", "pipe.txt"], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    )
    pipe = None
    while pipe is None:
        try:
            pipe = os.open(tmp_path / "pipe.txt", os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # the process has not opened the other end yet
            assert process.poll() is None
            time.sleep(0.05)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    os.close(pipe)
    assert process.returncode == 130
    assert err == "error: interrupted\n"
