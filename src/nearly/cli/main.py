"""The entry point: the table of commands, the options that all of them share, and how errors are shown.

A command is a module of this package that holds an `app`. It is imported when it is called, so that `nearly --help`
reads this file alone. Bad input (any `NearlyError`, anything that the file system refuses) ends with one sentence on
standard error and exit code 2; `--debug` adds the traceback.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from nearly import __version__
from nearly.base.errors import NearlyError
from nearly.cli import output
from nearly.cli.options import new_app

COMMANDS = {
    "generate": "Make a graph of a chosen kind and write it to a file.",
    "convert": "Read a graph in one format and write it in another.",
    "info": "Show what a graph file holds.",
    "run": "Run an algorithm on a graph file.",
    "plan": "Show how a question would be answered within a budget.",
    "report": "Make a page about a graph: one file, no network.",
    "draw": "Draw a graph, with size and colour by results.",
    "compare": "Measure techniques against exact runs on a graph.",
    "sweep": "Measure speed and error along one knob of a technique.",
    "transform": "Transform a graph once, for many runs.",
    "system": "Show what nearly runs on, and where kernels come from.",
    "warm": "Compile now what would be compiled on first use.",
    "cache": "List the transformed graphs kept on disk, or clear them.",
    "model": "Model a run on a GPU: coalescing, divergence, fast memory.",
    "reproduce": "Rerun a paper's tables and figures.",
    "mesh": "Make, refine, check and draw triangular meshes.",
    "list": "List what there is to choose from.",
    "demo": "Show nearly at work on a graph that it makes itself.",
}
BAD_INPUT, INTERRUPTED = 2, 130
_ANYWHERE = (
    "--debug",
    "--progress",
    "--no-progress",
)  # options of `nearly` itself, which users mostly type at the end of the line


class _Guarded(TyperGroup):
    """The root: turns errors of the commands below it into messages and exit codes."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            return _stop("interrupted", INTERRUPTED)
        except BrokenPipeError:  # the program that reads our output has ended, for example `nearly list | head -1`
            raise
        except OSError as error:
            where = "" if error.filename is None else f"{error.filename}: "
            return _stop(f"{where}{error.strerror or error}", BAD_INPUT)
        except (NearlyError, MemoryError) as error:
            return _stop(str(error) or "out of memory", BAD_INPUT)


class _OnDemand(TyperCommand):
    """A name and one line of help; the command itself is imported when it is called."""

    def make_context(self, info_name: Any, args: list[str], parent: Any = None, **extra: Any) -> Any:
        app = import_module(f"nearly.cli.{self.name}").app
        return typer.main.get_command(app).make_context(info_name, args, parent, **extra)


def _stop(message: str, code: int) -> None:
    if output.settings.debug:
        traceback.print_exc()
    output.complain(message)
    raise typer.Exit(code)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"nearly {__version__}")
        raise typer.Exit()


app = new_app(
    cls=_Guarded,
    no_args_is_help=True,
    add_completion=True,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "token_normalize_func": lambda token: token.replace("_", "-"),
    },
)


@app.callback()
def nearly(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    progress: Annotated[
        bool | None,
        typer.Option("--progress/--no-progress", help="Progress bars; by default where standard error is a terminal."),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Graph analytics, exact and approximate, that says how nearly right each answer is."""
    output.settings.debug, output.settings.progress = debug, progress


def command() -> Any:
    """The whole command line as one object."""
    root: Any = typer.main.get_command(app)
    for name, line in COMMANDS.items():
        root.add_command(_OnDemand(name, help=line, rich_markup_mode=None))
    return root


def main(argv: Sequence[str] | None = None) -> None:
    """Run `nearly` with `argv` (default: the process's own arguments), then leave the process."""
    os.environ.setdefault("NEARLY_CACHE", "1")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a file's name may hold characters that the terminal cannot show
            stream.reconfigure(errors="backslashreplace")
    words = _global_first(list(sys.argv[1:] if argv is None else argv))
    _leave_tidily(lambda: command().main(args=words, prog_name="nearly"), ours=argv is None)


def _leave_tidily(work: Callable[[], Any], ours: bool) -> None:
    """Do the work; a polite request to end (SIGTERM) removes unfinished files, and no exit waits for the compiler.

    After Ctrl-C a process of `ours` ends at once: to take down what it has loaded would take half a second.
    """
    with suppress(ValueError):  # not the main thread: a program that embeds us
        signal.signal(signal.SIGTERM, _terminated)
    try:
        work()
    except SystemExit as end:
        aside = sys.modules.get("nearly.base.aside")
        if (ours and end.code == INTERRUPTED) or (aside is not None and aside.left_behind()):
            for stream in (sys.stdout, sys.stderr):
                with suppress(OSError, ValueError):
                    stream.flush()
            os._exit(end.code if isinstance(end.code, int) else 1)
        raise


def _terminated(number: int, frame: Any) -> None:
    raise SystemExit(128 + number)


def _global_first(args: list[str]) -> list[str]:
    end = args.index("--") if "--" in args else len(args)
    moved = [arg for arg in args[:end] if arg in _ANYWHERE]
    return moved + [arg for arg in args[:end] if arg not in _ANYWHERE] + args[end:]
