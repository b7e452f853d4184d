"""With which knobs each technique is tested; a new technique gets a line here."""

from __future__ import annotations

SETTINGS = {
    "reduced-execution": ["", ":changed=0.3,residual=0.2", ":rounds=1"],
    "partial-edges": [
        "",
        ":keep=0.3,select=lightest",
        ":keep=0.3,select=heaviest",
        ":keep=0.4,redraw=true,growth=1.2",
        ":keep=0.4,redraw=true",
    ],
    "merge-similar": ["", ":jaccard=0.3,neighbours=all", ":jaccard=0.2"],
    "coalesce": ["", ":chunk=4,slack=1,threshold=0.3,confluence=mean", ":chunk=4,slack=1,threshold=0.3"],
    "split-nodes": [":mda=3", ":mda=4,update=pass"],
    "normalize-degrees": ["", ":similarity=0.6,fill=1,warp=4"],
    "cluster-locality": [":threshold=0.3,margin=0.3,max_added=0.2"],
    "round-weights": ["", ":round=nearest", ":levels=3,round=nearest", ":levels=3", ":base=1.5"],
    "freeze-edges": [
        "",
        ":against=previous,c=1e-10",
        ":against=previous,scaled=false",
        ":by=vertices",
        ":by=vertices,c=1e-10",
    ],
    "extrapolate": ["", ":rate=0.8"],
    "early-termination": ["", ":k=1,probability=0.5"],
    "incomplete-coloring": ["", ":colors=4,hashes=2"],
    "threshold-scaling": [""],
}
