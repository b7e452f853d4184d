"""A data scientist in a notebook: a CSV of names becomes a named table and a picture; things show themselves."""

from __future__ import annotations

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

CELLS = [
    # from a CSV of names to a named top-20 table and a plot
    "import nearly\nimport pandas as pd\n"
    "edges = pd.read_csv('packages.csv')\n"
    "g = nearly.Graph.from_frame(edges, 'package', 'needs')\n"
    "r = nearly.pagerank(g)\n"
    "r.top(20)",
    "r.plot()",
    "g",
    "r",
    "nearly.plan(g, 'pagerank', max_error=0.1)",
    "nearly.mesh.from_points([(0, 0), (1, 0), (1, 1), (0, 1), (0.4, 0.3)])",
    "import time\n"
    "from nearly.base import progress_display\n"
    "from nearly.base.progress import following\n"
    "progress_display.PATIENCE = 0.1\n"
    "with following(None, 'thinking') as tell:\n"
    "    for i in range(5):\n"
    "        tell('thinking', i, 5)\n"
    "        time.sleep(0.25)",
]


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """What each cell showed: its outputs by kind."""
    folder = tmp_path_factory.mktemp("notebook")
    lines = ["package,needs", *(f"app{i},lib{i % 7}" for i in range(40)), *(f"lib{i},libc" for i in range(7))]
    (folder / "packages.csv").write_text("\n".join(lines))
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    client = nbclient.NotebookClient(book, timeout=300, resources={"metadata": {"path": str(folder)}})
    client.execute()
    return [
        {kind: text for out in cell.outputs for kind, text in out.get("data", {}).items()} | {"all": str(cell.outputs)}
        for cell in book.cells
    ]


def test_names_a_table_and_a_plot(shown):
    table = shown[0]["text/html"]
    assert table.index("libc") < table.index("lib0")  # the name on which all depend is first
    assert "image/png" in shown[1]


def test_things_show_themselves(shown):
    graph, result, plan, mesh = (outputs["text/html"] for outputs in shown[2:6])
    assert "48" in graph
    assert "<svg" in graph
    assert "guarantee: exact" in result
    assert "<table" in result
    assert "predicted seconds" in plan
    assert "<svg" in mesh


def test_long_work_shows_a_bar(shown):
    assert "thinking" in shown[6]["all"] or "display_data" in shown[6]["all"]
