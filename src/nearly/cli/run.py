"""`nearly run ALGORITHM GRAPH ...`: a command for every registered algorithm, with its own parameters as options."""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from nearly.base.errors import InvalidArgumentError
from nearly.base.jit import compile_seconds
from nearly.base.memory import human_bytes
from nearly.cli import output
from nearly.cli.on_cluster import Cluster, answer_on_cluster, check_cluster_options, cluster_lines
from nearly.cli.options import Changed, new_app, with_options_of
from nearly.cli.progress_bars import bars
from nearly.cli.reading import Directed, Sources, one_file, read_transformed
from nearly.cli.saving import check_target_file
from nearly.cli.vertex_options import VERTEX_OPTIONS, with_vertices
from nearly.engine.algorithm import ALGORITHMS, Algorithm
from nearly.engine.applied import as_techniques, check_supported
from nearly.engine.result import Result
from nearly.engine.result_files import columns_of, number_or_none
from nearly.engine.result_words import in_words
from nearly.graph.csr import Graph

CLAIM_FAILED = 3
_KNOWN = ("source", "weighted", "allowed")  # given by the user
_SCOPES = {"aggregate": "of the whole", "each": "of any one vertex", "all": "of all vertices at once"}
_SHOWN = 10  # lines of a ranking that are printed

app = new_app(no_args_is_help=True)

Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the values: .csv, .parquet, .npy, .json.")
]
Verify = Annotated[bool, typer.Option("--verify", help="Check the answer's certificate; exit code 3 if it fails.")]
Plot = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Draw frontier and speed per round: .png, .svg, .pdf.")
]
Approx = Annotated[
    list[str] | None,
    typer.Option(
        "--approx",
        metavar="TECHNIQUE",
        help="Approximate, such as partial-edges:keep=0.7,select=lightest; more of them apply in order. "
        "See nearly list techniques.",
    ),
]


@app.callback()
def run() -> None:
    """Run an algorithm on a graph file."""


BUDGET = {
    "max_error": Changed(help="A budget: how far off the answer may be; without one it is exact."),
    "max_seconds": Changed(help="A budget: how long the answer may take; the best by then, with the error it has."),
    "confidence": Changed(help="With which probability a bound that rests on random draws must hold."),
    "allow": Changed(help="The weakest guarantee that will do: certified, statistical, estimated or heuristic."),
}


def _command(entry: Algorithm) -> Any:
    def action(  # noqa: PLR0913
        graphs: Sources,
        out: Output = None,
        verify: Verify = False,
        plot: Plot = None,
        as_directed: Directed = None,
        approx: Approx = None,
        cluster: Cluster = None,
        json: output.Json = False,
        *,
        chosen: dict[str, Any],
    ) -> None:
        if cluster is not None:
            check_cluster_options({"verify": verify, "plot": plot})
            _run_on_cluster(entry, graphs, cluster, as_directed, {**chosen, "approx": approx}, out, json)
            return
        graph = one_file(graphs)
        _check_targets(out, plot)
        techniques = as_techniques(approx)
        check_supported(techniques, entry.name)
        with bars("reading") as progress:
            begin, compiled = time.perf_counter(), compile_seconds()
            g, transformed = read_transformed(graph, as_directed, progress)
            if approx is None:
                techniques = transformed
                check_supported(techniques, entry.name)
            compiled = compile_seconds() - compiled  # kernels that read
            read_seconds = max(time.perf_counter() - begin - compiled, 0.0)
            given = with_vertices(g, chosen)
            result = entry.function(g, **given, approx=techniques or None, progress=progress)
        document = _document(graph, g, result, chosen, read_seconds)
        document["compile_seconds"] += compiled
        if verify:
            proof = result.certificate()
            document["certificate"] = {"ok": proof.ok, "claim": proof.claim, "bound": proof.bound}
        _write(g, result, out, plot, document)
        shown = [output.facts(f"{entry.name} on {graph}", _lines(document))]
        if "top" in document:
            first = [{**row, "vertex": str(row["vertex"])} for row in document["top"][:_SHOWN]]
            shown.append(output.rows(f"the first {len(first)} of {len(document['top'])}", first))
        output.show(document, json, *shown)
        if verify and not document["certificate"]["ok"]:
            output.complain(f"the certificate failed: it is not true that {document['certificate']['claim']}")
            raise typer.Exit(CLAIM_FAILED)

    changed = {
        **VERTEX_OPTIONS,
        "policy": Changed(help=f"How rounds are cut into work: {', '.join(('auto', *entry.policies))}."),
        "device": Changed(help=f"Where to run: {' or '.join(entry.devices)}."),
        "threads": Changed(help="Threads to use; by default all cores."),
        "seed": Changed(help="The seed of everything that is random."),
        "max_rounds": Changed(help="Stop after so many rounds."),
        "threshold": Changed(help="The most edges of a vertex that is not heavy (heavy-light), or of a piece (split)."),
        **BUDGET,
    }
    command = with_options_of(entry.function, action, changed)
    command.__doc__ = entry.summary
    return command


def _run_on_cluster(
    entry: Algorithm,
    files: list[Path],
    cluster: str,
    directed: bool | None,
    chosen: dict[str, Any],
    out: Path | None,
    json: bool,
) -> None:
    """Run on a cluster, and show what is known of it."""
    if out is not None and out.suffix:
        raise InvalidArgumentError(f"{out}: with --cluster the workers write a folder of Parquet files; name a folder")
    with bars(entry.name) as progress:
        document = answer_on_cluster(entry.name, files, cluster, directed, chosen, out, progress)
    title = f"{entry.name} on {files[0]}" + (f" and {len(files) - 1} more files" if len(files) > 1 else "")
    output.show(document, json, output.facts(title, cluster_lines(document)))


def _check_targets(out: Path | None, plot: Path | None) -> None:
    """Refuse files that cannot be written before the work begins."""
    from nearly.engine.result_files import check_format
    from nearly.experiments.pictures import check_picture

    check_target_file(out, check_format)
    check_target_file(plot, check_picture)


def _document(file: Path, g: Graph, result: Result, chosen: dict[str, Any], read_seconds: float) -> dict[str, Any]:
    edges = result.trace.edges
    document = {
        "algorithm": result.algorithm,
        "file": str(file),
        "vertices": g.n,
        "arcs": g.m,
        "parameters": {name: _plain(value) for name, value in chosen.items() if value not in (None, [])},
        "techniques": [{"name": t.name, "spec": t.spec, "knobs": t.settings} for t in result.techniques],
        "guarantee": result.guarantee,
        "promise": in_words(result),
        "summary": summary_of(result),
        "rounds": result.rounds,
        "edges_visited": edges,
        "mteps": edges / result.seconds / 1e6 if result.seconds else 0.0,
        "seconds": result.seconds,
        "compile_seconds": result.compile_seconds,
        "preprocess_seconds": result.preprocess_seconds,
        "read_seconds": read_seconds,
        "peak_memory_bytes": _peak_memory(),
    }
    if result.plan is not None:
        document["budget"] = _budget(result)
    if hasattr(result, "scores") and result.values is not None:  # of a result that ranks
        columns = columns_of(g, result)
        pairs = zip(columns["vertex"].tolist(), columns["value"].tolist())
        document["top"] = [{"vertex": vertex, "score": score} for vertex, score in pairs]
        document["stopped"] = getattr(result, "stopped", "")
    return document


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value


def _budget(result: Result) -> dict[str, Any]:
    """What an answer within a budget says of its error, and how it was chosen."""
    interval = result.interval if result.error_scope == "aggregate" else None
    numbers = interval is not None and all(np.ndim(end) == 0 for end in interval)
    return {
        "error": number_or_none(result.error),
        "error_kind": result.error_kind,
        "error_scope": result.error_scope,
        "confidence": result.confidence,
        "interval": [number_or_none(end) for end in interval or ()] if numbers else None,
        "plan": finite(result.plan.as_dict()) if result.plan is not None else None,
    }


def finite(told: Any) -> Any:
    """The same for JSON: None in place of numbers that are not finite."""
    if isinstance(told, dict):
        return {name: finite(value) for name, value in told.items()}
    if isinstance(told, list):
        return [finite(value) for value in told]
    return number_or_none(told) if isinstance(told, float) else told


def summary_of(result: Result) -> dict[str, Any]:
    """A few numbers about the result."""
    facts = {name: value for name, value in sorted(result.scalars.items()) if name not in _KNOWN}
    values = np.asarray(result.values)  # of None, of no number's type
    if values.dtype.kind in "iuf" and values.size:
        finite = values[np.isfinite(values)] if values.dtype.kind == "f" else values
        facts["distinct values"] = int(np.unique(values).size)
        if finite.size:
            facts.update(smallest=finite.min().item(), largest=finite.max().item())
    elif values.dtype.kind == "b":
        facts["chosen vertices"] = int(values.sum())
    return facts


def _peak_memory() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _write(g: Graph, result: Result, out: Path | None, plot: Path | None, document: dict[str, Any]) -> None:
    if out is not None:
        from nearly.engine.result_files import write_result

        write_result(g, result, out)
        document["written"] = str(out)
    if plot is not None:
        from nearly.experiments.pictures import plot_traces

        plot_traces({result.algorithm: result.trace}, plot, f"{result.algorithm}: {g.n:,} vertices, {g.m:,} arcs")
        document["plot"] = str(plot)


def _lines(document: dict[str, Any]) -> dict[str, Any]:
    lines = {name: document[name] for name in ("vertices", "arcs")}
    lines.update(document["summary"])
    if document["techniques"]:
        lines["techniques"] = ", ".join(t["spec"] for t in document["techniques"])
    lines["guarantee"] = document["promise"]
    if "budget" in document:
        lines.update(_budget_lines(document["budget"]))
    if "stopped" in document:
        lines["stopped by"] = document["stopped"]
    lines["rounds"] = document["rounds"]
    lines["edges visited"] = document["edges_visited"]
    lines["million edges/s"] = document["mteps"]
    apart = {"compiling": document["compile_seconds"], "reading": document["read_seconds"]}
    if document["techniques"]:
        apart["preprocessing"] = document["preprocess_seconds"]
    lines["seconds"] = f"{document['seconds']:.4f} (apart: {', '.join(f'{k} {v:.2f}' for k, v in apart.items())})"
    lines["peak memory"] = human_bytes(document["peak_memory_bytes"])
    if "certificate" in document:
        proof = document["certificate"]
        bound = "" if proof["bound"] is None else f" (error at most {proof['bound']:.3g})"
        lines["certificate"] = f"{'holds' if proof['ok'] else 'FAILS'}: {proof['claim']}{bound}"
    lines.update({name: document[name] for name in ("written", "plot") if name in document})
    return lines


def _budget_lines(budget: dict[str, Any]) -> dict[str, str]:
    """The error and the choice, for people."""
    if budget["error"] is None:
        error = "not known"
    else:
        sure = "" if budget["confidence"] is None else f", with confidence {budget['confidence']:g}"
        error = f"{budget['error']:.3g} {budget['error_kind']}, {_SCOPES[budget['error_scope']]}{sure}"
    lines = {"error": error}
    if budget["interval"] is not None:
        low, high = budget["interval"]
        lines["interval"] = f"{low:.6g} to {high:.6g}"
    back = budget["plan"]["fell_back"]
    lines["chosen"] = f"{budget['plan']['choice']}, because {budget['plan']['why']}"
    return {**lines, **({"went back to exact": back} if back else {})}


for _entry in ALGORITHMS:
    app.command(_entry.name.replace("_", "-"), short_help=_entry.summary)(_command(_entry))
