"""`nearly mesh generate|refine|info|verify|plot`: triangulations in files."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nearly.base.errors import InvalidArgumentError
from nearly.cli import output
from nearly.cli.options import new_app, with_options_of
from nearly.cli.progress_bars import bars
from nearly.cli.saving import check_target_file
from nearly.mesh.mesh_files import check_target, read, write
from nearly.mesh.plot import check_plot, plot
from nearly.mesh.random_points import disc, jittered, uniform
from nearly.mesh.refine import refine as refine_mesh
from nearly.mesh.verify import verify as verify_mesh

if TYPE_CHECKING:
    from nearly.mesh.mesh import Mesh

NOT_SOUND = 3
KINDS = {"uniform": uniform, "disc": disc, "jittered": jittered}

app = new_app(no_args_is_help=True)

Source = Annotated[
    Path,
    typer.Argument(
        metavar="MESH", help="The file to read: .ele, .node, .poly, or what meshio reads.", show_default=False
    ),
]
Target = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The file to write: .ele, .poly, .vtk...")]
Drawing = Annotated[
    Path, typer.Option("--output", "-o", metavar="FILE", help="The picture to write: .png, .svg or .pdf.")
]
MaybeTarget = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the refined mesh.")]
Picture = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Draw before and after: .png, .svg, .pdf.")
]
Verify = Annotated[bool, typer.Option("--verify", help="Verify the refined mesh; exit code 3 if it is not sound.")]
Angle = Annotated[float, typer.Option(help="Triangles with a smaller angle, in degrees, count as bad.", min=0, max=60)]
Kind = Annotated[str, typer.Argument(metavar="KIND", help=f"One of: {', '.join(KINDS)}.", show_default=False)]
Points = Annotated[int, typer.Option(help="How many points.", min=3)]
Seed = Annotated[int, typer.Option(help="The same seed gives the same points.", min=0)]


@app.callback()
def mesh() -> None:
    """Make, refine, check and draw triangular meshes."""


@app.command()
def generate(kind: Kind, target: Target, points: Points = 10_000, seed: Seed = 1, json: output.Json = False) -> None:
    """Triangulate random points."""
    if kind not in KINDS:
        raise InvalidArgumentError(f"no kind of mesh is called {kind!r}; there are: {', '.join(KINDS)}")
    check_target_file(target, check_target)
    from nearly.mesh.delaunay import from_points

    with bars("triangulating") as progress:
        begin = time.perf_counter()
        made = from_points(KINDS[kind](points, seed), progress=progress)
        seconds = time.perf_counter() - begin
    write(made, target)
    document = {"kind": kind, **sizes(made), "seconds": seconds, "written": str(target)}
    output.show(document, json, output.facts(f"mesh {kind}", document))


def refine(
    file: Source,
    target: MaybeTarget = None,
    picture: Picture = None,
    verify: Verify = False,
    json: output.Json = False,
    *,
    chosen: dict[str, Any],
) -> None:
    """Insert points until no triangle is bad."""
    check_target_file(target, check_target)
    check_target_file(picture, check_plot)
    with bars("reading") as progress:
        given = read(file, progress)
        done = refine_mesh(given, **chosen, progress=progress)
    angle, area = chosen["min_angle"], chosen["max_area"]
    document = {
        "file": str(file),
        "parameters": {name: value for name, value in chosen.items() if value is not None},
        "before": {**sizes(given), **about(given, angle)},
        "after": {**sizes(done.mesh), **about(done.mesh, angle)},
        "scheme": done.scheme,
        "inserted": done.inserted,
        "rounds": done.rounds,
        "capped": done.capped,
        "left": done.left,
        "seconds": done.seconds,
        "compile_seconds": done.compile_seconds,
    }
    if verify:
        checked = verify_mesh(done.mesh, angle, area, done.left, given)
        document["verified"], document["problems"] = checked.ok, list(checked.problems)
    if target is not None:
        write(done.mesh, target)
        document["written"] = str(target)
    if picture is not None:
        plot(done.mesh, picture, angle, given)
        document["plot"] = str(picture)
    output.show(document, json, *_refined_tables(document))
    _leave_if(verify and not document["verified"], document.get("problems", []))


def _refined_tables(document: dict[str, Any]) -> list[Any]:
    rows = [{"": name, **document[name]} for name in ("before", "after")]
    told = ("scheme", "inserted", "rounds", "capped", "left", "seconds", "compile_seconds")
    asked = ("verified", "written", "plot")
    lines = {name.replace("_", " "): document[name] for name in told + asked if name in document}
    return [output.rows(document["file"], rows), output.facts("refinement", lines)]


app.command("refine")(with_options_of(refine_mesh, refine))


@app.command()
def info(file: Source, min_angle: Angle = 20.0, json: output.Json = False) -> None:
    """Show sizes, angles and areas."""
    with bars("reading") as progress:
        found = read(file, progress)
    quality = found.quality(min_angle)
    document = {"file": str(file), **sizes(found), **asdict(quality), "bad_share": quality.bad_share}
    histogram = document.pop("histogram")
    shown = [{"smallest angle": f"{5 * i} to {5 * i + 5}°", "triangles": n} for i, n in enumerate(histogram)]
    lines = {name.replace("_", " "): value for name, value in document.items() if name != "file"}
    tables = [output.facts(document["file"], lines), output.rows("smallest angles", shown)]
    output.show({**document, "histogram": histogram}, json, *tables)


def verify(file: Source, json: output.Json = False, *, chosen: dict[str, Any]) -> None:
    """Check that a mesh is sound and Delaunay; exit code 3 if not."""
    with bars("reading") as progress:
        found = read(file, progress)
    checked = verify_mesh(found, **chosen)
    document = {"file": str(file), **sizes(found), "ok": checked.ok, "problems": list(checked.problems)}
    lines = {**document, "problems": "; ".join(checked.problems) or "none"}
    output.show(document, json, output.facts("verified" if checked.ok else "NOT sound", lines))
    _leave_if(not checked.ok, checked.problems)


app.command("verify")(with_options_of(verify_mesh, verify))


@app.command("plot")
def draw(file: Source, target: Drawing, min_angle: Angle = 20.0, json: output.Json = False) -> None:
    """Draw a mesh, bad triangles red."""
    check_target_file(target, check_plot)
    with bars("reading") as progress:
        found = read(file, progress)
    plot(found, target, min_angle)
    document = {"file": str(file), **sizes(found), "plot": str(target)}
    output.show(document, json, output.facts("drawn", document))


def sizes(mesh: Mesh) -> dict[str, int]:
    """The size of a mesh, in a few numbers."""
    return {"points": len(mesh.points), "triangles": len(mesh.triangles), "segments": len(mesh.segments)}


def about(mesh: Mesh, min_angle: float) -> dict[str, float]:
    """The quality of a mesh, in a few numbers."""
    quality = mesh.quality(min_angle)
    return {"bad": quality.bad, "min_angle": quality.min_angle, "mean_min_angle": quality.mean_min_angle}


def _leave_if(wrong: bool, problems: Any) -> None:
    if wrong:
        output.complain(f"the mesh is not sound: {'; '.join(problems)}")
        raise typer.Exit(NOT_SOUND)
