"""Centralities by eigenvectors, cores and trusses, scores of pairs, walks, cut vertices, orders and subgraphs.

Each question is put to every library that answers it, on graphs above and below three million arcs. Before anything is
timed the answers are compared: one that differs stands in the table as failed. Undirected questions are put to the
undirected view without loops. Libraries that need Python lists of edges are left out above their limit, NetworkX above
its own. `walks` are 10 steps from 2,000 vertices; they are plain, as no peer has node2vec's bias.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from harness import US, Row, measure, table
from peers import Igraph, NetworKit, Rustworkx
from question_contests import CONTESTS

import nearly
from nearly import Graph

LARGE = 3_000_000  # arcs
NX_MOST = 250_000  # arcs up to which NetworkX is asked
REAL = ("facebook_combined", "email-Enron", "soc-Slashdot0902", "cnr-2000", "USA-road-d")


class Field(NamedTuple):
    """One graph in the forms that questions take, and the libraries that hold it."""

    name: str
    graph: Graph  # undirected, without loops
    dag: Graph  # its edges from the smaller number to the larger
    peers: dict[str, Any]
    dag_peers: dict[str, Any]
    pairs: np.ndarray


def run(options: Namespace) -> str:
    text, rows = "", {True: [], False: []}  # type: dict[bool, list[Row]]
    for name, g in graphs(options):
        wanted = [q for q in CONTESTS if options.only in f"{name}/{q}"]
        if not wanted:
            continue
        field = fielded(name, g)
        print(f"\n{name}: {field.graph!r}", flush=True)
        found = [row for question in wanted if (row := asked(question, field, options)) is not None]
        rows[field.graph.m > LARGE] += found
        text += table(f"{name}: {field.graph.n:,} vertices, {field.graph.m:,} arcs", found) + "\n"
    for large, title in ((True, "Above 3 million arcs"), (False, "Below 3 million arcs")):
        if rows[large] and not options.only:
            text += f"### {title}, all graphs\n" + table("", rows[large]).rpartition("\n\n")[2] + "\n"
    return text


def graphs(options: Namespace) -> Iterator[tuple[str, Callable[[], Graph] | Graph]]:
    make, scale = nearly.generate, min(options.scale, 18)
    yield f"kron-{scale}", lambda: make.rmat(scale, 16, seed=1, directed=False)
    yield f"random-{scale}", lambda: make.random(1 << scale, 8 << scale, seed=1, directed=False)
    yield f"kron-{scale - 4}", lambda: make.rmat(scale - 4, 16, seed=1, directed=False)
    yield "smallworld-16", lambda: make.smallworld(1 << 16, 10, 0.1, seed=1)
    for path in sorted(Path(options.data).iterdir()) if options.data else []:
        if path.name.startswith(REAL):
            yield path.name.split(".")[0], lambda path=path: nearly.read(path)


def fielded(name: str, make: Any) -> Field:
    """The graph of a name, built for every library that can hold it."""
    given = nearly.remove_self_loops(make().symmetrized())
    view = Graph.from_edges(given.arc_sources(), given.targets, n=given.n, directed=False)
    onwards = view.arc_sources() < view.targets
    dag = Graph.from_edges(view.arc_sources()[onwards], view.targets[onwards], n=view.n)
    ends = np.random.default_rng(1).integers(0, view.m, 100_000)
    near = np.stack([view.arc_sources()[ends], view.targets[ends[::-1]]], 1).astype(np.int64)
    return Field(name, view, dag, held(view), held(dag), near[near[:, 0] != near[:, 1]])


def held(g: Graph) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, build in (("networkit", NetworKit), ("igraph", Igraph), ("rustworkx", Rustworkx)):
        try:
            made[name] = build(g, 0)
        except Exception as error:
            print(f"  {name}: left out ({type(error).__name__}: {error})", flush=True)
    if g.m <= NX_MOST:
        made["networkx"] = g.to_networkx()
    return made


def asked(question: str, field: Field, options: Namespace) -> Row | None:
    """The row of one question, after the answers were compared; None where no peer answers."""
    contest = CONTESTS[question](field)
    if len(contest) == 1:
        return None
    ours, read = contest[US]
    try:
        answer = ours()
        right = None if read is None else read(answer)
    except nearly.NearlyError as error:
        print(f"{question:<34} refused: {error}", flush=True)
        return None
    calls, failed = {US: ours}, {}
    for peer, (call, theirs) in contest.items():
        if peer == US:
            continue
        try:
            if (
                theirs is not None
                and right is not None
                and not np.allclose(theirs(call()), right, rtol=1e-3, atol=1e-6)
            ):
                failed[peer] = "another answer"
                continue
        except Exception as error:
            failed[peer] = f"{type(error).__name__}: {error}"
            continue
        calls[peer] = call
    row = measure(question, calls, options.repeat, limit=2.0)
    row.failed.update(failed)
    for peer, why in failed.items():
        print(f"    {peer}: {why[:100]}", flush=True)
    return row if len(row.seconds) > 1 else None
