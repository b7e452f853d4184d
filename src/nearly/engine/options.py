"""The keywords that every algorithm takes, their defaults, their types, and what they may be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from nearly.base.arguments import whole_number
from nearly.base.errors import InvalidArgumentError
from nearly.base.progress import Progress
from nearly.base.threads import checked_threads
from nearly.engine.budget import ALLOWED, CONFIDENCE, LEVELS, Budget, checked_budget
from nearly.engine.devices import check_device

if TYPE_CHECKING:
    from nearly.engine.algorithm import Algorithm
    from nearly.engine.run import Run


class Options(NamedTuple):
    """The keywords that every algorithm takes."""

    approx: Any = None
    policy: str = "auto"
    device: str = "cpu"
    threads: int | None = None
    seed: int = 1
    progress: Progress | None = None
    max_rounds: int | None = None
    threshold: int | None = None
    max_error: float | None = None
    max_seconds: float | None = None
    confidence: float = CONFIDENCE
    allow: str = ALLOWED

    def budget(self) -> Budget | None:
        """What the answer may cost, None where nothing was said of it."""
        unlimited = self.max_error is None and self.max_seconds is None
        if unlimited and self.confidence is CONFIDENCE and self.allow is ALLOWED:
            return None
        return checked_budget(self.max_error, self.max_seconds, self.confidence, self.allow)

    def tell(self, run: Run) -> None:
        """Let a run go by these."""
        run.policy, run.device, run.seed, run.progress = self.policy, self.device, self.seed, self.progress
        run.max_rounds, run.threshold, run.confidence = self.max_rounds, self.threshold, self.confidence


DEFAULTS = Options()
TYPES: dict[str, Any] = {
    "approx": Any,
    "policy": str,
    "device": str,
    "threads": int | None,
    "seed": int,
    "progress": Progress | None,
    "max_rounds": int | None,
    "threshold": int | None,
    "max_error": float | None,
    "max_seconds": float | None,
    "confidence": float,
    "allow": Literal[LEVELS],
}


def checked_options(entry: Algorithm, given: dict[str, Any]) -> Options:
    """The common keywords, or an error that says what is allowed."""
    if isinstance(given.get("policy"), str):
        given["policy"] = given["policy"].replace("_", "-")
    if isinstance(given.get("approx"), (list, tuple)) and not given["approx"]:
        given["approx"] = None
    options = Options(**given)
    if options.policy != "auto" and options.policy not in entry.policies:
        listed = ", ".join(entry.policies)
        raise InvalidArgumentError(f"{entry.name} supports the policies auto, {listed}; not {options.policy!r}")
    if options.max_rounds is not None:
        whole_number("max_rounds", options.max_rounds, 1, or_none=True)
    if options.threshold is not None:
        whole_number("threshold", options.threshold, 1, or_none=True)
    if "seed" in given:
        whole_number("seed", options.seed, 0, 2**64 - 1)
    if options.threads is not None:
        checked_threads(options.threads)
    if options.device != "cpu":
        check_device(options.device, entry.name, entry.devices)
    return options
