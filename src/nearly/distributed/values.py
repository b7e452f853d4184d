"""The values of a result, which stay with the parts until they are asked for."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nearly.base.arguments import path_name
from nearly.base.memory import require
from nearly.distributed.errors import ClusterError, PartLost, RunCancelled

if TYPE_CHECKING:
    from nearly.distributed.graph import DistributedGraph


class DistributedArray:
    """A value for each vertex, on the workers.

    Attributes
    ----------
    shape : tuple of int
        The number of vertices.
    dtype : numpy.dtype
        The type of the values.
    """

    def __init__(self, graph: DistributedGraph, run: str, dtype: str) -> None:
        self.graph, self.run, self.generation = graph, run, graph.generation
        self.dtype, self.shape, self.column = np.dtype(dtype), (graph.n,), "value"

    @property
    def size(self) -> int:
        return self.shape[0]

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return f"<DistributedArray: {self.size:,} values of {self.dtype} in {self.graph.parts} parts>"

    def check(self) -> None:
        """Raise an error if the values are known to be lost."""
        if self.generation != self.graph.generation:
            raise ClusterError("the values were lost with a worker, and the graph was made again since: run it again")

    def ask(self, method: str, *arguments: Any) -> list[Any]:
        """What all parts answer; an error where the values are lost."""
        self.check()
        try:
            return self.graph.call_all(method, *arguments)
        except (PartLost, RunCancelled, KeyError) as error:
            raise ClusterError(f"the values were lost with a worker ({error}): run it again") from None

    def compute(self) -> np.ndarray:
        """All values as one array here.

        Returns
        -------
        numpy.ndarray
            n values, in the order of the vertices.
        """
        require(2 * self.size * self.dtype.itemsize, f"{self.size:,} values")
        return np.concatenate(self.ask("fetch", self.run))

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self.compute().astype(dtype or self.dtype, copy=False)

    def to_parquet(self, folder: str | os.PathLike[str]) -> list[str]:
        """Write a Parquet file for each part, by the worker that has it: the vertices' ids, and the values.

        Parameters
        ----------
        folder : str or os.PathLike
            A folder that all workers reach; it is made where it is not there.

        Returns
        -------
        list of str
            The files.
        """
        path = os.path.abspath(path_name("folder", folder))
        files = self.ask("write", self.run, path, self.column)
        for old in set(Path(path).glob("part-*.parquet")) - {Path(file) for file in files}:
            old.unlink(missing_ok=True)  # of a graph of more parts
        return files
