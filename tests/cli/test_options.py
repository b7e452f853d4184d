"""Options are what the function's signature and docstring say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pytest
import typer
from typer.testing import CliRunner

from nearly.base.errors import InvalidArgumentError
from nearly.cli.options import Changed, documentation, new_app, with_options_of


def example(
    count: int,
    rate: float = 0.5,
    name: str | None = None,
    threshold: float | Literal["auto"] = "auto",
    chunk: int | str = 16,
    kind: Literal["a", "b_c"] | None = "a",
    rounds: int | None = 7,
    exact: bool = True,
    directed: bool | None = None,
    anything: Any = None,
    progress: Callable[[str], None] | None = None,
    **rest: int,
) -> None:
    """Do an example.

    With a second paragraph.

    Parameters
    ----------
    count : how many.
    rate, threshold : two numbers that go
        over two lines, `quoted`.
    name : a name [in brackets].

    Returns
    -------
    nothing : not a parameter.
    """


def parsed(*args: str, **changed: Changed) -> dict[str, Any]:
    got: list[dict[str, Any]] = []
    app = new_app(context_settings={"token_normalize_func": lambda token: token.replace("_", "-")})
    app.command()(with_options_of(example, lambda chosen: got.append(chosen), changed))
    result = CliRunner().invoke(app, list(args), catch_exceptions=False, standalone_mode=True)
    if not got:
        raise ValueError(result.output)
    return got[0]


def test_defaults_are_the_functions_own():
    assert parsed("--count", "3") == {
        "count": 3, "rate": 0.5, "name": None, "threshold": "auto", "chunk": 16, "kind": "a",
        "rounds": 7, "exact": True, "directed": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("args", "name", "value"),
    [
        (["--threshold", "0.6"], "threshold", 0.6),
        (["--threshold", "auto"], "threshold", "auto"),
        (["--chunk", "32"], "chunk", 32),
        (["--chunk", "big"], "chunk", "big"),
        (["--kind", "none"], "kind", None),
        (["--kind", "b-c"], "kind", "b_c"),
        (["--rounds", "none"], "rounds", None),
        (["--rounds", "9"], "rounds", 9),
        (["--no-exact"], "exact", False),
        (["--undirected"], "directed", False),
        (["--name", "x"], "name", "x"),
    ],
)
def test_values(args, name, value):
    found = parsed("--count", "1", *args)[name]
    assert found == value
    assert type(found) is type(value)


def test_a_word_that_fits_no_member_is_refused():
    with pytest.raises(InvalidArgumentError, match="--threshold must be a number or auto, not 'high'"):
        parsed("--count", "1", "--threshold", "high")


def test_required_parameters_are_required():
    with pytest.raises(ValueError, match="--count"):
        parsed()


def test_what_cannot_be_typed_is_not_offered():
    with pytest.raises(ValueError, match="--anything"):
        parsed("--count", "1", "--anything", "x")
    assert parsed("--count", "1", "--anything", "x", anything=Changed(hint=str | None))["anything"] == "x"


def test_documentation():
    summary, helps = documentation(example)
    assert summary == "Do an example.\n\nWith a second paragraph."
    assert helps["rate"] == helps["threshold"] == "two numbers that go over two lines, quoted."
    assert set(helps) == {"count", "rate", "threshold", "name"}


def numpydoc(count, rate, kind, weights, sources, policies, rounds, *, seed, progress, approx) -> None:
    """Do an example.

    Parameters
    ----------
    count : int
        How many.
    rate : float or "auto", default 0.5
        a number that goes
        over two lines, `quoted`.

        A second paragraph is not for the command line.
    kind : {"a", "b"}, optional
        `a` or b.
    weights : numpy.ndarray of float64, shape (n,)
    sources : number of sources, or an array of vertices
        Where to begin: all, n : none.
    **policies : keyword arguments
        As in `read`.
    rounds : stop after so many, as
        the paper did.

    Other Parameters
    ----------------
    seed : int | None
        What is random
        depends on this.

    Common parameters
    -----------------
    progress : called as `progress(stage)`.
    count : not this.

    Returns
    -------
    nothing : int
        Not a parameter.
    """


def test_documentation_in_the_form_of_numpydoc():
    assert documentation(numpydoc) == (
        "Do an example.",
        {
            "count": "How many.",
            "rate": "a number that goes over two lines, quoted.",
            "kind": "a or b.",
            "weights": "",
            "sources": "Where to begin: all, n : none.",
            "policies": "As in read.",
            "rounds": "stop after so many, as the paper did.",
            "seed": "What is random depends on this.",
            "progress": "called as progress(stage).",
        },
    )


@pytest.mark.parametrize(
    "head",
    ["int", "float, optional", "bool, default False", "Graph", "str or Path", "Technique, str or list of these",
     "callable", "{'a', 'b'}", "int or None", "Literal[\"a\"] | None", "tuple of (int, float)", "numpy.ndarray",
     "array of uint32", "list of str"],
)  # fmt: skip
def test_a_type_is_not_shown(head):
    def function() -> None: ...

    function.__doc__ = f"""Do it.

    Parameters
    ----------
    name : {head}
        what it is.
    """
    assert documentation(function)[1] == {"name": "what it is."}


def test_no_help_text_of_the_library_is_a_type():
    from nearly.cli.generate import generators
    from nearly.engine.algorithm import ALGORITHMS

    functions = [*generators().values(), *(entry.function for entry in ALGORITHMS)]
    for function in functions:
        for name, text in documentation(function)[1].items():
            assert text, f"{function.__name__}: {name} has no description"


def test_help_texts_are_shown_as_they_are():
    app = new_app()
    app.command()(with_options_of(example, lambda chosen: None))
    shown = CliRunner().invoke(app, ["--help"]).output
    assert "A name [in brackets]." in shown
    assert "How many." in shown


def test_every_option_of_every_generator_has_help():
    from nearly.cli.generate import generators

    for name, function in generators().items():
        command = typer.main.get_command(_one(with_options_of(function, lambda chosen: None)))
        for option in command.params:
            assert getattr(option, "help", None), (name, option.name)


def _one(callback: Callable[..., None]) -> typer.Typer:
    app = new_app()
    app.command()(callback)
    return app
