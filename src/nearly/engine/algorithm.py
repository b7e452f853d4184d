"""How an algorithm becomes a public function: one decorator that owns everything algorithms have in common.

An algorithm's file writes `def bfs(run, source) -> BfsResult: ...`. The decorator turns it into
`nearly.bfs(graph, source, *, approx, policy, device, threads, seed, progress, max_rounds, threshold, max_error, ...)`:
it checks the common arguments, gives the algorithm the undirected view where it reads one, sets the number of
threads, measures time with compilation apart, attaches trace and certificate, and registers the name with its traits.
An exact call pays for none of what techniques and budgets need; a call with a budget goes to the planner.
"""

from __future__ import annotations

import inspect
import time
import typing
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from nearly.base.aside import aside, on_caller
from nearly.base.compiling import compiling
from nearly.base.errors import InvalidArgumentError, NearlyError
from nearly.base.jit import spent
from nearly.base.memory import refused, require
from nearly.base.progress import automatic
from nearly.base.signatures import UNTYPED, Kinds
from nearly.base.threads import get_threads, kernel_threads
from nearly.engine.applied import Applied, apply, as_techniques, check_supported, note_techniques
from nearly.engine.budget import planner
from nearly.engine.documentation import documented
from nearly.engine.interruptible import SHORT
from nearly.engine.needs import SMALL, Needs
from nearly.engine.operators.advance import POLICIES
from nearly.engine.options import DEFAULTS, TYPES, Options, checked_options
from nearly.engine.result import Certificate, Result
from nearly.engine.run import Run
from nearly.engine.technique import ALGORITHMS, Task, Technique
from nearly.engine.traits import TRAIT_NAMES, Traits
from nearly.engine.transform.graph_map import GraphMap
from nearly.engine.vertex_arguments import about_vertices, indexed
from nearly.graph.csr import Graph

__all__ = ["ALGORITHMS", "ONE_POLICY", "POLICIES", "Algorithm", "Options", "algorithm"]

ONE_POLICY = ("frontier",)
R = TypeVar("R", bound=Result)


@dataclass(frozen=True)
class Algorithm:
    """An entry of the registry.

    name : the public name.
    function : `nearly.<name>`.
    body : what the algorithm's file defines.
    policies : those it supports beside "auto".
    traits : what is known of it.
    certificate : the check of its results, if it has one.
    judge : how the error of a result is measured; see `nearly.accuracy.judges`. None for the plain norms.
    direct : whether "auto" uses a specialised kernel rather than rounds of operators.
    undirected : whether it reads a directed graph as undirected.
    takes_arcs : whether, though it reads graphs as undirected, it gets a directed one as it is where nothing
        transforms it.
    all_sources : whether its work is a pass over the graph from each vertex: small graphs are worth all threads too.
    one_pass : whether it looks at an arc about once: then only larger graphs are worth several threads.
    devices : those it runs on.
    parameters : its own parameters, by name, with their defaults.
    result : the class of its results.
    memory : what a run takes beyond the graph, checked before it begins; see `nearly.engine.needs`.
    work : `work(graph, arguments)`, how many visits of arcs an exact run makes, for the planner; arcs and vertices by
        default.
    """

    name: str
    function: Callable[..., Result]
    body: Callable[..., Result]
    policies: tuple[str, ...] = POLICIES
    traits: Traits = field(default_factory=Traits)
    certificate: Callable[[Graph, Any], Certificate] | None = None
    judge: Any = None
    direct: bool = False
    undirected: bool = False
    takes_arcs: bool = False
    all_sources: bool = False
    one_pass: bool = False
    devices: tuple[str, ...] = ("cpu",)
    parameters: dict[str, inspect.Parameter] = field(default_factory=dict)
    result: type[Result] = Result
    memory: Needs | None = None
    work: Callable[[Graph, dict[str, Any]], float] | None = None

    @property
    def summary(self) -> str:
        """One line."""
        return (self.body.__doc__ or "").strip().splitlines()[0]

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
        return Task(self.name, seed, weights is not False and graph.weighted, self.traits, self.undirected)

    def reads_view(self, graph: Graph, techniques: Sequence[Technique] = ()) -> bool:
        """Whether the undirected view of this graph is read."""
        as_it_is = self.takes_arcs and all(technique.idle for technique in techniques)
        return graph.directed and self.undirected and not as_it_is

    def run(self, graph: Graph, args: tuple[Any, ...], keywords: dict[str, Any], options: Options) -> Result:
        """Run it on a graph with arguments of its own and the common ones, checked."""
        applied = None
        if self.memory is not None and graph.m + graph.n > SMALL:
            given = dict(zip(self.parameters, args)) | keywords
            require(self.needed(graph, options.threads, given, least=True), f"{self.name} on this graph")
        if options.approx is not None:
            weights = keywords.get("weights")
            applied = self.apply(options.approx, graph, weights=weights, seed=options.seed, threads=options.threads)
        run = self.begin(graph, applied)
        if options is not DEFAULTS:
            options.tell(run)
        body = partial(self.body, run, *args, **keywords)
        result = self.measured(run, body, options.threads, keywords.get("sources"))
        if applied is not None:
            note_techniques(result, run, applied)
        self.certify(result, graph)
        return result

    def options(self, keywords: dict[str, Any]) -> Options:
        """Those of the keywords that every algorithm takes, checked."""
        return checked_options(self, {key: value for key, value in keywords.items() if key in TYPES})

    def begin(self, graph: Graph, applied: Applied | None = None) -> Run:
        """What a run on the graph starts from: an exact one, or one with techniques."""
        if applied is None:
            return Run(graph.symmetrized() if self.reads_view(graph) else graph, name=self.name, source=graph)
        run = Run(applied.map.graph, name=self.name, source=graph, mapped=applied.map)
        run.applied = tuple(t for t in applied.techniques if not t.is_exact)
        run.techniques = tuple(t for t in run.applied if t.in_rounds(applied.task))
        return run

    def needed(
        self, graph: Graph, threads: int | None = None, arguments: dict[str, Any] | None = None, least: bool = False
    ) -> int:
        """Bytes that an exact run takes beyond the graph, or cannot do without; 0 where that is not known."""
        if self.memory is None:
            return 0
        needs = self.memory.least if least else self.memory
        return needs.bytes(graph, self.reads_view(graph), threads or get_threads(), arguments)

    def certify(self, result: Result, graph: Graph) -> None:
        """Attach the caller's graph, and the check of the result on it unless there is one already."""
        result._graph = graph
        if result._certify is None:
            result._certify = self.certificate

    def measured(self, run: Run, body: Callable[[], Result], threads: int | None, sources: Any = None) -> Result:
        """The result of `body`, with its threads set and its time taken; `sources` are those it was given, if any."""
        work = ahead = run.graph.m + run.graph.n
        if self.all_sources:
            work *= run.graph.n
            listed = isinstance(sources, (list, tuple)) or getattr(sources, "ndim", 0) > 0
            ahead *= len(sources) if listed else run.graph.n
        elif self.one_pass:
            work = ahead = work >> 2
        if run.progress is None and automatic.on is not False:
            with automatic.following(None, run.name) as run.progress:
                return self.measured(run, body, threads, sources)
        if ahead < SHORT:
            return self._timed(run, body, threads, work)
        run.progress = on_caller(run.progress)
        return aside(lambda: self._timed(run, body, threads, work), compiling.look)

    def _timed(self, run: Run, body: Callable[[], Result], threads: int | None, work: int) -> Result:
        with kernel_threads(threads, work) as run.threads:
            compiling.task, compiling.progress, compiling.spent = run.name, run.progress, 0.0
            since, compiled = time.perf_counter(), spent.compiling + spent.loading
            result = body()
            elapsed, compiled = time.perf_counter() - since, spent.compiling + spent.loading - compiled
        known = result.__dict__
        known["algorithm"], known["trace"] = run.name, run.trace
        known["seconds"], known["compile_seconds"] = max(elapsed - compiled, 0.0), compiled
        return result


def algorithm(
    *,
    policies: tuple[str, ...] = POLICIES,
    certificate: Callable[[Graph, Any], Certificate] | None = None,
    judge: Any = None,
    devices: tuple[str, ...] = ("cpu",),
    **more: Any,
) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Make `body(run, ...)` a public, registered algorithm; see the top of the file.

    Parameters
    ----------
    policies : tuple of str
        Those it supports beside "auto"; all by default.
    certificate : function, optional
        `certificate(graph, result) -> Certificate`, the check of a result on the caller's graph.
    judge : Judge, optional
        How the error of a result is measured; the plain norms of the difference by default.
    devices : tuple of str
        Where it runs.
    **more
        Fields of `Traits` (what changes of the graph and the rounds do to its values), and `direct`, `undirected`,
        `takes_arcs`, `all_sources`, `one_pass`, `memory`, `work` of `Algorithm`.
    """
    traits = Traits(**{name: more.pop(name) for name in TRAIT_NAMES if name in more})

    def register(body: Callable[..., R]) -> Callable[..., R]:
        name, own = body.__name__, list(inspect.signature(body).parameters.values())[1:]

        def function(graph: Graph, *args: Any, **keywords: Any) -> Any:
            given: list[tuple[str, Any]] = []
            try:
                if type(graph) is Graph and not keywords and (not args or (takes_source and _is_vertex(graph, args))):
                    return entry.run(graph, args, keywords, DEFAULTS)  # there is nothing to check
                options, given = DEFAULTS, [*zip(places, args), *keywords.items()]
                kinds.check(given)
                if not isinstance(graph, Graph):
                    kind = type(graph).__name__
                    raise InvalidArgumentError(
                        f"{name} needs a nearly.Graph, not {kind}; see Graph.from_networkx, from_edges"
                    )
                if not keywords.keys().isdisjoint(TYPES):
                    options = checked_options(entry, {key: keywords.pop(key) for key in TYPES if key in keywords})
                    budget = options.budget()
                    if budget is not None:
                        return planner().answer(entry, graph, args, keywords, options, budget)
                if takes_vertices:
                    args, keywords = indexed(entry.parameters, graph, args, keywords)
                return entry.run(graph, args, keywords, options)
            except MemoryError as error:
                if isinstance(error, NearlyError):
                    raise
                raise refused(name) from error
            except UNTYPED as error:
                if not isinstance(error, NearlyError):
                    kinds.check(given, strict=True)
                raise

        hints = typing.get_type_hints(body)
        places, kinds = [p.name for p in own], Kinds({**{p.name: hints.get(p.name, Any) for p in own}, **TYPES})
        parameters, made = {p.name: p for p in own}, hints.get("return", Result)
        entry = Algorithm(
            name, function, body, policies, traits, certificate, judge, devices=devices, parameters=parameters,
            result=made if isinstance(made, type) else Result, **more,
        )  # fmt: skip
        takes_vertices, takes_source = about_vertices(parameters), places[:1] == ["source"]
        _dress(function, entry, hints)
        ALGORITHMS.add(name, entry, body.__module__)
        return function

    return register


def _is_vertex(graph: Graph, args: tuple[Any, ...]) -> bool:
    """Whether there is one argument, and it is the index of a vertex."""
    return len(args) == 1 and type(args[0]) is int and 0 <= args[0] < graph.n


def _dress(function: Any, entry: Algorithm, hints: dict[str, Any]) -> None:
    """Give the public function the name, the signature and the documentation of the algorithm."""
    function.__name__ = function.__qualname__ = entry.name
    function.__module__ = entry.body.__module__
    graph = inspect.Parameter("graph", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Graph)
    common = [
        inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=getattr(DEFAULTS, key), annotation=kind)
        for key, kind in TYPES.items()
    ]
    own = list(entry.parameters.values())
    function.__signature__ = inspect.Signature([graph, *own, *common], return_annotation=entry.result)
    own_types = {p.name: hints.get(p.name, Any) for p in own}
    function.__annotations__ = {"graph": Graph, **own_types, **TYPES, "return": entry.result}
    function.__doc__ = documented(entry.body.__doc__ or "", entry)
