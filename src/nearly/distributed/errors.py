"""What can go wrong between parts; the client turns these into a new start or an error for people."""

from __future__ import annotations

from nearly.base.errors import NearlyError


class ClusterError(NearlyError, RuntimeError):
    """The cluster cannot do the work: no workers, or workers that were lost too often."""


class PartLost(OSError):
    """A worker that holds a part of the graph does not answer."""


class RunCancelled(RuntimeError):
    """A run was ended by the client, or because another part of it failed."""
