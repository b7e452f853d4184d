"""Approximation techniques, one file each; every file registers its class with `nearly.engine.technique`."""
