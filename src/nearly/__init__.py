"""nearly: graph analytics, exact and approximate, that says how nearly right each answer is.

Names are loaded on first use, so that `import nearly` stays fast and compiles nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what the lazy names below stand for, spelled out for editors and type checkers
    from nearly import accuracy as accuracy
    from nearly import engine as engine
    from nearly import mesh as mesh
    from nearly import model as model
    from nearly.algorithms.betweenness import betweenness as betweenness
    from nearly.algorithms.bfs import bfs as bfs
    from nearly.algorithms.clustering_coefficient import clustering_coefficient as clustering_coefficient
    from nearly.algorithms.coloring import coloring as coloring
    from nearly.algorithms.connected_components import connected_components as connected_components
    from nearly.algorithms.kcore import kcore as kcore
    from nearly.algorithms.label_propagation import label_propagation as label_propagation
    from nearly.algorithms.louvain import louvain as louvain
    from nearly.algorithms.maximal_independent_set import maximal_independent_set as maximal_independent_set
    from nearly.algorithms.mst import mst as mst
    from nearly.algorithms.pagerank import pagerank as pagerank
    from nearly.algorithms.scc import scc as scc
    from nearly.algorithms.sssp import sssp as sssp
    from nearly.algorithms.topk_betweenness import topk_betweenness as topk_betweenness
    from nearly.algorithms.triangle_count import triangle_count as triangle_count
    from nearly.base.errors import DeviceUnavailableError as DeviceUnavailableError
    from nearly.base.errors import FileAccessError as FileAccessError
    from nearly.base.errors import GraphFormatError as GraphFormatError
    from nearly.base.errors import InvalidArgumentError as InvalidArgumentError
    from nearly.base.errors import InvalidGraphError as InvalidGraphError
    from nearly.base.errors import MemoryBudgetError as MemoryBudgetError
    from nearly.base.errors import MissingDependencyError as MissingDependencyError
    from nearly.base.errors import NearlyError as NearlyError
    from nearly.base.threads import get_threads as get_threads
    from nearly.base.threads import set_threads as set_threads
    from nearly.engine.transform.disk_cache import set_cache as set_cache
    from nearly.experiments.compare import compare as compare
    from nearly.experiments.sweep import sweep as sweep
    from nearly.graph import generate as generate
    from nearly.graph.csr import Graph as Graph
    from nearly.graph.read import read as read
    from nearly.graph.write import write as write
    from nearly.techniques.cluster_locality import ClusterLocality as ClusterLocality
    from nearly.techniques.coalesce import Coalesce as Coalesce
    from nearly.techniques.early_termination import EarlyTermination as EarlyTermination
    from nearly.techniques.extrapolate import Extrapolate as Extrapolate
    from nearly.techniques.freeze_edges import FreezeEdges as FreezeEdges
    from nearly.techniques.incomplete_coloring import IncompleteColoring as IncompleteColoring
    from nearly.techniques.merge_similar import MergeSimilar as MergeSimilar
    from nearly.techniques.normalize_degrees import NormalizeDegrees as NormalizeDegrees
    from nearly.techniques.partial_edges import PartialEdges as PartialEdges
    from nearly.techniques.reduced_execution import ReducedExecution as ReducedExecution
    from nearly.techniques.round_weights import RoundWeights as RoundWeights
    from nearly.techniques.split_nodes import SplitNodes as SplitNodes
    from nearly.techniques.threshold_scaling import ThresholdScaling as ThresholdScaling

__version__ = "0.1.0"

_HOMES = {
    "nearly.base.errors": (
        "NearlyError",
        "GraphFormatError",
        "InvalidGraphError",
        "InvalidArgumentError",
        "MemoryBudgetError",
        "FileAccessError",
        "DeviceUnavailableError",
        "MissingDependencyError",
    ),
    "nearly.base.threads": ("set_threads", "get_threads"),
    "nearly.engine.transform.disk_cache": ("set_cache",),
    "nearly.experiments.compare": ("compare",),
    "nearly.experiments.sweep": ("sweep",),
    "nearly.graph.csr": ("Graph",),
    "nearly.graph.read": ("read",),
    "nearly.graph.write": ("write",),
    "nearly.techniques.cluster_locality": ("ClusterLocality",),
    "nearly.techniques.coalesce": ("Coalesce",),
    "nearly.techniques.early_termination": ("EarlyTermination",),
    "nearly.techniques.incomplete_coloring": ("IncompleteColoring",),
    "nearly.techniques.merge_similar": ("MergeSimilar",),
    "nearly.techniques.normalize_degrees": ("NormalizeDegrees",),
    "nearly.techniques.extrapolate": ("Extrapolate",),
    "nearly.techniques.freeze_edges": ("FreezeEdges",),
    "nearly.techniques.partial_edges": ("PartialEdges",),
    "nearly.techniques.reduced_execution": ("ReducedExecution",),
    "nearly.techniques.round_weights": ("RoundWeights",),
    "nearly.techniques.split_nodes": ("SplitNodes",),
    "nearly.techniques.threshold_scaling": ("ThresholdScaling",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_MODULES = {
    "accuracy": "nearly.accuracy",
    "generate": "nearly.graph.generate",
    "engine": "nearly.engine",
    "mesh": "nearly.mesh",
    "model": "nearly.model",
}
_ALGORITHMS = (
    "betweenness",
    "bfs",
    "clustering_coefficient",
    "coloring",
    "connected_components",
    "kcore",
    "label_propagation",
    "louvain",
    "maximal_independent_set",
    "mst",
    "pagerank",
    "scc",
    "sssp",
    "topk_betweenness",
    "triangle_count",
)
_HOME_OF.update({name: f"nearly.algorithms.{name}" for name in _ALGORITHMS})

__all__ = ["__version__", *_HOME_OF, *_MODULES]


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        value = getattr(import_module(_HOME_OF[name]), name)
    elif name in _MODULES:
        value = import_module(_MODULES[name])
    else:
        raise AttributeError(f"module 'nearly' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
