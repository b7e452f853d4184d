"""What Graffix (Singh and Nasre, ICPP 2020) reports, to stand beside our measurements.

The numbers are kept as the paper prints them, a line a row of its tables, and are read once when this file is imported.
"""

from __future__ import annotations

TECHNIQUES = {
    "coalesce": "memory coalescing",
    "cluster-locality": "shared memory",
    "normalize-degrees": "thread divergence",
}
SWEEPS = {"coalesce": "threshold", "cluster-locality": "threshold", "normalize-degrees": "similarity"}
VALUES = (0.2, 0.4, 0.6, 0.8)
FIGURES = {
    "coalesce": "the threshold for replication",
    "cluster-locality": "the threshold on the clustering coefficient",
    "normalize-degrees": "the threshold for filling degrees",
}
GRAPHS = ("rmat26", "random26", "LiveJournal", "USA-road", "twitter")

Cells = dict[str, tuple[float, float]]  # by graph: a pair of numbers

# Tables 6-14. A line: the table's number, policy, technique, algorithm;
# then for each of GRAPHS the speedup and the inaccuracy in percent.
_EFFECTS = """
 6 topology coalesce          sssp        1.22 12   1.13 10   1.18 11   1.15  9   1.17 12
 6 topology coalesce          mst         1.18 13   1.13 15   1.14 12   1.23 11   1.17 13
 6 topology coalesce          scc         1.14  8   1.08 14   1.13  7   1.16 11   1.15 12
 6 topology coalesce          pagerank    1.20  5   1.15  7   1.21  7   1.19  6   1.22  7
 6 topology coalesce          betweenness 1.17  9   1.12 13   1.15 10   1.19 12   1.14 11
 7 topology cluster-locality  sssp        1.26 12   1.08 17   1.22 13   1.30 13   1.18 12
 7 topology cluster-locality  mst         1.22 16   1.10 18   1.18 16   1.20 19   1.16 15
 7 topology cluster-locality  scc         1.20 12   1.10 16   1.22 13   1.20 12   1.18 13
 7 topology cluster-locality  pagerank    1.32  7   1.16 11   1.26  7   1.30  5   1.22  9
 7 topology cluster-locality  betweenness 1.24 14   1.13 18   1.21 16   1.26 15   1.17 13
 8 topology normalize-degrees sssp        1.06  8   1.03  9   1.07  8   1.12  7   1.09  6
 8 topology normalize-degrees mst         1.05 10   1.02 11   1.07  8   1.09 10   1.05  9
 8 topology normalize-degrees scc         1.04  9   1.00  7   1.04  6   1.05  9   1.06  8
 8 topology normalize-degrees pagerank    1.10  4   1.04  9   1.08  5   1.06  8   1.09  8
 8 topology normalize-degrees betweenness 1.11 11   1.05 14   1.09  9   1.12  7   1.06 12
 9 split    coalesce          sssp        1.16 12   1.06 10   1.13 11   1.08  9   1.12 12
 9 split    coalesce          pagerank    1.14  5   1.08  7   1.15  7   1.12  6   1.15  7
 9 split    coalesce          betweenness 1.09  9   1.05 13   1.07 10   1.11 12   1.06 11
10 split    cluster-locality  sssp        1.24 12   1.07 17   1.20 13   1.26 13   1.15 12
10 split    cluster-locality  pagerank    1.30  7   1.14 11   1.26  7   1.28  5   1.22  9
10 split    cluster-locality  betweenness 1.19 14   1.11 18   1.17 16   1.23 15   1.16 13
11 split    normalize-degrees sssp        1.02  8   1.01  9   1.02  8   1.04  7   1.03  6
11 split    normalize-degrees pagerank    1.06  4   1.02  9   1.04  5   1.03  8   1.05  8
11 split    normalize-degrees betweenness 1.04 11   1.01 14   1.02  9   1.05  7   1.03 12
12 frontier coalesce          sssp        1.20 12   1.10 10   1.17 11   1.12  9   1.16 12
12 frontier coalesce          pagerank    1.17  5   1.13  7   1.19  7   1.18  6   1.20  7
12 frontier coalesce          betweenness 1.11  9   1.07 13   1.09 10   1.16 12   1.09 11
13 frontier cluster-locality  sssp        1.22 12   1.06 17   1.23 13   1.28 13   1.16 12
13 frontier cluster-locality  pagerank    1.27  7   1.12 11   1.19  7   1.25  5   1.17  9
13 frontier cluster-locality  betweenness 1.21 14   1.13 18   1.19 16   1.24 15   1.14 13
14 frontier normalize-degrees sssp        1.07  7   1.03  8   1.06  7   1.08  7   1.05  6
14 frontier normalize-degrees pagerank    1.09  5   1.03  6   1.10  5   1.07  8   1.08  8
14 frontier normalize-degrees betweenness 1.06 11   1.04 13   1.08 10   1.10  6   1.07 12
"""

# Table 5. A line: the technique; then for each of GRAPHS seconds of preprocessing and extra space in percent.
_PREPROCESSING = """
coalesce             76  9    59 11     8  6   304  8     463  7
cluster-locality    155  5   107  8    21  5   348  4     532  7
normalize-degrees    42  2    46  3     5  2    38  1.5   157  4
"""


# Tables 2-4, exact times. A line: the table's number, policy, algorithm; then for each of GRAPHS seconds.
_EXACT = """
2 topology sssp        37     29     2     152    231
2 topology mst         8996   10087  3424  82     10943
2 topology scc         21     23     7     12     37
2 topology pagerank    12     16     1     1      18
2 topology betweenness 15223  13127  1711  2043   21462
3 split    sssp        6      4      0.046 12     17
3 split    pagerank    0.914  1.180  0.452 0.130  3.000
3 split    betweenness 587    498    66    38     827
4 frontier sssp        19     8      0.142 25.139 53
4 frontier pagerank    1.070  1.500  0.530 0.181  4.000
4 frontier betweenness 872    740    98    56     1227
"""
GRAPROX = 20  # "close to 20%": the mean inaccuracy of Graprox, of which Graffix' is said to be half


def _cells(numbers: list[str]) -> Cells:
    """The numbers of a line, two for each graph."""
    pairs = zip(numbers[0::2], numbers[1::2], strict=True)
    return {graph: (_number(one), _number(other)) for graph, (one, other) in zip(GRAPHS, pairs, strict=True)}


def _number(text: str) -> float:
    """A number that is shown again as it was printed: whole if it was."""
    return int(text) if text.isdigit() else float(text)


def _effects() -> dict[str, dict[str, dict[str, Cells]]]:
    """Cells by policy, technique and algorithm."""
    tables: dict[str, dict[str, dict[str, Cells]]] = {}
    for line in _EFFECTS.strip().splitlines():
        _, policy, technique, algorithm, *numbers = line.split()
        tables.setdefault(policy, {}).setdefault(technique, {})[algorithm] = _cells(numbers)
    return tables


def _exact() -> dict[str, dict[str, dict[str, float]]]:
    """Seconds by policy, algorithm and graph."""
    tables: dict[str, dict[str, dict[str, float]]] = {}
    for _, policy, algorithm, *numbers in map(str.split, _EXACT.strip().splitlines()):
        tables.setdefault(policy, {})[algorithm] = dict(zip(GRAPHS, map(_number, numbers), strict=True))
    return tables


TABLES = _effects()
EXACT_TIMES = _exact()
PREPROCESSING = {
    technique: _cells(numbers) for technique, *numbers in map(str.split, _PREPROCESSING.strip().splitlines())
}
