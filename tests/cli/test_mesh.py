"""`nearly mesh`: make, refine, describe, verify and draw meshes in files."""

from __future__ import annotations

from pathlib import Path

from nearly.mesh import Mesh, write


def test_generate_refine_info_plot(run):
    made = run("mesh", "generate", "uniform", "--points", 200, "-o", "m.ele", "--json")
    assert made.code == 0, made.err
    assert made.document["points"] == 200
    arguments = ["mesh", "refine", "m.ele", "--min-angle", 25, "-o", "r.ele", "--plot", "r.png", "--verify"]
    done = run(*arguments, "--json")
    assert done.code == 0, done.err
    assert done.document["before"]["bad"] > 0 == done.document["after"]["bad"]
    assert done.document["verified"] is True
    assert (done.document["parameters"]["scheme"], done.document["scheme"]) == ("auto", "serial")
    assert Path("r.png").exists()
    table = run(*arguments, "--scheme", "serial")
    assert table.code == 0
    for word in ("before", "after", "inserted", "verified"):
        assert word in table.out
    info = run("mesh", "info", "r.ele", "--json").document
    assert info["triangles"] == sum(info["histogram"])
    assert "smallest angles" in run("mesh", "info", "r.ele").out
    assert run("mesh", "verify", "r.ele", "--min-angle", 20).code == 0
    assert run("mesh", "plot", "r.ele", "-o", "again.svg").code == 0


def test_exit_codes(run):
    write(Mesh([(0, 0), (4, -1), (8, 0), (4, 1)], [(0, 1, 2), (0, 2, 3)]), "bad.ele")
    failed = run("mesh", "verify", "bad.ele", "--json")
    assert failed.code == 3
    assert "not Delaunay" in failed.document["problems"][0]
    assert run("mesh", "verify", "bad.ele", "--no-delaunay").code == 0
    for arguments in (
        ["info", "missing.ele"],
        ["generate", "cube", "-o", "m.ele"],
        ["generate", "disc", "-o", "nowhere/m.ele"],
        ["refine", "bad.ele", "--min-angle", "50"],
        ["refine", "bad.ele", "--plot", "m.gif"],
    ):
        assert run("mesh", *arguments).code == 2, arguments
