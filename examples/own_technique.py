"""Your own technique in a few lines: leave out the heaviest arcs.

The technique says what it does (`effects`); to which algorithms it applies, and with which guarantee, follows from
their traits: shortest paths without some arcs are upper bounds, and so on.
"""

import numpy as np

import nearly
from nearly.extend import REMOVES_ARCS, GraphMap, Knob, Task, Technique, graph_of_arcs, technique


@technique("drop-heaviest", reference="an example")
class DropHeaviest(Technique):
    """Leave out the heaviest arcs of the graph."""

    share = Knob(0.1, "the share of the arcs that goes", exact=0.0, low=0, high=1, below=True)
    effects = (REMOVES_ARCS,)

    def transform(self, graph: nearly.Graph, task: Task) -> GraphMap | None:
        """The lighter arcs; both arcs of an undirected edge weigh the same, so that they stay or go together."""
        if not (task.weighted and graph.weighted):
            return None  # all arcs weigh the same
        limit = np.quantile(graph.weights, 1 - self.share)
        return graph_of_arcs(graph, np.flatnonzero(graph.weights <= limit))


if __name__ == "__main__":
    graph = nearly.generate.rmat(14, 8, seed=1, weights="int")
    source = int(graph.out_degrees.argmax())
    exact = nearly.sssp(graph, source)
    nearby = nearly.sssp(graph, source, approx=DropHeaviest(share=0.3))
    print(nearby.guarantee, nearby.certificate().claim)
    print(f"inaccuracy {nearly.accuracy.inaccuracy(exact, nearby, graph):.2%}")
    print("it applies to:", ", ".join(f"{name} ({word})" for name, word in DropHeaviest.guarantees.items()))
