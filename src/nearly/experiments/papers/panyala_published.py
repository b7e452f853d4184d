"""What Panyala et al. printed: the numbers of Tables I to VI, by the names of their Table I.

Figures 2 to 8 are pictures without numbers; of these only what the text says is here.
"""

from __future__ import annotations

from typing import NamedTuple


class Frozen(NamedTuple):
    """A row of Table II."""

    percent: float  # of the edges, frozen at the end
    apart: float  # global ranks, with and without
    rounds: int
    approximate: int  # rounds with freezing


class Printed(NamedTuple):
    """A row of Tables II, III and IV."""

    frozen: Frozen
    norms: tuple[float, float, float]  # L1, L2, Linf over all vertices
    top: tuple[float, float, float]  # over the 2000 of highest rank


RANKS = {
    "enwiki-2013": Printed(Frozen(19.49, 3.3e-05, 17, 17), (3.3e-05, 3.6e-07, 1.4e-07), (5.8e-06, 3.6e-07, 1.4e-07)),
    "indochina-2004": Printed(Frozen(55.27, 2.8e-04, 31, 31), (2.8e-04, 2.1e-06, 8.1e-07), (4.3e-05, 2.0e-06, 8.1e-07)),
    "hollywood-2011": Printed(Frozen(0.16, 0.0, 6, 6), (1.6e-08, 2.4e-10, 4.5e-11), (2.7e-10, 7.2e-11, 4.5e-11)),
    "uk-2002": Printed(Frozen(66.41, 7.3e-04, 26, 26), (7.3e-04, 1.4e-06, 3.4e-07), (3.2e-05, 1.1e-06, 3.4e-07)),
    "eu-2015-host": Printed(Frozen(27.93, 3.1e-04, 36, 36), (3.1e-04, 1.4e-06, 6.0e-07), (2.8e-05, 1.4e-06, 6.0e-07)),
    "arabic-2005": Printed(Frozen(80.88, 8.0e-04, 38, 38), (8.0e-04, 3.0e-06, 1.2e-06), (6.9e-05, 2.6e-06, 1.2e-06)),
    "webbase-2001": Printed(Frozen(69.75, 2.4e-03, 21, 21), (2.4e-03, 2.5e-06, 9.4e-07), (4.4e-05, 2.3e-06, 9.4e-07)),
    "it-2004": Printed(Frozen(72.07, 1.3e-03, 31, 31), (1.3e-03, 2.8e-06, 4.2e-07), (7.2e-05, 2.3e-06, 4.2e-07)),
    "twitter-2010": Printed(Frozen(24.35, 4.0e-05, 11, 11), (4.6e-05, 6.4e-08, 3.9e-08), (4.0e-07, 6.0e-08, 3.9e-08)),
    "sk-2005": Printed(Frozen(77.84, 1.2e-03, 28, 25), (1.2e-03, 1.2e-05, 7.6e-06), (2.3e-04, 1.2e-05, 7.6e-06)),
    "uk-2007-05": Printed(Frozen(76.97, 2.2e-03, 29, 29), (2.2e-03, 5.2e-06, 9.7e-07), (1.3e-04, 4.2e-06, 9.7e-07)),
    "gsh-2015": Printed(Frozen(98.24, 1.1e-02, 40, 41), (1.1e-02, 7.4e-05, 4.3e-05), (6.0e-04, 7.4e-05, 4.3e-05)),
    "clueweb12": Printed(Frozen(79.94, 9.5e-03, 25, 26), (1.0e-02, 5.2e-05, 3.3e-05), (7.5e-04, 5.2e-05, 3.3e-05)),
}
# Table V: modularity, iterations, phases of the baseline, early termination and four colours
COMMUNITIES = {
    "arabic-2005": ((0.989, 35, 5), (0.990, 68, 20), (0.990, 16, 6)),
    "enwiki-2013": ((0.671, 58, 5), (0.643, 49, 6), (0.633, 19, 5)),
    "eu-2015-host": ((0.828, 46, 5), (0.826, 33, 5), (0.828, 16, 5)),
    "hollywood-2011": ((0.752, 77, 5), (0.735, 37, 7), (0.745, 18, 5)),
    "indochina-2004": ((0.929, 37, 6), (0.930, 128, 28), (0.930, 17, 6)),
    "it-2004": ((0.973, 48, 7), (0.973, 44, 7), (0.975, 21, 6)),
    "sk-2005": ((0.971, 24, 4), (0.967, 46, 12), (0.967, 12, 4)),
    "twitter-2010": ((0.478, 31, 6), (0.470, 22, 7), (0.444, 32, 5)),
    "uk-2002": ((0.991, 126, 35), (0.990, 66, 15), (0.991, 17, 6)),
    "uk-2007-05": ((0.996, 43, 6), (0.996, 81, 24), (0.994, 21, 6)),
    "webbase-2001": ((0.983, 161, 41), (0.983, 114, 34), (0.984, 18, 7)),
}
# Table VI: percent of the vertices that 4, 8, 16 and 32 colours reach
COLORED = {
    "arabic-2005": (30.65, 36.05, 44.61, 56.17),
    "enwiki-2013": (25.75, 29.57, 32.72, 35.03),
    "eu-2015-host": (51.71, 56.87, 61.09, 64.23),
    "hollywood-2011": (26.72, 33.09, 38.35, 41.62),
    "indochina-2004": (37.76, 44.77, 54.38, 66.05),
    "it-2004": (33.85, 40.02, 48.74, 59.53),
    "sk-2005": (24.79, 28.45, 33.36, 40.13),
    "twitter-2010": (34.89, 37.58, 39.42, 39.88),
    "uk-2002": (38.42, 46.68, 59.08, 73.23),
    "uk-2007-05": (34.75, 38.63, 45.03, 54.34),
    "webbase-2001": (53.63, 65.42, 78.18, 88.12),
}
FASTER = {"twitter-2010": 17, "sk-2005": 450}  # by colouring, at most: what the text says of Figure 8
# the graph of the paper that each stand-in is compared with, by what it shares with it
STANDS_FOR = {
    "web-like": "uk-2002",
    "social-like": "twitter-2010",
    "collaboration-like": "hollywood-2011",
    "planted web-like": "sk-2005",
}


def printed_as(name: str) -> str:
    """The name in the paper's tables of a stand-in or of a given graph, which may be its own."""
    return STANDS_FOR.get(name, name)
