"""The figures of Graffix (Singh and Nasre, ICPP 2020) that stand beside ours: (speedup, inaccuracy in percent)."""

from __future__ import annotations

TECHNIQUES = {
    "coalesce": "memory coalescing",
    "cluster-locality": "shared memory",
    "normalize-degrees": "thread divergence",
}
SWEEPS = {"coalesce": "threshold", "cluster-locality": "threshold", "normalize-degrees": "similarity"}
VALUES = (0.2, 0.4, 0.6, 0.8)

Cells = dict[str, dict[str, tuple[float, int]]]

TABLES: dict[str, dict[str, Cells]] = {
    "topology": {
        "coalesce": {  # Table 6
            "sssp": {
                "rmat": (1.22, 12),
                "random": (1.13, 10),
                "livejournal": (1.18, 11),
                "road": (1.15, 9),
                "twitter": (1.17, 12),
            },
            "mst": {
                "rmat": (1.18, 13),
                "random": (1.13, 15),
                "livejournal": (1.14, 12),
                "road": (1.23, 11),
                "twitter": (1.17, 13),
            },
            "scc": {
                "rmat": (1.14, 8),
                "random": (1.08, 14),
                "livejournal": (1.13, 7),
                "road": (1.16, 11),
                "twitter": (1.15, 12),
            },
            "pagerank": {
                "rmat": (1.20, 5),
                "random": (1.15, 7),
                "livejournal": (1.21, 7),
                "road": (1.19, 6),
                "twitter": (1.22, 7),
            },
            "betweenness": {
                "rmat": (1.17, 9),
                "random": (1.12, 13),
                "livejournal": (1.15, 10),
                "road": (1.19, 12),
                "twitter": (1.14, 11),
            },
        },
        "cluster-locality": {  # Table 7
            "sssp": {
                "rmat": (1.26, 12),
                "random": (1.08, 17),
                "livejournal": (1.22, 13),
                "road": (1.30, 13),
                "twitter": (1.18, 12),
            },
            "mst": {
                "rmat": (1.22, 16),
                "random": (1.10, 18),
                "livejournal": (1.18, 16),
                "road": (1.20, 19),
                "twitter": (1.16, 15),
            },
            "scc": {
                "rmat": (1.20, 12),
                "random": (1.10, 16),
                "livejournal": (1.22, 13),
                "road": (1.20, 12),
                "twitter": (1.18, 13),
            },
            "pagerank": {
                "rmat": (1.32, 7),
                "random": (1.16, 11),
                "livejournal": (1.26, 7),
                "road": (1.30, 5),
                "twitter": (1.22, 9),
            },
            "betweenness": {
                "rmat": (1.24, 14),
                "random": (1.13, 18),
                "livejournal": (1.21, 16),
                "road": (1.26, 15),
                "twitter": (1.17, 13),
            },
        },
        "normalize-degrees": {  # Table 8
            "sssp": {
                "rmat": (1.06, 8),
                "random": (1.03, 9),
                "livejournal": (1.07, 8),
                "road": (1.12, 7),
                "twitter": (1.09, 6),
            },
            "mst": {
                "rmat": (1.05, 10),
                "random": (1.02, 11),
                "livejournal": (1.07, 8),
                "road": (1.09, 10),
                "twitter": (1.05, 9),
            },
            "scc": {
                "rmat": (1.04, 9),
                "random": (1.00, 7),
                "livejournal": (1.04, 6),
                "road": (1.05, 9),
                "twitter": (1.06, 8),
            },
            "pagerank": {
                "rmat": (1.10, 4),
                "random": (1.04, 9),
                "livejournal": (1.08, 5),
                "road": (1.06, 8),
                "twitter": (1.09, 8),
            },
            "betweenness": {
                "rmat": (1.11, 11),
                "random": (1.05, 14),
                "livejournal": (1.09, 9),
                "road": (1.12, 7),
                "twitter": (1.06, 12),
            },
        },
    },
    "split": {
        "coalesce": {  # Table 9
            "sssp": {
                "rmat": (1.16, 12),
                "random": (1.06, 10),
                "livejournal": (1.13, 11),
                "road": (1.08, 9),
                "twitter": (1.12, 12),
            },
            "pagerank": {
                "rmat": (1.14, 5),
                "random": (1.08, 7),
                "livejournal": (1.15, 7),
                "road": (1.12, 6),
                "twitter": (1.15, 7),
            },
            "betweenness": {
                "rmat": (1.09, 9),
                "random": (1.05, 13),
                "livejournal": (1.07, 10),
                "road": (1.11, 12),
                "twitter": (1.06, 11),
            },
        },
        "cluster-locality": {  # Table 10
            "sssp": {
                "rmat": (1.24, 12),
                "random": (1.07, 17),
                "livejournal": (1.20, 13),
                "road": (1.26, 13),
                "twitter": (1.15, 12),
            },
            "pagerank": {
                "rmat": (1.30, 7),
                "random": (1.14, 11),
                "livejournal": (1.26, 7),
                "road": (1.28, 5),
                "twitter": (1.22, 9),
            },
            "betweenness": {
                "rmat": (1.19, 14),
                "random": (1.11, 18),
                "livejournal": (1.17, 16),
                "road": (1.23, 15),
                "twitter": (1.16, 13),
            },
        },
        "normalize-degrees": {  # Table 11
            "sssp": {
                "rmat": (1.02, 8),
                "random": (1.01, 9),
                "livejournal": (1.02, 8),
                "road": (1.04, 7),
                "twitter": (1.03, 6),
            },
            "pagerank": {
                "rmat": (1.06, 4),
                "random": (1.02, 9),
                "livejournal": (1.04, 5),
                "road": (1.03, 8),
                "twitter": (1.05, 8),
            },
            "betweenness": {
                "rmat": (1.04, 11),
                "random": (1.01, 14),
                "livejournal": (1.02, 9),
                "road": (1.05, 7),
                "twitter": (1.03, 12),
            },
        },
    },
    "frontier": {
        "coalesce": {  # Table 12
            "sssp": {
                "rmat": (1.20, 12),
                "random": (1.10, 10),
                "livejournal": (1.17, 11),
                "road": (1.12, 9),
                "twitter": (1.16, 12),
            },
            "pagerank": {
                "rmat": (1.17, 5),
                "random": (1.13, 7),
                "livejournal": (1.19, 7),
                "road": (1.18, 6),
                "twitter": (1.20, 7),
            },
            "betweenness": {
                "rmat": (1.11, 9),
                "random": (1.07, 13),
                "livejournal": (1.09, 10),
                "road": (1.16, 12),
                "twitter": (1.09, 11),
            },
        },
        "cluster-locality": {  # Table 13
            "sssp": {
                "rmat": (1.22, 12),
                "random": (1.06, 17),
                "livejournal": (1.23, 13),
                "road": (1.28, 13),
                "twitter": (1.16, 12),
            },
            "pagerank": {
                "rmat": (1.27, 7),
                "random": (1.12, 11),
                "livejournal": (1.19, 7),
                "road": (1.25, 5),
                "twitter": (1.17, 9),
            },
            "betweenness": {
                "rmat": (1.21, 14),
                "random": (1.13, 18),
                "livejournal": (1.19, 16),
                "road": (1.24, 15),
                "twitter": (1.14, 13),
            },
        },
        "normalize-degrees": {  # Table 14
            "sssp": {
                "rmat": (1.07, 7),
                "random": (1.03, 8),
                "livejournal": (1.06, 7),
                "road": (1.08, 7),
                "twitter": (1.05, 6),
            },
            "pagerank": {
                "rmat": (1.09, 5),
                "random": (1.03, 6),
                "livejournal": (1.10, 5),
                "road": (1.07, 8),
                "twitter": (1.08, 8),
            },
            "betweenness": {
                "rmat": (1.06, 11),
                "random": (1.04, 13),
                "livejournal": (1.08, 10),
                "road": (1.10, 6),
                "twitter": (1.07, 12),
            },
        },
    },
}
# Table 5: (seconds, extra space in percent); its rows are fifteen, five graphs a technique
PREPROCESSING: dict[str, dict[str, tuple[float, float]]] = {
    "coalesce": {
        "rmat": (76, 9),
        "random": (59, 11),
        "livejournal": (8, 6),
        "road": (304, 8),
        "twitter": (463, 7),
    },
    "cluster-locality": {
        "rmat": (155, 5),
        "random": (107, 8),
        "livejournal": (21, 5),
        "road": (348, 4),
        "twitter": (532, 7),
    },
    "normalize-degrees": {
        "rmat": (42, 2),
        "random": (46, 3),
        "livejournal": (5, 2),
        "road": (38, 1.5),
        "twitter": (157, 4),
    },
}
FIGURES = {
    "coalesce": "the threshold for replication",
    "cluster-locality": "the threshold on the clustering coefficient",
    "normalize-degrees": "the threshold for filling degrees",
}
