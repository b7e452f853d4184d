"""What a function wishes of the compiler: calls that leave nothing in the code but say how it is compiled.

- `as_written`, in a kernel: no product and sum are fused into one instruction. A fused multiply-add rounds once where
  the CPU rounds twice; so whether a point lies on a line, or where a new one is put, would differ. numba-cuda has no
  option for it, but NVVM has, and the library a kernel is compiled into holds those.
- `apart` of `nearly.base.intrinsics`: the function is not inlined.
"""

from __future__ import annotations

from typing import Any

from nearly.base.atomics_cuda import SIMULATED
from nearly.base.intrinsics import apart, keep_apart

if SIMULATED:

    def as_written() -> None:
        """Python does not fuse anything."""

else:
    from numba.cuda import types
    from numba.cuda.extending import intrinsic, overload

    @intrinsic
    def as_written(typingctx: Any) -> Any:
        """No fused multiply-adds in this kernel and all it calls."""

        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            context.active_code_library._nvvm_options["fma"] = False
            return context.get_dummy_value()

        return types.void(), codegen

    @intrinsic
    def _apart(typingctx: Any) -> Any:
        return types.void(), keep_apart

    overload(apart, inline="always")(lambda: lambda: _apart())
