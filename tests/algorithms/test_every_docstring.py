"""Every public algorithm and technique documents what it takes, what it gives, and an example, in the same form."""

from __future__ import annotations

import inspect
import re

import pytest
from tests.algorithms.questions import BUILT_IN

import nearly
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.technique import TECHNIQUES

pytestmark = pytest.mark.small
every_algorithm = pytest.mark.parametrize("algorithm", BUILT_IN)


def sections(text):
    """The parts of a numpydoc docstring by title, "" for what comes first."""
    parts = re.split(r"^(.+)\n-{3,}$", inspect.cleandoc(text), flags=re.MULTILINE)
    assert len(set(parts[1::2])) == len(parts[1::2]), "a section stands there twice"
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2]))}


def entries(text, indent=""):
    """What a section says of each name: its type, and its description."""
    found = re.findall(rf"^{indent}(\w+) : (.+)\n((?:{indent}    .+\n?)+)", text, re.MULTILINE)
    return {name: (kind, meaning.strip()) for name, kind, meaning in found}


@every_algorithm
def test_functions_say_what_they_take(algorithm):
    function = getattr(nearly, algorithm)
    parts, signature = sections(function.__doc__), inspect.signature(function)
    first = parts[""].strip().splitlines()[0]
    assert first.endswith(".")
    assert len(first) <= 120
    assert list(parts) == ["", "Parameters", "Other Parameters", "Returns", "Examples"]
    told = entries(parts["Parameters"]) | entries(parts["Other Parameters"])
    assert list(told) == list(signature.parameters)
    assert list(entries(parts["Parameters"])) == ["graph", *ALGORITHMS.get(algorithm).parameters]
    for name, (kind, meaning) in told.items():
        assert kind != "Any", name
        assert meaning.endswith("."), name
    for policy in ALGORITHMS.get(algorithm).policies:
        assert f'"{policy}"' in told["policy"][0]
    assert f"nearly.{algorithm}(" in parts["Examples"]


@every_algorithm
def test_functions_say_what_they_give(algorithm):
    entry, returns = ALGORITHMS.get(algorithm), sections(getattr(nearly, algorithm).__doc__)["Returns"]
    assert returns.strip().splitlines()[0] == entry.result.__name__
    told = entries(returns, indent="    ")
    assert set(told) == set(entry.result.fields)
    for name, (kind, meaning) in told.items():
        assert kind not in ("Any", ""), f"{entry.result.__name__}.{name} has no type"
        assert len(meaning) > 5, name
    assert entry.result.__doc__.strip().endswith(".")
    assert inspect.signature(entry.function).return_annotation is entry.result


@every_algorithm
def test_fields_of_results_are_declared_with_a_type_and_a_meaning(algorithm):
    result = ALGORITHMS.get(algorithm).result
    for name, declared in result.fields.items():
        owner = next(base for base in result.__mro__ if name in vars(base))
        assert owner.__annotations__.get(name), f"{owner.__name__}.{name} has no type"
        assert declared.meaning.strip() == declared.meaning
        assert declared.meaning, f"{owner.__name__}.{name} has no meaning"


@pytest.mark.parametrize("technique", [cls.name for cls in TECHNIQUES if cls.__module__.startswith("nearly.")])
def test_techniques_say_what_their_knobs_do(technique):
    cls = TECHNIQUES.get(technique)
    assert getattr(nearly, cls.__name__) is cls
    parts = sections(cls.__doc__)
    assert parts[""].strip().splitlines()[0] == cls.summary
    told = entries(parts["Parameters"])
    assert list(told) == list(cls.dials) == list(inspect.signature(cls).parameters)
    for knob in cls.dials.values():
        kind, meaning = told[knob.name]
        assert knob.meaning[1:] in meaning.replace("\n    ", " ")
        assert f"default {knob.default!r}" in kind
