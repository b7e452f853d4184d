"""DIMACS shortest path: `p sp n m`, then m arcs `a from to weight`, vertices from 1; `c` begins a comment."""

from __future__ import annotations

import os
import re

from nearly.base.errors import GraphFormatError
from nearly.graph.csr import Graph
from nearly.graph.io.assemble import Claim, claimed_graph
from nearly.graph.io.content import Content
from nearly.graph.io.header import Header
from nearly.graph.io.line_rules import Rules
from nearly.graph.io.read_options import Options

_PROBLEM = re.compile(rb"p\s+sp\s+(\d{1,18})\s+(\d{1,18})")


def read_dimacs(path: str | os.PathLike[str], options: Options, *, hold: int | None = None) -> Graph:
    """A graph from a DIMACS shortest-path file; directed unless the caller says otherwise."""
    content = Content(path)
    claim = _read_problem(content)
    rules = Rules(3, options.weights, b"c", ord("a"), 1, claim.n, options.negative, options.nan)
    return claimed_graph(content, claim, rules, options, Header(), hold)


def _read_problem(content: Content) -> Claim:
    """What the problem line says."""
    number = 0
    for number, _, end, line in content.lines():
        if line and not line.startswith(b"c"):
            found = _PROBLEM.fullmatch(line)
            if not found:
                why = "before the arcs comes the line: p sp <vertices> <arcs>"
                raise GraphFormatError(content.path, number, line, why)
            return Claim(int(found[1]), int(found[2]), end, number + 1)
    raise GraphFormatError(content.path, number or None, None, "the problem line is missing: p sp <vertices> <arcs>")
