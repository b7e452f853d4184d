"""The engine's operators on an NVIDIA GPU: the same names and functors, as launchers of CUDA kernels.

Only a run with `device="cuda"` imports this package, and with it numba-cuda.
"""
