"""Where a run happens: `device="cpu"`, or `device="cuda"` for an NVIDIA GPU or numba's simulator of one.

A function with `@by_device(module)` has a twin of its name in that module, which runs in its place where the run's
device is "cuda". So host loops that differ are written twice, and everything around them, the functors
above all, once. Nothing of CUDA is imported before a run asks for it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar

from nearly.base.errors import DeviceUnavailableError

DEVICES = ("cpu", "cuda")
F = TypeVar("F", bound=Callable[..., Any])


def by_device(module: str) -> Callable[[F], F]:
    """Let the twin of `function(run, ...)` in `module` stand in on a GPU."""

    def decorate(function: F) -> F:
        @wraps(function)
        def chosen(run: Any, *arguments: Any, **keywords: Any) -> Any:
            if run.device == "cpu":
                return function(run, *arguments, **keywords)
            return getattr(import_module(module), function.__name__)(run, *arguments, **keywords)

        return chosen  # type: ignore[return-value]

    return decorate


def check_device(device: Any, algorithm: str, devices: tuple[str, ...]) -> None:
    """Raise if the device does not exist, has no form of the algorithm, or is not on this machine."""
    if device not in DEVICES:
        raise DeviceUnavailableError(f"device must be 'cpu' or 'cuda', not {device!r}")
    if device not in devices:
        raise DeviceUnavailableError(f"{algorithm} has no form for device {device!r}; use device='cpu'")
    if device == "cuda":
        _check_cuda()


def _check_cuda() -> None:
    if find_spec("numba_cuda") is None:
        raise DeviceUnavailableError("device 'cuda' needs numba-cuda: pip install 'nearly[cuda]'")
    import numba
    from numba import cuda

    if not (numba.config.ENABLE_CUDASIM or cuda.is_available()):
        raise DeviceUnavailableError(
            "device 'cuda' needs an NVIDIA GPU with its driver, and none was found; install the driver, use "
            "device='cpu', or set NUMBA_ENABLE_CUDASIM=1 to try small graphs in numba's simulator"
        )
