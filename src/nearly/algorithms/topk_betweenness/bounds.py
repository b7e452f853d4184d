"""How far counts of sampled paths may be from betweenness: Chernoff's bound for every vertex, at every look.

A path either passes a vertex or not. So with p the true share and q that of t samples, q >= p and t * kl(q, p) >= L
happen together with probability at most exp(-L), and likewise for q <= p, where kl is the relative entropy of two coins
(Chernoff, 1952): tighter than Bernstein's bound, and no bound on the diameter is needed. The allowed risk is divided
over vertices and looks, each vertex and look getting a share decided before its samples are drawn:

- over looks: the i-th planned one gets 0.9 / (i (i + 1)), any other end of a batch, the j-th, 0.1 / (j (j + 1)).
- over vertices: where a pilot sample, used for nothing else, sees a large share, more samples are needed. Vertices get
  the risks with which all of them would reach the error after the same number of samples, the least possible; a tenth
  of the risk is divided evenly. This idea, and adaptive sampling as such, are KADABRA's (Borassi and Natale, ESA 2016).
"""

from __future__ import annotations

import numpy as np

PLANNED = 0.9  # of the risk, for planned looks
EVENLY = 0.1  # of the risk, divided evenly over vertices
GROWTH = 1.15  # from one planned look to the next
_HALVINGS = 60


def relative_entropy(q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """kl(q, p) of two coins, elementwise; infinite where p excludes q.

    >>> relative_entropy(np.array([0.0, 0.5]), np.array([0.5, 0.5])).round(3).tolist()
    [0.693, 0.0]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        yes = np.where(q > 0, q * np.log(q / p), 0.0)
        no = np.where(q < 1, (1 - q) * np.log((1 - q) / (1 - p)), 0.0)
    return yes + no


def needed(q: np.ndarray, error: float) -> np.ndarray:
    """What one sample adds to the certainty that p is within `error` of q: the smaller of both sides' kl."""
    above = np.where(q + error < 1, relative_entropy(q, np.minimum(q + error, 1.0)), np.inf)
    below = np.where(q > error, relative_entropy(q, np.maximum(q - error, 0.0)), np.inf)
    return np.minimum(above, below)


def planned_share(look: int) -> float:
    """The share of the risk that planned look 1, 2, ... gets."""
    return PLANNED / (look * (look + 1))


def other_share(batch: int) -> float:
    """The share of the risk that the end of batch 1, 2, ... gets."""
    return (1 - PLANNED) / (batch * (batch + 1))


class Risks:
    """The division of a risk over vertices, by a pilot sample.

    Parameters
    ----------
    counts, samples : the pilot's.
    error : what is to be reached.
    risk : how probable it may be that any vertex's bounds fail at any look.
    """

    def __init__(self, counts: np.ndarray, samples: int, error: float, risk: float) -> None:
        seen, where, how_many = np.unique(counts, return_inverse=True, return_counts=True)
        each = needed((seen + 1.0) / (samples + 2.0), error)
        budget = (1 - EVENLY) * risk
        low, high = 0.0, 1.0
        while (how_many * np.exp(-high * each)).sum() > budget * planned_share(1) / 2:
            low, high = high, high * 2
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            enough = (how_many * np.exp(-middle * each)).sum() <= budget * planned_share(1) / 2
            low, high = (low, middle) if enough else (middle, high)
        self.first_look = int(np.ceil(high))
        risks = 2 * np.exp(-high * each) / planned_share(1) + EVENLY * risk / counts.size
        self._certainty = np.log(2 / risks)[where.reshape(-1)]

    def look(self, number: int) -> int:
        """After how many samples planned look 1, 2, ... comes."""
        return int(np.ceil(self.first_look * GROWTH ** (number - 1)))

    def certainty(self, share: float) -> np.ndarray:
        """L of every vertex for a look with this share of the risk."""
        return self._certainty - np.log(share)


def reached(counts: np.ndarray, samples: int, certainty: np.ndarray, error: float) -> bool:
    """Whether every vertex's true share is within `error` of the sampled one."""
    return bool((samples * needed(counts / samples, error) >= certainty).all())


def error_of(counts: np.ndarray, samples: int, certainty: np.ndarray) -> float:
    """The largest distance of a bound from its vertex's sampled share."""
    low, high = interval(counts, samples, certainty)
    return float(max((high - counts / samples).max(), (counts / samples - low).max()))


def interval(counts: np.ndarray, samples: int, certainty: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The least and the largest share that each vertex may truly have; most vertices are like many others."""
    kinds = np.unique(certainty, return_inverse=True)[1].reshape(-1) * (samples + 1) + counts
    _, some, back = np.unique(kinds, return_index=True, return_inverse=True)
    q, certainty, back = counts[some] / samples, certainty[some], back.reshape(-1)
    low, high = (_furthest(q, np.full_like(q, end), samples, certainty) for end in (0.0, 1.0))
    return low[back], high[back]


def _furthest(q: np.ndarray, end: np.ndarray, samples: int, certainty: np.ndarray) -> np.ndarray:
    """The last p on the way from q to `end` that the samples do not exclude, or one just beyond it."""
    near, far = q.copy(), end
    for _ in range(_HALVINGS):
        middle = (near + far) / 2
        excluded = samples * relative_entropy(q, middle) >= certainty
        near, far = np.where(excluded, near, middle), np.where(excluded, middle, far)
    return far


def separated(counts: np.ndarray, samples: int, certainty: np.ndarray, top: np.ndarray) -> bool:
    """Whether the vertices `top` surely have larger shares than all others: some share lies between their bounds."""
    inside = np.zeros(counts.size, bool)
    inside[top] = True
    if inside.all():
        return True
    least, largest = counts[inside].min(), counts[~inside].max()
    between = (least + largest) / (2 * samples)
    apart = samples * relative_entropy(counts / samples, np.full(counts.size, between)) >= certainty
    return bool(least > largest and apart.all())
