"""Refinement on a GPU: twins of `nearly.mesh.device_arrays` and `nearly.mesh.device_calls`, and kernels they launch.

What a candidate does is compiled from the same functions as on the CPU (`nearly.mesh.candidate`).
"""
