"""How an algorithm becomes a public function: one decorator that owns everything algorithms have in common.

An algorithm's file writes `def bfs(run, source): ... return Result(values)`. The decorator turns it into
`nearly.bfs(graph, source, *, approx, policy, device, threads, seed, progress, max_rounds, threshold)`:
it checks the common arguments, gives the algorithm the undirected view where it reads one, sets the number of
threads, measures time with compilation apart, attaches trace and certificate, and registers the name.
"""

from __future__ import annotations

import inspect
import time
import typing
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from nearly.base.errors import InvalidArgumentError
from nearly.base.progress import Progress, silent
from nearly.base.registry import Registry
from nearly.base.threads import checked_threads, kernel_threads
from nearly.engine.devices import check_device
from nearly.engine.result import Certificate, Result
from nearly.engine.run import Run
from nearly.engine.technique import Applied, Task, Technique, apply, as_techniques, check_supported, combined
from nearly.engine.timing import compile_seconds
from nearly.engine.transform.graph_map import GraphMap
from nearly.graph.csr import Graph

ONE_POLICY = ("frontier",)
_COMMON = """
    Common parameters
    -----------------
    approx : a technique or a list of them, applied in order; None is exact.
    policy : {policies}.
    device : {devices}.
    threads : threads to use; by default `nearly.get_threads()`.
    seed : whatever is random depends on this alone.
    progress : called as `progress(stage, done, total)`.
    max_rounds : stop after so many rounds.
    threshold : vertices of more edges are heavy (policy heavy-light), or are cut into pieces of this many (split).
"""


@dataclass(frozen=True)
class Algorithm:
    """An entry of the registry.

    name : the public name.
    function : `nearly.<name>`.
    policies : those it supports beside "auto".
    direct : whether "auto" uses a specialised kernel rather than rounds of operators.
    undirected : whether it reads a directed graph as undirected.
    summary : one line.
    parameters : its own parameters, by name, with their defaults.
    takes_arcs : whether, though it reads graphs as undirected, it gets a directed one as it is where nothing
        transforms it.
    devices : those it runs on.
    """

    name: str
    function: Callable[..., Result]
    policies: tuple[str, ...]
    direct: bool
    undirected: bool
    summary: str
    parameters: dict[str, inspect.Parameter] = field(default_factory=dict)
    takes_arcs: bool = False
    devices: tuple[str, ...] = ("cpu",)

    def apply(
        self, approx: Any, graph: Graph, *, weights: bool | None = None, seed: int = 1, threads: int | None = None
    ) -> Applied:
        """Apply techniques to the graph for this algorithm; what comes out may be passed as `approx` many times."""
        task = self.task(graph, weights=weights, seed=seed)
        if isinstance(approx, Applied):
            if approx.task != task or approx.source is not graph:
                raise InvalidArgumentError(f"approx was applied to another graph or for {approx.task}, not for {task}")
            return approx
        techniques = as_techniques(approx)
        view = graph.symmetrized() if self.reads_view(graph, techniques) else graph
        if not techniques:
            return Applied((), graph, GraphMap(view, view), task)
        check_supported(techniques, self.name)
        with kernel_threads(threads, graph.m + graph.n):
            return apply(techniques, graph, view, task)

    def task(self, graph: Graph, *, weights: bool | None = None, seed: int = 1) -> Task:
        """What a transformed graph would be used for."""
        if weights is None:
            weights = "weights" in self.parameters and self.parameters["weights"].default is not False
        return Task(self.name, seed, weights is not False and graph.weighted)

    def reads_view(self, graph: Graph, techniques: Sequence[Technique]) -> bool:
        """Whether techniques get the undirected view of this graph."""
        as_it_is = self.takes_arcs and all(technique.idle for technique in techniques)
        return graph.directed and self.undirected and not as_it_is


ALGORITHMS: Registry[Algorithm] = Registry("algorithm", "nearly.algorithms")


def algorithm(
    *,
    policies: tuple[str, ...],
    certificate: Callable[[Graph, Result], Certificate] | None = None,
    undirected: bool = False,
    takes_arcs: bool = False,
    direct: bool = False,
    all_sources: bool = False,
    devices: tuple[str, ...] = ("cpu",),
) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """Make `body(run, ...)` a public, registered algorithm; see the top of the file and `Algorithm`.

    `all_sources` says that its work is a pass over the graph from each vertex: small graphs are worth all threads too.
    """

    def register(body: Callable[..., Result]) -> Callable[..., Result]:
        name = body.__name__
        own = list(inspect.signature(body).parameters.values())[1:]

        def function(graph: Graph, *args: Any, **keywords: Any) -> Result:
            common = {key: keywords.pop(key) for key in _DEFAULTS if key in keywords}
            common = {**_DEFAULTS, **common}
            _check(name, policies, graph, **common)
            check_device(common["device"], name, devices)
            how = {"weights": keywords.get("weights"), "seed": common["seed"], "threads": common["threads"]}
            applied = entry.apply(common["approx"], graph, **how)
            run = _run(name, applied, common)
            work = (run.graph.m + run.graph.n) * (run.graph.n if all_sources else 1)
            return _measured(run, graph, work, body, certificate, args, keywords, applied)

        function.__name__ = function.__qualname__ = name
        function.__module__ = body.__module__
        function.__doc__ = _documented(body, policies, devices)
        function.__signature__ = _signature(own)  # type: ignore[attr-defined]
        hints = typing.get_type_hints(body)
        function.__annotations__ = {
            "graph": Graph,
            **{p.name: hints.get(p.name, Any) for p in own},
            **_TYPES,
            "return": Result,
        }
        summary = (body.__doc__ or "").strip().splitlines()[0]
        named = {p.name: p for p in own}
        entry = Algorithm(name, function, policies, direct, undirected, summary, named, takes_arcs, devices)
        ALGORITHMS.add(name, entry, body.__module__)
        return function

    return register


_DEFAULTS: dict[str, Any] = {
    "approx": None,
    "policy": "auto",
    "device": "cpu",
    "threads": None,
    "seed": 1,
    "progress": None,
    "max_rounds": None,
    "threshold": None,
}
_TYPES: dict[str, Any] = {
    "approx": Any,
    "policy": str,
    "device": str,
    "threads": int | None,
    "seed": int,
    "progress": Progress | None,
    "max_rounds": int | None,
    "threshold": int | None,
}


def _check(name: str, policies: tuple[str, ...], graph: Any, **common: Any) -> None:
    if not isinstance(graph, Graph):
        raise InvalidArgumentError(
            f"{name} needs a nearly.Graph, not {type(graph).__name__}; see Graph.from_networkx, from_scipy, from_edges"
        )
    policy, seed = _policy(common), common["seed"]
    if policy != "auto" and policy not in policies:
        raise InvalidArgumentError(f"{name} supports the policies auto, {', '.join(policies)}; not {policy!r}")
    for key in ("max_rounds", "threshold"):
        value = common[key]
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
            raise InvalidArgumentError(f"{key} must be a whole number of at least 1, or None; not {value!r}")
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**64:
        raise InvalidArgumentError(f"seed must be a whole number from 0 to 2**64 - 1, not {seed!r}")


def _policy(common: dict[str, Any]) -> Any:
    policy = common["policy"]
    return policy.replace("_", "-") if isinstance(policy, str) else policy


def _run(name: str, applied: Applied, common: dict[str, Any]) -> Run:
    threads, active = common["threads"], [t for t in applied.techniques if not t.is_exact]
    return Run(
        applied.map.graph,
        _policy(common),
        0 if threads is None else checked_threads(threads),
        common["seed"],
        common["max_rounds"],
        common["threshold"],
        common["progress"] or silent,
        tuple(t for t in active if t.in_rounds(applied.task)),
        name,
        applied.map,
        applied.source,
        common["device"],
    )


def _measured(
    run: Run,
    graph: Graph,
    work: int,
    body: Callable[..., Result],
    certificate: Any,
    args: tuple[Any, ...],
    keywords: dict[str, Any],
    applied: Applied,
) -> Result:
    with kernel_threads(run.threads or None, work) as threads:
        run.threads = threads
        since, compiled = time.perf_counter(), compile_seconds()
        result = body(run, *args, **keywords)
        elapsed, compiled = time.perf_counter() - since, compile_seconds() - compiled
    result.algorithm, result.trace = run.name, run.trace
    result.compile_seconds = compiled
    result.seconds = max(elapsed - compiled, 0.0)
    result.techniques, result.preprocess_seconds = applied.techniques, applied.seconds
    changing = [t for t in applied.techniques if not (t.is_exact or t.only_stops)]
    result.guarantee = combined([result.guarantee, *(t.guarantee(run.name) or "heuristic" for t in changing)])
    if result.guarantee == "upper bound" and run.map.adds:
        result.guarantee = "heuristic"  # what one arc attains that stands for two, no given arc may be seen to attain
    for technique in reversed(changing):
        result.values = technique.restore(result.values)
    if certificate is not None:
        result._certify = lambda r: certificate(graph, r)
    return result


def _signature(own: list[inspect.Parameter]) -> inspect.Signature:
    graph = inspect.Parameter("graph", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Graph)
    common = [
        inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=value, annotation=_TYPES[key])
        for key, value in _DEFAULTS.items()
    ]
    return inspect.Signature([graph, *own, *common], return_annotation=Result)


def _documented(body: Callable[..., Result], policies: tuple[str, ...], devices: tuple[str, ...]) -> str:
    listed, places = (", ".join(f'"{p}"' for p in names) for names in (("auto", *policies), devices))
    text = inspect.cleandoc(body.__doc__ or "")
    before, mark, examples = text.partition("Examples\n--------")
    common = inspect.cleandoc(_COMMON.format(policies=listed, devices=places))
    return f"{before.rstrip()}\n\n{common}\n" + (f"\n{mark}{examples}" if mark else "")
