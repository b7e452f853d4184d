"""The row that every PageRank table needs: exact, stopped as soon as its error is no larger than a technique's.

Each round of PageRank brings the ranks nearer to the truth, so simply stopping early is an approximation too. A
technique is useful only if it is faster than that. The smallest number of rounds is found by bisection, because errors
fall from round to round. Errors are remembered, so that several techniques share the search.
"""

from __future__ import annotations

from collections.abc import Callable


class EqualError:
    """Finds rounds by error. `error_after(k)` is the error after k rounds; it falls, to about 0 after `rounds`."""

    def __init__(self, error_after: Callable[[int], float], rounds: int) -> None:
        self._error_after, self._rounds = error_after, max(rounds, 1)
        self._known: dict[int, float] = {}

    def rounds_for(self, error: float) -> int:
        """The smallest number of rounds with an error of at most `error`; all rounds if there is none.

        >>> EqualError(lambda k: 0.5**k, 40).rounds_for(0.3)
        2
        """
        low, high = 0, self._rounds
        while high - low > 1:
            middle = (low + high) // 2
            if self._error(middle) <= error:
                high = middle
            else:
                low = middle
        return high

    def _error(self, rounds: int) -> float:
        if rounds not in self._known:
            self._known[rounds] = self._error_after(rounds)
        return self._known[rounds]
