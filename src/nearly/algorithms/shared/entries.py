"""Ways into a kernel that it can do without, for kernels that take many arrays.

numba gives every kernel two ways in besides that for other kernels: one for Python, which unpacks all arrays from
Python's objects, and one for C. Each is code of its own; together they take as long to compile as a small kernel.

`INNER` are the options of a kernel that only kernels call, `OUTER` those of one that Python calls too.
"""

from __future__ import annotations

OUTER = {"no_cfunc_wrapper": True}
INNER = {"no_cfunc_wrapper": True, "no_cpython_wrapper": True}
