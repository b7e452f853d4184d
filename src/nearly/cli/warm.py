"""`nearly warm [ALGORITHM...]`: compile now what would be compiled on first use, in a process for each core."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import Annotated, Any

import typer

from nearly.base.arguments import choice
from nearly.base.kernel_cache import folder, kernels_kept, spent
from nearly.base.memory import human_bytes
from nearly.cli import output
from nearly.cli.options import new_app
from nearly.cli.progress_bars import bars

app = new_app()


@app.command()
def warm(
    algorithms: Annotated[list[str] | None, typer.Argument(help="Only for these; by default for everything.")] = None,
    processes: Annotated[int, typer.Option(min=1, help="How many compile at the same time.")] = os.cpu_count() or 1,
    policies: Annotated[bool, typer.Option("--policies", help="Also what each policy needs.")] = False,
    share: Annotated[str, typer.Option(hidden=True, help="Which of how many processes this one is: 0/2.")] = "",
    json: output.Json = False,
) -> None:
    """Compile now what would be compiled on first use."""
    from nearly.engine.technique import ALGORITHMS

    only = tuple(choice("algorithm", name.replace("-", "_"), ALGORITHMS.names()) for name in algorithms or ())
    if share:
        _do_share(only, policies, share)
        return
    since = time.perf_counter()
    compiled = _in_processes([*only, *(["--policies"] if policies else [])], processes)
    files, nbytes = kernels_kept()
    document = {
        "folder": str(folder()),
        "compiled": compiled,
        "seconds": time.perf_counter() - since,
        "kernels": files,
        "bytes": nbytes,
    }
    text = (
        f"{compiled} kernels compiled in {document['seconds']:.0f} s; "
        f"{files} are kept in {document['folder']} ({human_bytes(nbytes)})"
    )
    output.show(document, json, text)


def _in_processes(arguments: list[str], processes: int) -> int:
    """How many kernels were compiled."""
    command = [sys.executable, "-m", "nearly", "warm", *arguments]
    children = [
        subprocess.Popen([*command, f"--share={i}/{processes}"], stdout=subprocess.PIPE, text=True)
        for i in range(processes)
    ]
    compiled = 0
    try:
        with bars("compiling") as progress:
            for child in children:
                for line in child.stdout or ():
                    stage, done, total = line.rstrip("\n").split("\t")
                    if stage == "compiled":
                        compiled += int(done)
                    else:
                        progress(f"compiling: {stage}", int(done), int(total))
                if child.wait():
                    raise typer.Exit(child.returncode)
    finally:
        for child in children:
            child.kill()
    return compiled


def _do_share(only: tuple[str, ...], policies: bool, share: str) -> None:
    """What one of the processes does: every so-manieth task."""
    from nearly.experiments.warm_up import run_all, tasks

    mine, processes = (int(part) for part in share.split("/"))

    def tell(stage: str, done: int, total: int) -> Any:
        print(stage, done, total, sep="\t", flush=True)

    run_all(tasks(only, policies)[mine::processes], tell)
    print("compiled", spent.compiled, 0, sep="\t", flush=True)
