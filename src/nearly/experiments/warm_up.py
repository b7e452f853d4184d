"""Every public function once, so that its kernels are compiled: for `nearly warm`, and for the kernels a wheel brings.

The tasks come from the registries, so that what is registered is warmed up. A function meets the kinds of input that
compile different kernels: a graph that one thread works on and one that all do, of hubs and of long paths, without
weights, with whole and with real ones. What a task computes does not matter.
"""

from __future__ import annotations

import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np

import nearly
from nearly.base.errors import NearlyError
from nearly.base.random import permutation, stream_key
from nearly.budget.estimator import estimators_of
from nearly.budget.planner import answer_by
from nearly.engine.algorithm import Algorithm
from nearly.engine.technique import ALGORITHMS, TECHNIQUES
from nearly.graph.csr import Graph
from nearly.mesh.refine import Scheme

_THREADS = (1, None)  # the serial forms of kernels, and the parallel ones on inputs large enough
_VARIANTS: dict[str, list[dict[str, Any]]] = {  # arguments that lead to other kernels
    "betweenness": [{"endpoints": True}, {"edges": True}, {"weights": True}],
    "bfs": [{"idempotent": True}],
    "closeness": [{"weights": True}],
    "coloring": [{"method": "luby-jones"}, {"order": "largest-first"}, {"method": "luby-jones-rounds"}],
    "louvain": [{"refine": False}, {"order": "color"}],
    "pagerank": [{"method": "components"}, {"weights": True}, {"norm": "max"}],
    "topk_betweenness": [{"method": "sampling"}, {"weights": True}],
}

_BUDGETED: dict[str, list[dict[str, Any]]] = {  # arguments that lead to other kernels within budgets
    "betweenness/paths": [{}, {"weights": True}],
    "clustering_coefficient/wedges": [{}, {"vertices": range(3)}],
    "pagerank/push": [{"personalization": {0: 1.0}}],
    "pagerank/rounds": [{}, {"top": 2}],
    "topk_betweenness/paths": [{"k": 2}, {"k": 2, "weights": True}],
}

_APART = ("closeness", "distance_statistics", "harmonic")  # sources of long graphs have kernels of their own


class Task(NamedTuple):
    """Something to run once."""

    name: str
    run: Callable[[], Any]


def tasks(only: tuple[str, ...] = (), policies: bool = False) -> list[Task]:
    """All tasks, or those of the algorithms named; with each policy only if wanted."""
    chosen = [entry for entry in ALGORITHMS if not only or entry.name in only]
    found = [task for entry in chosen for task in _of_algorithm(entry)]
    if policies:
        found += [task for entry in chosen for task in _of_policies(entry)]
    if not only:
        found += [*_of_graphs(), *_of_files(), *_of_meshes(), *_of_networkx()]
    return found


def run_all(chosen: list[Task], tell: Callable[[str, int, int], Any]) -> None:
    """Run the tasks; one that makes no sense for its input is passed over."""
    for done, task in enumerate(chosen):
        tell(task.name, done, len(chosen))
        with suppress(NearlyError):
            task.run()


@cache
def _graphs() -> dict[str, Graph]:
    """By name; those called large are worth several threads."""
    # Python calls these too; once a generator had brought them along, nothing would note that they were asked for
    permutation(np.uint64(stream_key(np.uint64(1), np.uint64(2))), np.uint64(3))
    src, dst = [0, 1, 2, 3, 4, 1], [1, 2, 0, 4, 2, 4]
    hubs, road = nearly.generate.rmat(13, 12, seed=1), nearly.generate.grid(260, 260)
    small = nearly.generate.rmat(9, 8, seed=1)
    made = {"tiny": Graph.from_edges(src, dst), "small": small, "large hubs": hubs, "large road": road}
    made["larger hubs"] = nearly.generate.rmat(15, 12, seed=1)  # for algorithms of one pass
    made["leaves"] = nearly.generate.rmat(9, 1, seed=1, directed=False)  # what samples leave out of undirected graphs
    for name, graph in list(made.items()):
        made[f"{name}, whole weights"] = nearly.generate.with_weights(graph, "int", 1, 60, 1)
        made[f"{name}, real weights"] = nearly.generate.with_weights(graph, "float", 1, 60, 1)
    return made


def _of_algorithm(entry: Algorithm) -> Iterator[Task]:
    weighted = "weights" in entry.parameters
    for kind in ("tiny", "small", "large hubs", "large road", *(["larger hubs"] if entry.one_pass else [])):
        for suffix in ("", ", whole weights", ", real weights") if weighted else ("",):
            yield Task(entry.name, partial(_ask, entry, kind + suffix, certify=True))
    for more in _VARIANTS.get(entry.name, []):
        for threads in _THREADS:
            yield Task(entry.name, partial(_ask, entry, _sized(threads, weighted), threads=threads, **more))
    for threads in _THREADS:
        for weights in (False, True) if weighted else (False,):
            yield from _of_budgets(entry, _sized(threads, weights), threads)
    yield from _of_budgets(entry, "leaves", 1)
    if entry.name in _APART:
        yield from _of_budgets(entry, "large road", None)
    for technique in TECHNIQUES:
        if technique.guarantees.get(entry.name):
            for threads in _THREADS:
                yield Task(
                    f"{entry.name}: {technique.name}",
                    partial(_ask, entry, _sized(threads, weighted), approx=technique.name, threads=threads),
                )


def _of_budgets(entry: Algorithm, kind: str, threads: int | None) -> Iterator[Task]:
    """What answers within a budget, each with its certificate."""
    for one in estimators_of(entry.name):
        for more in _BUDGETED.get(f"{entry.name}/{one.name}", [{}]):
            call = partial(_ask_within, f"{entry.name}/{one.name}", kind, threads=threads, **more)
            yield Task(f"{entry.name} within a budget: {one.name}", call)


def _ask_within(which: str, kind: str, **more: Any) -> None:
    graph, entry = _graphs()[kind], ALGORITHMS.get(which.partition("/")[0])
    if "source" in entry.parameters:
        more["source"] = int(graph.out_degrees.argmax())
    result = answer_by(which, graph, **{"max_error": 0.3, **more})
    if result is not None:
        result.certificate()


def _of_policies(entry: Algorithm) -> Iterator[Task]:
    for policy in entry.policies:
        for threads in _THREADS:
            yield Task(f"{entry.name}: {policy}", partial(_ask, entry, _sized(threads), policy, threads=threads))


def _sized(threads: int | None, weighted: bool = False) -> str:
    return ("small" if threads == 1 else "large hubs") + (", real weights" if weighted else "")


def _ask(entry: Algorithm, name: str, policy: str = "auto", certify: bool = False, **common: Any) -> None:
    own: dict[str, Any] = {}
    graph = _graphs()[name]
    if "source" in entry.parameters:
        own["source"] = int(graph.out_degrees.argmax())
    if graph.n > 1000 and entry.all_sources:
        own |= {"sources": range(3)} if "sources" in entry.parameters else {"max_rounds": 2}
    result = entry.function(graph, **own, policy=policy, **common)
    if certify and entry.certificate is not None:
        result.certificate()


def _of_graphs() -> Iterator[Task]:
    generate = nearly.generate
    yield Task("generate.random", lambda: generate.random(30_000, 300_000))
    yield Task("generate.smallworld", lambda: generate.smallworld(30_000, 8, 0.1))
    yield Task("generate.geometric", lambda: generate.geometric(30_000, 0.01))
    yield Task("generate.planted_partition", lambda: generate.planted_partition(4, 5_000, 0.004, 0.0001))
    for kind in ("small", "large hubs", "large hubs, real weights", "large hubs, whole weights"):
        yield Task("Graph", partial(_use, kind))
    for kind in ("small", "large hubs", "small, real weights", "small, whole weights"):
        yield Task("random_walks", partial(_walk, kind))
    for kind in ("small", "large hubs", "small, real weights"):
        yield Task("layout", partial(_place, kind))
    for policy in ("first", "min", "sum", "keep"):
        yield Task("Graph.from_edges", partial(_rebuild, "large hubs, real weights", policy))


def _walk(name: str) -> None:
    """Random walks, in the form for one thread and for all."""
    nearly.random_walks(_graphs()[name], 20, p=0.5, q=2.0)


def _place(name: str) -> None:
    """A layout, in the form for one thread and for all."""
    nearly.layout(_graphs()[name], weights=True)


def _use(name: str) -> None:
    """What is derived from a graph, and its check."""
    graph = _graphs()[name]
    graph.reverse  # noqa: B018
    graph.symmetrized()
    graph.validate()
    graph.relabel(np.random.default_rng(1).permutation(graph.n))
    graph.subgraph(np.arange(0, graph.n, 2))


def _rebuild(name: str, duplicates: str) -> None:
    graph = _graphs()[name]
    Graph.from_edges(graph.arc_sources(), graph.arrays.targets, graph.weights, directed=False, duplicates=duplicates)


def _of_files() -> Iterator[Task]:
    from nearly.graph.io import EXTENSIONS, WRITERS

    for extension, kind in EXTENSIONS.items():
        if kind in WRITERS:
            for name in ("small", "large hubs", "small, whole weights", "small, real weights"):
                yield Task(f"read {extension}", partial(_write_and_read, extension, name))


def _write_and_read(extension: str, name: str) -> None:
    graph = _graphs()[name]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"graph{extension}"
        nearly.write(graph, path)
        nearly.read(path)


def _of_meshes() -> Iterator[Task]:
    for count in (40, 4_000):
        for scheme in get_args(Scheme):
            for threads in _THREADS:
                yield Task(f"mesh: {scheme}", partial(_refine, count, scheme, threads))
    yield Task("mesh: blocks", partial(_refine, 100_000, "blocks", None, 30))  # and strips across them


def _refine(count: int, scheme: Any, threads: int | None, angle: float = 20) -> None:
    mesh = nearly.mesh.from_points(np.random.default_rng(1).random((count, 2)))
    nearly.mesh.verify(nearly.mesh.refine(mesh, angle, scheme=scheme, threads=threads).mesh)


def _of_networkx() -> Iterator[Task]:
    """The functions of the NetworkX backend, called with as many vertices as they want."""
    try:
        import networkx as nx
    except ImportError:
        return
    for name in sorted(nx.utils.backends.backend_info["nearly"]["functions"]):
        for kind in ("undirected", "directed", "acyclic"):
            yield Task(f"networkx: {name}", partial(_ask_networkx, name, kind))


def _ask_networkx(name: str, kind: str) -> None:
    import networkx as nx

    nx.config.warnings_to_ignore.add("cache")
    inner = nx.utils.backends._registered_algorithms[name].orig_func
    function = getattr(sys.modules[inner.__module__], inner.__name__)  # with all its decorators
    graph = nx.gnp_random_graph(60, 0.1, seed=1, directed=kind != "undirected")
    if kind == "acyclic":
        graph = nx.DiGraph((u, v) for u, v in graph.edges if u < v)
    for vertices in ((), (0,), (0, 1), ([0, 1],), ([(0, 1), (2, 3)],)):
        with suppress(TypeError, ValueError, KeyError, nx.NetworkXException, NotImplementedError):
            answer = function(graph, *vertices, backend="nearly")
            if hasattr(answer, "__next__"):
                deque(answer, maxlen=0)
            return
