"""`nearly run ... --cluster`: the same commands on a Dask cluster, given by its address or made on this machine.

`local:4` starts four workers of one thread here and ends them afterwards; anything else is the address of a scheduler.
Options that an algorithm has on one machine only are refused, not ignored.
"""

from __future__ import annotations

import inspect
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from nearly.base.errors import InvalidArgumentError
from nearly.base.memory import human_bytes
from nearly.base.progress import Progress

Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Run on a Dask cluster: the address of its scheduler, such as tcp://host:8786, or local:4 for four "
        "workers on this machine. GRAPH may then be many files, and --output names a folder.",
    ),
]
_LOCAL = re.compile(r"local:([1-9]\d{0,3})")


@contextmanager
def connected(cluster: str) -> Iterator[Any]:
    """A client of the cluster; one that was made here ends with the block."""
    import_module("nearly.distributed")  # an error that names the extra, where it is not installed
    from distributed import Client, LocalCluster

    local = _LOCAL.fullmatch(cluster)
    if local is None and "://" not in cluster:
        raise InvalidArgumentError(f"--cluster must be an address such as tcp://host:8786, or local:4, not {cluster!r}")
    if local is None:
        try:
            client = Client(cluster, timeout=10)
        except (OSError, TimeoutError, ValueError) as error:
            raise InvalidArgumentError(f"no scheduler answers at {cluster}: {error}") from None
        with client:
            yield client
        return
    workers = {"n_workers": int(local[1]), "threads_per_worker": 1, "processes": True}
    with LocalCluster(**workers, dashboard_address=":0") as here, Client(here) as client:
        yield client


def check_cluster_options(refused: dict[str, Any]) -> None:
    """Refuse what only a run on one machine knows."""
    for name, value in refused.items():
        if value:
            raise InvalidArgumentError(f"--{name} does not work with --cluster; leave it out")


def answer_on_cluster(
    name: str,
    files: list[Path],
    cluster: str,
    directed: bool | None,
    chosen: dict[str, Any],
    out: Path | None,
    progress: Progress,
) -> dict[str, Any]:
    """What is to be told of a run on a cluster, whose values go to a folder if one is given."""
    nd = import_module("nearly.distributed")
    if name not in nd.__all__:
        known = sorted(import_module("nearly.distributed.programs").PROGRAMS)
        raise InvalidArgumentError(f"{name} does not run on a cluster; these do: {', '.join(known)}")
    function = getattr(nd, name)
    arguments = _taken(function, name, chosen)
    with connected(cluster) as client:
        begin = time.perf_counter()
        dg = nd.read([str(file) for file in files], client, directed=directed)
        read_seconds = time.perf_counter() - begin
        if "source" in arguments:
            arguments["source"] = dg.index(_as_id(arguments["source"], dg.named))
        result = function(dg, **arguments, progress=progress)
        document = _document(files, dg, result, arguments, read_seconds)
        if out is not None and result.values is None:
            raise InvalidArgumentError(f"{name} has estimated the total alone: there are no values for --output")
        if out is not None:
            result.values.to_parquet(out)
            document["written"] = str(out)
        return document


def _as_id(text: str, named: bool) -> Any:
    if named or not text.lstrip("-").isdecimal():
        return text
    return int(text)


def _taken(function: Any, name: str, chosen: dict[str, Any]) -> dict[str, Any]:
    """The arguments that the function on a cluster takes; an error for any other that was given."""
    import nearly

    here = inspect.signature(getattr(nearly, name)).parameters
    there = inspect.signature(function).parameters
    for option, value in chosen.items():
        if option not in there and value is not None and value != here[option].default:
            check_cluster_options({option.replace("_", "-"): True})
    return {option: value for option, value in chosen.items() if option in there and value is not None}


def _document(
    files: list[Path], dg: Any, result: Any, arguments: dict[str, Any], read_seconds: float
) -> dict[str, Any]:
    rounds = result.trace.to_list()
    facts = {key: getattr(result, key, None) for key in ("count", "degeneracy", "total", "residual")}
    return {
        "algorithm": result.algorithm,
        "files": [str(file) for file in files],
        "vertices": dg.n,
        "arcs": dg.m,
        "parts": dg.parts,
        "workers": len({host.address for host in dg.hosts}),
        "parameters": arguments,
        "guarantee": result.guarantee,
        "error": result.error,
        "summary": {key: value for key, value in facts.items() if value is not None},
        "rounds": result.rounds,
        "bytes_sent": sum(row["bytes"] for row in rounds),
        "seconds": result.seconds,
        "read_seconds": read_seconds,
        "peak_memory_bytes": max(result.peaks, default=0),
        "restarts": [loss.why for loss in result.restarts],
        "trace": rounds,
    }


def cluster_lines(document: dict[str, Any]) -> dict[str, Any]:
    """The same for people."""
    lines = {name: document[name] for name in ("vertices", "arcs", "parts", "workers")}
    lines.update(document["summary"])
    error = "" if document["error"] is None or not document["error"] else f", error at most {document['error']:.3g}"
    lines["guarantee"] = document["guarantee"] + error
    lines["rounds"] = document["rounds"]
    lines["sent between workers"] = human_bytes(document["bytes_sent"])
    lines["seconds"] = f"{document['seconds']:.4f} (apart: reading {document['read_seconds']:.2f})"
    lines["peak memory of a worker"] = human_bytes(document["peak_memory_bytes"])
    if document["restarts"]:
        lines["started again"] = f"{len(document['restarts'])} times: {document['restarts'][-1]}"
    if "written" in document:
        lines["written"] = document["written"]
    return lines
