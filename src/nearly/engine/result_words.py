"""What an answer promises, in words: the guarantee, how far off the answer may be, and whether that says anything.

A bound can be true and empty: ranks that sum to 1 are never more than 2 apart in sum, so "certified, at most 1.16" says
little. A result's class declares the largest error there can be (`most_error`); a bound beyond a quarter of it is
called weak, and one as large as it empty. An algorithm that finds no optimum even when nothing approximates it
(communities, colours) says so in `run_in_full`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from nearly.engine.result import Result

WEAK = 0.25  # the share of the largest possible error from which on a bound says little
_SCOPES = {"aggregate": "", "each": " at any one vertex", "all": ""}


def in_words(result: Result) -> str:
    """The guarantee with its error, such as "certified: off by at most 0.01"."""
    if result.guarantee == "exact":
        return result.run_in_full
    error = result.error
    if error is None or not np.isfinite(error) or result.guarantee in ("upper bound", "lower bound"):
        return result.guarantee
    share = "%" if result.error_kind == "relative" else ""
    size = f"{100 * error:.3g}%" if share else f"{error:.3g}"
    told = f"{result.guarantee}: off by at most {size}{_SCOPES.get(result.error_scope, '')}"
    if result.confidence is not None and result.confidence < 1:
        told += f", with confidence {result.confidence:g}"
    return told + weakness(result)


def weakness(result: Result) -> str:
    """What is to be said of a bound so wide that it says little or nothing; "" of others."""
    error, most = result.error, result.most_error
    if error is None or most is None or result.guarantee == "exact" or result.error_kind == "relative":
        return ""
    if error >= most:
        return f"; an empty bound, no answer is off by more than {most:g}"
    return f"; a weak bound, no answer is off by more than {most:g}" if error > WEAK * most else ""
