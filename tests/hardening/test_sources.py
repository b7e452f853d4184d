"""The sources: nothing evaluates, unpickles or starts a shell but the guarded kernel cache, and writes go beside."""

from __future__ import annotations

import ast
from pathlib import Path

import nearly

ROOT = Path(nearly.__file__).resolve().parent
PICKLES = {"base/kernel_cache.py"}
SCRATCH = {"graph/io/remote.py"}  # writes copies into a folder of its own, which is gone afterwards
CALLS = {"eval", "exec", "compile", "__import__"}
MODULES = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "yaml"}
SHELLS = {("os", "system"), ("os", "popen"), ("np", "load"), ("numpy", "load")}
WRITING = {"w", "wb", "a", "ab", "x", "xb", "w+b", "r+b", "r+"}


def faults(tree: ast.AST) -> set[str]:
    """What a source must not do."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names if name.name.split(".")[0] in MODULES}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in MODULES:
            found.add(str(node.module))
        elif isinstance(node, ast.Call):
            found |= set(_called(node))
    return found


def _called(node: ast.Call) -> list[str]:
    said = [key.arg for key in node.keywords if key.arg == "shell" and getattr(key.value, "value", True)]
    if isinstance(node.func, ast.Name) and node.func.id in CALLS:
        said.append(node.func.id)
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        where = node.func.value.id, node.func.attr
        plain = any(key.arg == "allow_pickle" and getattr(key.value, "value", 1) is False for key in node.keywords)
        said += [".".join(where)] * (where in SHELLS and not plain)
    modes = [a.value for a in (*node.args[1:], *(k.value for k in node.keywords)) if isinstance(a, ast.Constant)]
    if isinstance(node.func, ast.Name) and node.func.id == "open" and set(map(str, modes)) & WRITING:
        said.append("open for writing")
    return [word for word in said if word]


def test_no_source_evaluates_unpickles_or_writes_in_place():
    wrong = {}
    for path in ROOT.rglob("*.py"):
        found = faults(ast.parse(path.read_text(encoding="utf-8")))
        name = path.relative_to(ROOT).as_posix()
        if name in SCRATCH:
            assert found == {"open for writing"}, name
        elif name in PICKLES:
            assert found == {"pickle"}, name
        elif found:
            wrong[name] = found
    assert not wrong


def test_the_rule_sees_what_it_is_for():
    bad = "import pickle\nfrom marshal import loads\neval('1')\nnp.load(x)\nrun(x, shell=True)\nopen(p, 'wb')"
    assert faults(ast.parse(bad)) == {"pickle", "marshal", "eval", "np.load", "shell", "open for writing"}
    assert not faults(ast.parse("open(p, 'rb')\nself.compile(x)\nnp.load(x, allow_pickle=False)"))
