"""`light`: a kernel that counts no references, for the small functions that are called millions of times.

Every array handed to a compiled function is counted up and down, atomically, unless the compiler sees that it cancels;
in a function of a few nanoseconds that is most of the time. A light kernel cannot make arrays.
"""

from __future__ import annotations

from functools import partial

from nearly.base.jit import kernel

light = partial(kernel, _nrt=False)
