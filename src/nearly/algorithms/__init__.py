"""The algorithms, one file each; every file registers itself with `nearly.engine.algorithm.algorithm`."""
