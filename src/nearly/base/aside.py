"""Long work on a helper thread, so that Ctrl-C comes back at once, whatever the work is doing.

Python sees Ctrl-C between its own instructions only, and only in the main thread. A kernel that sorts for two seconds
or a compilation of half a minute hides it for so long. So the main thread hands such work to a helper and waits, awake
for signals. On Ctrl-C it tells the helper, which hears of it wherever it looks: kernels poll a stop flag
(`stoppable`), and between kernels, rounds and passes of the compiler Python code calls `look`, which raises
`KeyboardInterrupt` there, so that work which can make something of it (`topk_betweenness`) does. If the helper has
not ended within GRACE seconds, it is left behind: the main thread raises, and the helper ends at its next look.
Work that has only so much time (`left`) is ended the same way, with less grace, by `Overdue`.

Callbacks of the work (`on_caller`) run in the main thread, as if nothing had been handed over.
"""

from __future__ import annotations

import atexit
import contextvars
import os
import queue
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from nearly.base.one_at_a_time import mine
from nearly.base.threads import current

GRACE = 0.25  # seconds that work may take to end by itself after Ctrl-C
LATE = 0.02  # and after its time
_TICK = 0.05  # seconds between two looks for signals, which another thread may have been given
_LEAVING = 10.0  # seconds that the end of the process waits for what was left behind
T = TypeVar("T")


class Overdue(Exception):
    """The work has not ended in its time."""


class _Errand:
    """Work that the helper does for the main thread."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work, self.name = work, mine.value
        self.context = contextvars.copy_context()
        self.threads: int | None = None
        self.interrupted = self.left = False
        self.stop: np.ndarray | None = None  # what the kernel that runs now polls
        self.result: Any = None
        self.error: BaseException | None = None
        self.done = threading.Event()
        self.calls: queue.SimpleQueue[Any] = queue.SimpleQueue()  # for the main thread; None: the work is done
        self.replies: queue.SimpleQueue[Any] = queue.SimpleQueue()
        if current.depth and not current.serial:
            import numba

            self.threads = numba.get_num_threads()  # numba counts threads per calling thread

    def run(self) -> None:
        """In the helper: do the work."""
        mine.value, _doing.errand = self.name, self
        try:
            if self.threads is not None:
                import numba

                numba.set_num_threads(self.threads)
            self.result = self.context.run(self.work)
        except BaseException as error:
            self.error = error
        finally:
            _doing.errand = None
            self.done.set()
            self.calls.put(None)

    def wait(self, tick: Callable[[], None], left: Callable[[], float] | None) -> Any:
        """In the main thread: wait for the work, and do what it asks for meanwhile."""
        while True:
            try:
                call = self.calls.get(timeout=_TICK if left is None else min(_TICK, max(left(), 0.0)))
            except queue.Empty:
                tick()
                if left is not None and left() <= 0:
                    raise Overdue from None
                continue
            if call is None:
                return self._outcome()
            try:
                self.replies.put((call(), None))
            except BaseException as error:
                self.replies.put((None, error))

    def interrupt(self, grace: float) -> bool:
        """In the main thread: tell the helper to end; whether it has ended within the grace, and well."""
        self.interrupted = True
        if self.stop is not None:
            self.stop[0] = 1
        try:
            self.done.wait(grace)
        finally:
            self.left = not self.done.is_set()
        return not self.left and self.error is None

    def _outcome(self) -> Any:
        if self.error is not None:
            raise self.error
        return self.result

    def ask(self, call: Callable[[], Any]) -> Any:
        """In the helper: let the main thread do something."""
        self.calls.put(call)
        while not self.left:
            try:
                result, error = self.replies.get(timeout=_TICK)
            except queue.Empty:
                continue
            if error is not None:
                raise error
            return result
        raise KeyboardInterrupt


class _Doing(threading.local):
    """The errand of the calling thread, None where it has none."""

    errand: _Errand | None = None


class _Helper:
    """A thread that does errands, one after the other; threads of OpenMP stay with it."""

    def __init__(self) -> None:
        self.inbox: queue.SimpleQueue[_Errand] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._serve, name="nearly-helper", daemon=True)
        self.thread.start()

    def _serve(self) -> None:
        while True:
            errand = self.inbox.get()
            errand.run()
            if errand.left:
                return
            del errand


_doing = _Doing()
_helper: _Helper | None = None
_behind: list[_Errand] = []


def aside(work: Callable[[], T], tick: Callable[[], None] = lambda: None, left: Callable[[], float] | None = None) -> T:
    """The result of `work()`, which a helper does where the caller is the main thread; see the top of the file.

    `tick` is called in the main thread some times a second. `left` tells the seconds that the work may still take: when
    there are none, it is ended by `Overdue`.
    """
    global _helper
    if _doing.errand is not None or threading.current_thread() is not threading.main_thread() or _importing():
        return work()
    errand = _Errand(work)
    helper = _helper = _helper or _Helper()
    helper.inbox.put(errand)
    try:
        return errand.wait(tick, left)
    except BaseException as error:
        if errand.done.is_set():
            raise
        _helper = None  # until this one is known to be free
        late = isinstance(error, Overdue)
        ended_well = errand.interrupt(LATE if late else GRACE)
        if errand.left:
            _behind.append(errand)
            mine.value = object()  # what the main thread does next is another run
            raise
        _helper = helper
        if ended_well and isinstance(error, KeyboardInterrupt):
            return errand.result  # it made something of what it had
        if ended_well and late and errand.interrupted:
            return errand.result  # it has not heard of it, and came to its own end
        raise


def _importing() -> bool:
    """Whether the caller is at work for an import: it has locks that a helper might wait for."""
    frame: Any = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename != "<frozen importlib._bootstrap>":
        frame = frame.f_back
    return frame is not None


def is_aside() -> bool:
    """Whether the calling thread works for the main thread."""
    return _doing.errand is not None


def look() -> None:
    """Raise `KeyboardInterrupt` if the main thread was interrupted while the calling thread works for it."""
    errand = _doing.errand
    if errand is not None and errand.interrupted:
        errand.interrupted = errand.left  # once, unless all is to end
        raise KeyboardInterrupt


def stoppable(kernel: Callable[..., T], arguments: tuple[Any, ...], stop: np.ndarray) -> T:
    """Call a kernel that polls `stop`, and raise `KeyboardInterrupt` if it ended because of Ctrl-C."""
    errand = _doing.errand
    if errand is None:
        return kernel(*arguments)
    errand.stop = stop
    try:
        look()
        result = kernel(*arguments)
    finally:
        errand.stop = None
    if errand.interrupted:
        stop[0] = 0
    look()
    return result


def on_caller(callback: Callable[..., T] | None) -> Callable[..., T] | None:
    """The callback as work may call it that might be aside: it runs in the thread of the caller."""
    if callback is None:
        return None

    def there(*arguments: Any) -> T:
        errand = _doing.errand
        return callback(*arguments) if errand is None else errand.ask(lambda: callback(*arguments))

    return there


def left_behind() -> bool:
    """Whether a helper still does what was interrupted."""
    _behind[:] = [errand for errand in _behind if not errand.done.is_set()]
    return bool(_behind)


@atexit.register
def _let_end() -> None:
    """The compiler must not run while the process takes itself apart."""
    if left_behind():
        for errand in _behind:
            errand.done.wait(_LEAVING)


def _in_child() -> None:
    global _helper
    _helper = None
    _behind.clear()
    _doing.errand = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
