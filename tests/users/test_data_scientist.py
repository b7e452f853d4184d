"""A data scientist with a CSV of names: from the file to a named table in a few lines, and no glue."""

from __future__ import annotations

import pathlib

SCRIPT = """
import nearly, pandas
g = nearly.read("packages.csv")
r = nearly.pagerank(g)
best = r.values.argsort()[::-1][:20]
table = pandas.DataFrame({"package": g.ids_of(best), "rank": r.values[best]})
"""


def packages(path: pathlib.Path) -> None:
    """Everything needs libc6; later packages need some earlier ones."""
    lines = ["package,needs"]
    for k in range(1, 60):
        lines += [f"lib{k},libc6", *(f"lib{k},lib{j}" for j in range(k // 2, k) if j and (k * j) % 3 == 0)]
    path.write_text("\n".join(lines) + "\n")


def test_from_a_csv_of_names_to_a_named_table(tmp_path, monkeypatch):
    packages(tmp_path / "packages.csv")
    monkeypatch.chdir(tmp_path)
    assert len(SCRIPT.strip().splitlines()) <= 6
    scope: dict = {}
    exec(SCRIPT, scope)  # as it stands
    g, r, table = scope["g"], scope["r"], scope["table"]
    assert (table["package"][0], len(table), g.n) == ("libc6", 20, 60)
    assert table["rank"].is_monotonic_decreasing
    assert r.values[g.index("libc6")] == table["rank"][0]
    g.with_vertices({"rank": r.values}).save("ranked.graphml")
    again = scope["nearly"].read("ranked.graphml")
    assert again.vertices.to_pandas()["rank"].idxmax() == "libc6"
