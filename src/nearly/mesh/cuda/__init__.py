"""Refinement on a GPU: the twins of `nearly.mesh.arrays` and `nearly.mesh.device_calls`, and the kernels they launch.

What a candidate does is compiled from the same functions as on the CPU (`nearly.mesh.candidate`).
"""
