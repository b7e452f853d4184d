"""`DistanceIndex`: distances from a few landmarks, by which the distance of any pair is known within an interval.

For a landmark L, d(s, t) <= d(s, L) + d(L, t), and it is at least d(L, t) - d(L, s) and d(s, L) - d(t, L). The best
of all landmarks counts. Half of them are the vertices of highest degree, through which many shortest paths lead; the
others are far from all before, so that some lie behind either end of a pair, where the bounds from below are good.
What is left open is searched for from both ends, and ends where it cannot be shorter than the bound from above.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple
from zipfile import BadZipFile
from zlib import error as zlib_error

import numpy as np

from nearly.algorithms.distances.kernels import intervals
from nearly.algorithms.distances.search import PairSearch
from nearly.algorithms.shared.length_sums import Desk, length_desks, search
from nearly.algorithms.shared.level_search import UNREACHED, LevelSearch
from nearly.algorithms.shared.pair_scores import checked_pairs
from nearly.algorithms.shared.weights import forbid_negative, uses_weights, weight_range
from nearly.base.arguments import number, whole_number
from nearly.base.errors import GraphFormatError, InvalidGraphError
from nearly.base.files import replacing
from nearly.base.memory import require
from nearly.base.signatures import typed
from nearly.base.threads import kernel_threads
from nearly.engine.run import Run
from nearly.graph.csr import Graph
from nearly.graph.vertex_lookup import with_indices

_ROUNDING = 1e-12  # of sums of weights that are added up in another order


class Intervals(NamedTuple):
    """Bounds on distances, one entry for each pair; inf where there is no way."""

    low: np.ndarray
    high: np.ndarray


class DistanceIndex:
    """Distances from and to landmarks, for intervals of the distances of pairs.

    Parameters
    ----------
    graph : Graph
        The graph.
    landmarks : int
        How many landmarks; each takes a search (two in a directed graph) and 4 bytes a vertex, or 8 by weights.
    weights : bool
        False counts 1 for every arc, as it does on a graph without weights.
    threads : int, optional
        How many threads the searches may use.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.generate.grid(30, 30)
    >>> index = nearly.DistanceIndex(g, landmarks=4)
    >>> low, high = index.query([(0, 899), (5, 100)])
    >>> exact = nearly.distances(g, [(0, 899), (5, 100)]).values
    >>> bool((low <= exact).all() and (exact <= high).all())
    True
    """

    @typed
    def __init__(self, graph: Graph, landmarks: int = 32, *, weights: bool = True, threads: int | None = None) -> None:
        count = min(whole_number("landmarks", landmarks), graph.n)
        self.graph, self.weighted = graph, uses_weights(graph, weights)
        if self.weighted:
            forbid_negative(graph, "DistanceIndex", "count hops")
        kind = np.float64 if self.weighted else np.float32
        require((2 if graph.directed else 1) * count * graph.n * np.dtype(kind).itemsize, "an index of distances")
        self.away = np.empty((graph.n, count), kind)
        self.back = np.empty((graph.n, count), kind) if graph.directed else self.away
        self.landmarks = np.empty(count, np.int64)
        with kernel_threads(threads, (graph.n + graph.m) * max(count, 1)) as workers:
            self._fill(Run(graph, threads=workers))

    def _fill(self, run: Run) -> None:
        graph, nearest = self.graph, np.full(self.graph.n, np.inf)
        by_degree = np.argsort(-graph.out_degrees.astype(np.int64), kind="stable")
        desk = Desk(*(rows[0] for rows in length_desks(graph, 1))) if self.weighted else None
        for k in range(self.landmarks.size):
            chosen = int(by_degree[k // 2])
            if k % 2 or nearest[chosen] == 0:  # inf: in a part of the graph that has no landmark yet
                chosen = int(np.argmax(np.where(graph.out_degrees + graph.in_degrees > 0, nearest, 0.0)))
            self.landmarks[k] = chosen
            self.away[:, k] = _distances(run, graph, chosen, desk)
            if graph.directed:
                self.back[:, k] = _distances(run, graph.reverse, chosen, desk)
            nearest = np.minimum(nearest, np.minimum(self.away[:, k], self.back[:, k]))

    def query(self, pairs: Any, *, max_error: float | None = None, threads: int | None = None) -> Intervals:
        """Intervals that hold the distances of pairs.

        Parameters
        ----------
        pairs : array of int or str
            The pairs, in two columns, by index or by name.
        max_error : float, optional
            How wide an interval may be, relative to its lower end; wider ones are closed by a search.
        threads : int, optional
            How many threads searches may use.

        Returns
        -------
        Intervals
            `low` and `high`, arrays with an entry for each pair; they are certain.
        """
        us, vs = checked_pairs(self.graph, with_indices(self.graph, "pairs", pairs))
        low, high = np.empty(us.size), np.empty(us.size)
        least = max(weight_range(self.graph)[0], 0.0) if self.weighted else 1.0
        intervals(self.away, self.back, us, vs, least, low, high)
        attained = high
        if self.weighted:
            low, high = low * (1 - _ROUNDING) - _ROUNDING * np.where(high < np.inf, high, 0), high * (1 + _ROUNDING)
            np.maximum(low, 0, out=low)
        if max_error is not None:
            number("max_error", max_error, 0)
            with np.errstate(invalid="ignore"):
                wide = np.flatnonzero((high - low > max_error * low) & (low < np.inf))
            if wide.size:
                with kernel_threads(threads, wide.size * (self.graph.n + self.graph.m)) as workers:
                    finder = PairSearch(Run(self.graph, threads=workers), self.graph, self.weighted)
                    low[wide] = high[wide] = finder.find(us[wide], vs[wide], attained[wide])
        return Intervals(low, high)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the index to a file (.npz), beside and then renamed, so that no half of one is left."""
        arrays: dict[str, Any] = {"landmarks": self.landmarks, "away": self.away, "weighted": np.array(self.weighted)}
        if self.graph.directed:
            arrays["back"] = self.back
        with replacing(path) as file:
            np.savez(file, fingerprint=np.array(self.graph.fingerprint), **arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str], graph: Graph) -> DistanceIndex:
        """Read an index that was saved for this graph; an error if it was for another, or the file is damaged."""
        kept, made = _read(path, graph.directed), cls.__new__(cls)
        if str(kept["fingerprint"]) != str(graph.fingerprint):
            raise InvalidGraphError(f"{os.fspath(path)} is an index of another graph; make one for this graph")
        made.graph, made.weighted, made.landmarks = graph, bool(kept["weighted"]), kept["landmarks"]
        made.away = kept["away"]
        made.back = kept["back"] if graph.directed else made.away
        shape, kind = (graph.n, made.landmarks.size), np.float64 if made.weighted else np.float32
        if any(array.shape != shape or array.dtype != kind for array in (made.away, made.back)):
            why = "its distances have another size or type than its landmarks tell; save one again"
            raise GraphFormatError(path, None, None, why)
        return made


def _read(path: str | os.PathLike[str], directed: bool) -> dict[str, np.ndarray]:
    """The arrays of a file."""
    names = ["fingerprint", "weighted", "landmarks", "away", *(["back"] if directed else [])]
    try:
        with np.load(path, allow_pickle=False) as kept:
            if "fingerprint" in kept and "back" not in kept:  # of an undirected graph: told apart by the fingerprint
                names = names[:4]
            found = {name: kept[name] for name in names}
            return {"back": found["away"], **found}
    except FileNotFoundError:
        raise
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        EOFError,
        MemoryError,
        BadZipFile,
        zlib_error,
    ) as error:
        why = f"it is damaged, or no index of distances ({type(error).__name__}); save one again"
        raise GraphFormatError(path, None, None, why) from None


def _distances(run: Run, graph: Graph, source: int, desk: Desk | None) -> np.ndarray:
    """From a vertex to all, inf where there is no way; by weights with a desk, in hops without."""
    if desk is None:
        found = LevelSearch(run, graph, source)
        while found.step():
            pass
        return np.where(found.level == UNREACHED, np.inf, found.level)
    count = int(search(graph.arrays, desk, np.uint32(source)))
    reached, far = desk.order[:count].astype(np.int64), np.full(graph.n, np.inf)
    far[reached] = desk.far[reached]
    desk.place[:] = 2**32 - 1
    return far
