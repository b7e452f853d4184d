"""The dominant eigenvector of a matrix without negative entries: Arnoldi's method with restarts (Saad 1980).

Every round multiplies once, and looks for the best vector in the space of all products since the last restart. That
takes out as many other parts of the error as there are products, where plain power iteration only lets them fade; it
needs no shift on bipartite graphs. After `KEPT` products it starts again from the best vector so far, without the signs
that rounding may have left in it: the dominant eigenvector has none. It begins with the same number everywhere, as
power iteration does, so that where the largest eigenvalue belongs to several vectors, the answer is the one that power
iteration would give.
`residual` is ||M x - value x|| of the vector that a restart began with, computed, not estimated. `gap` is how far the
next eigenvalue seems to be; it may be too large, as what was not met yet is not counted.
Sums are made in pieces that are added in order, whatever the threads (see `orthogonal_kernels`).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nearly.algorithms.shared.orthogonal_kernels import pieces_of, without_parts

KEPT = 12
_ROUNDING = 1e-14
_LITTLE = 0.7  # of its length must be left of a product for rounding not to matter (Daniel et al. 1976)


class Dominant:
    """The search for it; `expand` is one round."""

    def __init__(self, image: Callable[[np.ndarray], np.ndarray], n: int, symmetric: bool) -> None:
        self.image, self.symmetric = image, symmetric
        self.most = max(min(KEPT, n), 1)
        self.basis, self.sums = np.empty((self.most + 1, n)), np.empty((pieces_of(n), self.most + 2))
        self.value, self.gap, self.residual = 0.0, 0.0, np.inf
        self._begin(np.ones(n))

    def _begin(self, x: np.ndarray) -> None:
        self.basis[0] = x / norm(x)
        self.size, self.small = 0, np.zeros((self.most + 1, self.most))
        self.weights, self.estimate, self.ended = np.ones(1), np.inf, False

    def expand(self) -> None:
        """Multiply once more; begin again from the best vector where the space is full or used up."""
        if self.size == self.most or self.ended:
            self._begin(self.vector())
        j, basis = self.size, self.basis
        w = self.image(basis[j])
        shared, size = self._without(np.empty(0), w)
        for _ in range(2):
            self.small[: j + 1, j] += shared
            shared, left = self._without(shared, w)
            if left > _LITTLE * size:
                break  # little was taken away; else once more, as rounding spoils what nearly cancels
        self.size = j + 1
        self.ended = left <= _ROUNDING * size
        if not self.ended:
            self.small[j + 1, j] = left
            np.divide(w, left, out=basis[j + 1])
        if j == 0:
            self.value, self.residual = float(self.small[0, 0]), left
        self._solve(left)

    def _without(self, parts: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, float]:
        """Take parts of the basis from w; what it then has in common with each vector, and its length."""
        count = self.size + 1
        without_parts(self.basis, count, parts, w, self.sums)
        total = self.sums[:, : count + 1].sum(axis=0)
        return total[:count], float(np.sqrt(total[count]))

    def _solve(self, left: float) -> None:
        """The best vector in the space, as weights of the basis."""
        part = self.small[: self.size, : self.size]
        values, vectors = np.linalg.eigh((part + part.T) / 2) if self.symmetric else np.linalg.eig(part)
        first, *others = np.argsort(-values.real, kind="stable")
        self.weights = vectors[:, first].real
        self.estimate = left * float(np.abs(vectors[-1, first]))
        if others:
            self.gap = float(values[first].real - values[others[0]].real)

    def aim(self, tol: float) -> bool:
        """Whether the vector at hand has a residual of at most `tol` times the eigenvalue; begins anew to find out."""
        if self.size == 1 and self.residual <= tol * max(self.value, 0.0):
            self.weights = np.ones(1)
            return True
        if self.estimate <= tol / 2 * abs(self.value):
            self.ended = True
        return False

    def vector(self) -> np.ndarray:
        """The best vector so far, of norm 1."""
        x = np.abs(np.einsum("i,in->n", self.weights, self.basis[: self.weights.size]))
        return x / norm(x)


def norm(x: np.ndarray) -> float:
    """The square root of the sum of squares."""
    return float(np.sqrt(np.einsum("n,n->", x, x)))
