"""Names of vertices, kept compactly: their UTF-8 bytes one after the other, and where each one ends.

A NumPy array of strings gives every name the room of the longest, four bytes a letter; a graph of millions of names
with one long one among them would not fit. Here a name takes its bytes and nine more. The array that people see
(`Graph.ids`) is made when it is first asked for: of one width where that is not much more, else of Python strings.
Names in ascending order, as readers keep them, are found by bisection; others through a dictionary, made once.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from functools import cached_property
from typing import Any

import numpy as np

from nearly.base.arguments import as_array
from nearly.base.memory import require
from nearly.graph.csr_arrays import read_only

_WASTE = 16  # an array of one width may take so many times the bytes of the names
_FEW = 64  # names that are searched one by one rather than through a dictionary
_ENTRY = 160  # about what a name takes in a dictionary
_AT_ONCE = 1 << 18
_SIMILAR = 5000  # names among which similar ones are looked for


class Names:
    """Different strings, one a vertex.

    Parameters
    ----------
    data : ndarray of uint8
        The names in UTF-8, each followed by a zero byte.
    bounds : ndarray of uint64
        Where each name begins, and behind the last one where the data end.
    ascending : bool, optional
        Whether they are known to ascend.
    """

    def __init__(self, data: np.ndarray, bounds: np.ndarray, ascending: bool | None = None) -> None:
        self.data, self.bounds = data, bounds
        if ascending is not None:
            self.__dict__["ascending"] = ascending

    @classmethod
    def of(cls, strings: Any, ascending: bool | None = None) -> Names:
        """Names from an array or a list of strings."""
        given = isinstance(strings, np.ndarray)
        words = [one.encode() for one in (strings.tolist() if given else strings)]
        bounds = np.zeros(len(words) + 1, np.uint64)
        np.cumsum([len(word) + 1 for word in words], out=bounds[1:])
        data = np.frombuffer(b"\0".join([*words, b""]) if words else b"", np.uint8)
        made = cls(data, bounds, ascending)
        if given and strings.dtype.kind == "U":
            made.__dict__["array"] = read_only(strings)
        return made

    @property
    def size(self) -> int:
        """How many there are."""
        return self.bounds.size - 1

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self.data.nbytes + self.bounds.nbytes

    def __getitem__(self, v: int) -> str:
        return self.data[int(self.bounds[v]) : int(self.bounds[v + 1]) - 1].tobytes().decode()

    @cached_property
    def array(self) -> np.ndarray:
        """All of them as people expect them: an array of strings."""
        require(self.nbytes + 60 * self.size, f"the names of {self.size:,} vertices as an array")
        text = self.data.tobytes()
        words = text.decode().split("\0")[:-1]
        if len(words) != self.size:  # a zero byte within a name
            words = [self[v] for v in range(self.size)]
        longest = max(map(len, words), default=0)
        wide = 4 * longest * self.size
        if wide > _WASTE * (self.nbytes + 1) or len(words) != text.count(b"\0"):  # NumPy drops a zero at the end
            made = np.empty(self.size, object)
            made[:] = words
            return read_only(made)
        require(wide, f"the names of {self.size:,} vertices as an array")
        return read_only(np.array(words, str) if words else np.empty(0, "U1"))

    @cached_property
    def ascending(self) -> bool:
        """Whether each one is greater than the one before."""
        array = self.array
        return bool((array[1:] > array[:-1]).all())

    @cached_property
    def _places(self) -> dict[str, int]:
        require(_ENTRY * self.size, f"a dictionary of {self.size:,} names")
        return {name: v for v, name in enumerate(self.array.tolist())}

    def find(self, wanted: Sequence[str]) -> np.ndarray:
        """Where each of these is, -1 where it is none."""
        known = self.__dict__.get("_places")
        if known is None and len(wanted) <= _FEW and self.ascending:
            found = [self._bisect(name) for name in wanted]
            there = [place < self.size and self[place] == name for place, name in zip(found, wanted)]
            return np.where(there, found, -1).astype(np.int64) if wanted else np.empty(0, np.int64)
        return np.array([self._places.get(name, -1) for name in wanted], np.int64)

    def _bisect(self, name: str) -> int:
        low, high = 0, self.size
        while low < high:
            middle = (low + high) // 2
            if self[middle] < name:
                low = middle + 1
            else:
                high = middle
        return low

    def similar(self, name: str) -> list[str]:
        """A few names that look alike: of all where there are few, else of those that begin alike."""
        if self.size <= _SIMILAR:
            among = self.array.tolist()
        elif self.ascending:
            at = self._bisect(name)
            among = [self[v] for v in range(max(0, at - _FEW), min(self.size, at + _FEW))]
        else:
            among = self.array[:_SIMILAR].tolist()
        return get_close_matches(name, among, 3, 0.6)

    def taken(self, which: np.ndarray) -> Names:
        """Those at these places, in this order."""
        rows = np.asarray(which, np.int64)
        begin = self.bounds[rows].astype(np.int64)
        sizes = self.bounds[rows + 1].astype(np.int64) - begin
        bounds = np.zeros(rows.size + 1, np.uint64)
        np.cumsum(sizes, out=bounds[1:])
        require(2 * int(bounds[-1]), f"the names of {rows.size:,} vertices")
        data = np.empty(int(bounds[-1]), np.uint8)
        for low in range(0, rows.size, _AT_ONCE):
            part = slice(low, low + _AT_ONCE)
            first, last = int(bounds[low]), int(bounds[min(low + _AT_ONCE, rows.size)])
            before = bounds[:-1][part].astype(np.int64)
            data[first:last] = self.data[np.repeat(begin[part] - before, sizes[part]) + np.arange(first, last)]
        return Names(data, bounds)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Names):
            return NotImplemented
        return np.array_equal(self.bounds, other.bounds) and np.array_equal(self.data, other.data)

    __hash__ = None  # type: ignore[assignment]


Labels = np.ndarray | Names | None  # what a graph keeps of its vertices' ids


def labels_of(ids: Any) -> Labels:
    """Ids as a graph keeps them: strings compactly, anything else as an array."""
    if ids is None or isinstance(ids, Names):
        return ids
    array = as_array("ids", ids, "one id for each vertex")
    if array.ndim != 1:
        return array
    texts = array.dtype.kind == "U" or (
        array.dtype.kind == "O" and array.size > 0 and all(type(one) is str for one in array.tolist())
    )
    if not texts:
        return array
    try:
        return Names.of(array)
    except UnicodeEncodeError:  # half a character, which no file can hold
        return array


def taken(labels: Labels, which: np.ndarray) -> Labels:
    """The labels of some vertices, in this order; their indices where there are none."""
    if labels is None:
        return np.asarray(which, np.int64)
    return labels.taken(which) if isinstance(labels, Names) else labels[which]


def same_labels(one: Labels, other: Labels) -> bool:
    """Whether two graphs' vertices have the same ids."""
    if isinstance(one, Names) or isinstance(other, Names) or one is None or other is None:
        return one is other or one == other
    return np.array_equal(one, other)
