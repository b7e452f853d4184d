"""An engineer on the command line with the same file: names in options, names in every output."""

from __future__ import annotations

import csv
import json

import pytest
from tests.users.test_data_scientist import packages

from nearly.cli.main import main


def ran(capsys, *args: object) -> tuple[int, str, str]:
    """The exit code, and what was printed."""
    with pytest.raises(SystemExit) as stopped:
        main([str(arg) for arg in args])
    return int(stopped.value.code or 0), *capsys.readouterr()


def test_names_on_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NEARLY_CACHE", "0")
    packages(tmp_path / "packages.csv")
    code, out, _ = ran(capsys, "info", "packages.csv", "--json")
    assert (code, json.loads(out)["vertices"]) == (0, 60)
    code, _, _ = ran(capsys, "run", "bfs", "packages.csv", "--source", "lib59", "-o", "hops.csv")
    rows = {row["vertex"]: int(row["value"]) for row in csv.DictReader((tmp_path / "hops.csv").open())}
    assert (code, rows["lib59"], rows["libc6"], len(rows)) == (0, 0, 1, 60)
    code, out, _ = ran(capsys, "run", "similar", "packages.csv", "--source", "lib59", "--k", 3, "--json")
    assert all(row["vertex"].startswith("lib") for row in json.loads(out)["top"])
    code, _, err = ran(capsys, "run", "bfs", "packages.csv", "--source", "libc7")
    assert code == 2
    assert "--source: no vertex is called 'libc7'; did you mean" in " ".join(err.split())
    assert "'libc6'" in err
    for name in ("p.npz", "p.graphml", "p.tsv", "p.json"):
        assert ran(capsys, "convert", "packages.csv", name)[0] == 0
        code, out, _ = ran(capsys, "run", "bfs", name, "--source", "lib59", "--json")
        assert (code, json.loads(out)["summary"]["largest"]) == (0, max(rows.values()))
    (tmp_path / "numbers.txt").write_text("10 20\n20 30\n")
    code, out, _ = ran(capsys, "run", "bfs", "numbers.txt", "--source", "30", "--json")
    assert (code, json.loads(out)["summary"]["largest"]) == (0, 0)
    code, _, err = ran(capsys, "run", "bfs", "numbers.txt", "--source", "lib59")
    assert code == 2
    assert "--source must be a whole number" in " ".join(err.split())
