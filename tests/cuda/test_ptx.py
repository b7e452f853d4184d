"""Every kernel, with every functor it runs with, compiles to PTX for compute capability 8.0 and 9.0; no GPU needed."""

from __future__ import annotations

import re
from functools import cache
from itertools import chain

import pytest
from tests.cuda.ptx import INSTALLED, SIMULATED, ptx_of

pytestmark = [pytest.mark.cuda, pytest.mark.compiled]
CASES = {}
if INSTALLED and not SIMULATED:
    from tests.cuda.cases import cases
    from tests.cuda.mesh_cases import mesh_cases

    CASES = {name: (kernel, arguments) for name, kernel, arguments in chain(cases(), mesh_cases())}


@cache
def compiled(name: str) -> dict[tuple[int, int], str]:
    return ptx_of(*CASES[name])


@pytest.mark.parametrize("name", CASES)
def test_compiles(name: str) -> None:
    for (major, minor), text in compiled(name).items():
        assert f".target sm_{major}{minor}" in text
        assert ".entry" in text
        assert not re.search(r"\batom\S*\.add\.f", text), "a float is added atomically: the sum depends on the order"


def test_no_kernel_is_left_out() -> None:
    from nearly.engine.cuda.device import KERNELS

    made = {f"{kernel.py_func.__module__}.{kernel.py_func.__qualname__}" for kernel, _ in CASES.values()}
    assert made == {
        name for name in KERNELS if name.startswith(("nearly.engine.", "nearly.algorithms.", "nearly.mesh."))
    }


@pytest.mark.parametrize(
    ("name", "instruction"),
    [
        ("push bfs", "atom.global.min.u32"),
        ("push sssp whole", "atom.global.min.u32"),
        ("push sssp float32", "atom.global.min.u32"),  # the order of bits is the order of floats that are not negative
        ("push sssp float64", "atom.global.min.u64"),
        ("push connected_components", "atom.global.min.u32"),
        ("push coloring", "atom.global.add.u32"),
        ("clusters sssp float32", "atom.shared.min.u32"),
        ("mesh mark", "atom.global.min.u64"),
    ],
)
def test_an_atomic_is_one_instruction(name: str, instruction: str) -> None:
    for text in compiled(name).values():
        assert instruction in text
        assert not re.search(r"\batom\S*\.cas", text)


@pytest.mark.parametrize("name", ["find", "retriangulate", "judge", "sizes next"])
def test_a_mesh_is_computed_as_on_the_cpu(name: str) -> None:
    for text in compiled(f"mesh {name}").values():
        assert "mul.rn.f64" in text
        assert not re.search(r"\bfma\b|\b(mul|add|sub)\.f64", text), "a product and a sum may be rounded as one"
