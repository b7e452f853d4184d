"""The engine: data-parallel primitives, operators on frontiers, policies, and the one loop that runs rounds.

primitives  scan, load-balanced search, segmented reduction, compaction, transform
kernels     the operators' compiled loops, bound to functors
operators   the operators as functions on graphs and frontiers
advance     one functor, round after round, under a policy
enact       the loop over rounds; `Run` is what one call carries along
algorithm   the decorator that makes a function a public, registered algorithm
result      what comes back, and certificates
"""
