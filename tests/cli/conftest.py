"""A way to run `nearly` inside the test's own process, which compiles nothing twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from nearly.cli import output
from nearly.cli.main import main


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`run("info", "g.npz")` in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(output, "settings", output.Settings())
    monkeypatch.setenv("NEARLY_CACHE", "0")  # a test that is about the cache says so

    def run(*args: object) -> Ran:
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            main([str(arg) for arg in args])
        printed = capsys.readouterr()
        code = stopped.value.code
        return Ran(code if isinstance(code, int) else 0 if code is None else 1, printed.out, printed.err)

    return run
