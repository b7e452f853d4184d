"""Written by scripts/make_stub.py: the public names, spelled out for editors and type checkers."""

import os
from typing import Any, Literal

from nearly.base.progress import Progress
from nearly.engine.technique import Technique
from nearly import accuracy as accuracy
from nearly import engine as engine
from nearly import extend as extend
from nearly import mesh as mesh
from nearly import model as model
from nearly.algorithms.articulation_points import ArticulationResult
from nearly.algorithms.betweenness import BetweennessResult
from nearly.algorithms.bfs import BfsResult
from nearly.algorithms.biconnected_components import BiconnectedResult
from nearly.algorithms.bipartite import BipartiteResult
from nearly.algorithms.bridges import BridgesResult
from nearly.algorithms.center import CenterResult
from nearly.algorithms.closeness import ClosenessResult
from nearly.algorithms.clustering_coefficient import ClusteringResult
from nearly.algorithms.coloring import ColoringResult
from nearly.algorithms.connected_components import ComponentsResult
from nearly.algorithms.connected_components import largest_component as largest_component
from nearly.algorithms.core_decomposition import CoreDecompositionResult
from nearly.algorithms.core_decomposition import degeneracy as degeneracy
from nearly.algorithms.densest_subgraph import DensestResult
from nearly.algorithms.diameter import DiameterResult
from nearly.algorithms.distance_statistics import DistanceStatisticsResult
from nearly.algorithms.distances import DistancesResult
from nearly.algorithms.distances.index import DistanceIndex as DistanceIndex
from nearly.algorithms.eccentricity import EccentricityResult
from nearly.algorithms.eigenvector import EigenvectorResult
from nearly.algorithms.harmonic import HarmonicResult
from nearly.algorithms.hits import HitsResult
from nearly.algorithms.katz import KatzResult
from nearly.algorithms.kcore import KcoreResult
from nearly.algorithms.ktruss import KtrussResult
from nearly.algorithms.label_propagation import CommunitiesResult
from nearly.algorithms.leiden import LeidenResult
from nearly.algorithms.louvain import LouvainResult
from nearly.algorithms.maximal_independent_set import IndependentSetResult
from nearly.algorithms.mst import MstResult
from nearly.algorithms.pagerank import PagerankResult
from nearly.algorithms.periphery import PeripheryResult
from nearly.algorithms.radius import RadiusResult
from nearly.algorithms.scc import SccResult
from nearly.algorithms.shared.pair_scores import PairScoresResult
from nearly.algorithms.similar import SimilarResult
from nearly.algorithms.sssp import SsspResult
from nearly.algorithms.topk_betweenness.search import TopkResult
from nearly.algorithms.topk_closeness import TopkClosenessResult
from nearly.algorithms.topological_sort import TopologicalResult
from nearly.algorithms.topological_sort import is_dag as is_dag
from nearly.algorithms.triangle_count import TrianglesResult
from nearly.base.errors import DeviceUnavailableError as DeviceUnavailableError
from nearly.base.errors import FileAccessError as FileAccessError
from nearly.base.errors import GraphFormatError as GraphFormatError
from nearly.base.errors import InvalidArgumentError as InvalidArgumentError
from nearly.base.errors import InvalidGraphError as InvalidGraphError
from nearly.base.errors import MemoryBudgetError as MemoryBudgetError
from nearly.base.errors import MissingDependencyError as MissingDependencyError
from nearly.base.errors import NearlyError as NearlyError
from nearly.base.errors import TimeBudgetError as TimeBudgetError
from nearly.base.progress import set_progress as set_progress
from nearly.base.threads import get_threads as get_threads
from nearly.base.threads import set_threads as set_threads
from nearly.budget import plan as plan
from nearly.engine.transform.disk_cache import set_cache as set_cache
from nearly.experiments.compare import compare as compare
from nearly.experiments.sweep import sweep as sweep
from nearly.graph import generate as generate
from nearly.graph.csr import Graph as Graph
from nearly.graph.graph_edits import add_edges as add_edges
from nearly.graph.graph_edits import ego as ego
from nearly.graph.graph_edits import remove_edges as remove_edges
from nearly.graph.graph_edits import remove_self_loops as remove_self_loops
from nearly.graph.graph_edits import subgraph as subgraph
from nearly.graph.io import read as read
from nearly.graph.io import write as write
from nearly.layouts import layout as layout
from nearly.reporting.drawing import draw as draw
from nearly.reporting.report import report as report
from nearly.walks import random_walks as random_walks

__version__: str

def adamic_adar(
    graph: Graph,
    pairs: Any = ...,
    *,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> PairScoresResult: ...
def articulation_points(
    graph: Graph,
    *,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> ArticulationResult: ...
def betweenness(
    graph: Graph,
    *,
    sources: Any = ...,
    normalized: bool = ...,
    endpoints: bool = ...,
    weights: bool = ...,
    edges: bool = ...,
    checkpoint: str | os.PathLike[str] | None = ...,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> BetweennessResult: ...
def bfs(
    graph: Graph,
    source: int | str,
    *,
    idempotent: bool = ...,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> BfsResult: ...
def biconnected_components(
    graph: Graph,
    *,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> BiconnectedResult: ...
def bipartite(
    graph: Graph,
    *,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> BipartiteResult: ...
def bridges(
    graph: Graph,
    *,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> BridgesResult: ...
def center(
    graph: Graph,
    *,
    unconnected: Literal["reachable", "infinite"] = ...,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> CenterResult: ...
def closeness(
    graph: Graph,
    *,
    wf_improved: bool = ...,
    weights: bool = ...,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> ClosenessResult: ...
def clustering_coefficient(
    graph: Graph,
    vertices: Any = ...,
    *,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> ClusteringResult: ...
def coloring(
    graph: Graph,
    *,
    method: str = ...,
    order: str = ...,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> ColoringResult: ...
def common_neighbors(
    graph: Graph,
    pairs: Any = ...,
    *,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> PairScoresResult: ...
def connected_components(
    graph: Graph,
    *,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> ComponentsResult: ...
def core_decomposition(
    graph: Graph,
    *,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> CoreDecompositionResult: ...
def densest_subgraph(
    graph: Graph,
    *,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> DensestResult: ...
def diameter(
    graph: Graph,
    *,
    unconnected: Literal["reachable", "infinite"] = ...,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> DiameterResult: ...
def distance_statistics(
    graph: Graph,
    *,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> DistanceStatisticsResult: ...
def distances(
    graph: Graph,
    pairs: Any = ...,
    *,
    weights: bool = ...,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> DistancesResult: ...
def eccentricity(
    graph: Graph,
    *,
    unconnected: Literal["reachable", "infinite"] = ...,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> EccentricityResult: ...
def eigenvector(
    graph: Graph,
    *,
    tol: float = ...,
    weights: bool = ...,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> EigenvectorResult: ...
def harmonic(
    graph: Graph,
    *,
    normalized: bool = ...,
    weights: bool = ...,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> HarmonicResult: ...
def hits(
    graph: Graph,
    *,
    tol: float = ...,
    weights: bool = ...,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> HitsResult: ...
def jaccard(
    graph: Graph,
    pairs: Any = ...,
    *,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> PairScoresResult: ...
def katz(
    graph: Graph,
    *,
    alpha: float | None = ...,
    beta: Any = ...,
    normalized: bool = ...,
    tol: float = ...,
    weights: bool = ...,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> KatzResult: ...
def kcore(
    graph: Graph,
    *,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> KcoreResult: ...
def ktruss(
    graph: Graph,
    *,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> KtrussResult: ...
def label_propagation(
    graph: Graph,
    *,
    weights: bool = ...,
    explore: int = ...,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> CommunitiesResult: ...
def leiden(
    graph: Graph,
    *,
    resolution: float = ...,
    weights: bool = ...,
    tol: float = ...,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> LeidenResult: ...
def louvain(
    graph: Graph,
    *,
    resolution: float = ...,
    weights: bool = ...,
    tol: float = ...,
    order: str = ...,
    refine: bool = ...,
    turns: str = ...,
    threshold_kind: str = ...,
    community_map: str = ...,
    checkpoint: str | os.PathLike[str] | None = ...,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> LouvainResult: ...
def maximal_independent_set(
    graph: Graph,
    *,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> IndependentSetResult: ...
def mst(
    graph: Graph,
    *,
    weights: bool = ...,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> MstResult: ...
def pagerank(
    graph: Graph,
    *,
    damping: float = ...,
    tol: float = ...,
    norm: str = ...,
    dangling: str = ...,
    personalization: Any = ...,
    weights: bool = ...,
    start: Any = ...,
    method: str = ...,
    top: int | None = ...,
    checkpoint: str | os.PathLike[str] | None = ...,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> PagerankResult: ...
def periphery(
    graph: Graph,
    *,
    unconnected: Literal["reachable", "infinite"] = ...,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> PeripheryResult: ...
def radius(
    graph: Graph,
    *,
    unconnected: Literal["reachable", "infinite"] = ...,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> RadiusResult: ...
def resource_allocation(
    graph: Graph,
    pairs: Any = ...,
    *,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> PairScoresResult: ...
def scc(
    graph: Graph,
    *,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> SccResult: ...
def similar(
    graph: Graph,
    source: int | str,
    k: int = ...,
    *,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> SimilarResult: ...
def sssp(
    graph: Graph,
    source: int | str,
    *,
    weights: bool = ...,
    delta: float | str = ...,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> SsspResult: ...
def topk_betweenness(
    graph: Graph,
    k: int = ...,
    *,
    order: Literal["dynrr", "dyn", "rrr", "random", "ascending", "descending"] = ...,
    stop: float | str | None = ...,
    method: Literal["brandes", "sampling"] = ...,
    error: float = ...,
    weights: bool = ...,
    renumber: bool | Literal["auto"] = ...,
    batch: int | None = ...,
    checkpoint: str | os.PathLike[str] | None = ...,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> TopkResult: ...
def topk_closeness(
    graph: Graph,
    k: int = ...,
    *,
    wf_improved: bool = ...,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> TopkClosenessResult: ...
def topological_sort(
    graph: Graph,
    *,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> TopologicalResult: ...
def triangle_count(
    graph: Graph,
    vertices: Any = ...,
    *,
    approx: Any = ...,
    policy: str = ...,
    device: str = ...,
    threads: int | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    max_rounds: int | None = ...,
    threshold: int | None = ...,
    max_error: float | None = ...,
    max_seconds: float | None = ...,
    confidence: float = ...,
    allow: Literal["certified", "statistical", "estimated", "heuristic"] = ...,
) -> TrianglesResult: ...

class ClusterLocality(Technique):
    def __init__(
        self,
        threshold: Any = ...,
        margin: Any = ...,
        max_added: Any = ...,
        paths: Any = ...,
        max_cluster: Any = ...,
        iterations: Any = ...,
        weight: Any = ...,
    ) -> None: ...

class Coalesce(Technique):
    def __init__(
        self,
        chunk: Any = ...,
        threshold: Any = ...,
        slack: Any = ...,
        replicate: Any = ...,
        confluence: Any = ...,
        every: Any = ...,
    ) -> None: ...

class EarlyTermination(Technique):
    def __init__(self, k: Any = ..., probability: Any = ...) -> None: ...

class Extrapolate(Technique):
    def __init__(self, rate: Any = ...) -> None: ...

class FreezeEdges(Technique):
    def __init__(
        self, c: Any = ..., against: Any = ..., scaled: Any = ..., by: Any = ..., importance: Any = ...
    ) -> None: ...

class IncompleteColoring(Technique):
    def __init__(self, colors: Any = ..., hashes: Any = ...) -> None: ...

class MergeSimilar(Technique):
    def __init__(self, jaccard: Any = ..., hashes: Any = ..., neighbours: Any = ...) -> None: ...

class NormalizeDegrees(Technique):
    def __init__(self, similarity: Any = ..., fill: Any = ..., warp: Any = ..., weight: Any = ...) -> None: ...

class PartialEdges(Technique):
    def __init__(self, keep: Any = ..., select: Any = ..., growth: Any = ..., redraw: Any = ...) -> None: ...

class ReducedExecution(Technique):
    def __init__(self, changed: Any = ..., residual: Any = ..., rounds: Any = ...) -> None: ...

class RoundWeights(Technique):
    def __init__(self, base: Any = ..., levels: Any = ..., round: Any = ...) -> None: ...

class SplitNodes(Technique):
    def __init__(self, mda: Any = ..., update: Any = ...) -> None: ...

class ThresholdScaling(Technique):
    def __init__(self, high: Any = ..., low: Any = ...) -> None: ...
