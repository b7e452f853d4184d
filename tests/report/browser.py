"""A headless Chromium, told what to do through pipes by its DevTools protocol; needs no package.

Messages are JSON, each ended by a zero byte: ours go to the browser's file descriptor 3, its own come from 4.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from select import select
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OPTIONS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
    "--disable-dev-shm-usage", "--mute-audio", "--remote-debugging-pipe",
]  # fmt: skip
PATIENCE = 60.0  # seconds for one answer


def found() -> str | None:
    """Where a Chromium is, None where there is none."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Page:
    """A page of the browser, and what it said on its console or wanted from the network."""

    def __init__(self, to: int, answers: int) -> None:
        self._to, self._from, self._rest, self._number, self._session = to, answers, b"", 0, ""
        self.console: list[str] = []
        self.requests: list[str] = []
        self._loaded = False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Ask for something and wait for the answer."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            got = self._next()
            if got.get("id") == self._number:
                if "error" in got:
                    raise RuntimeError(f"{method}: {got['error']}")
                return got["result"]

    def open(self, path: Path, wide: int = 1100, tall: int = 900, dark: bool = False) -> None:
        """Load a file in a window of this size."""
        size = {"width": wide, "height": tall, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)
        self.paper(dark)
        self._loaded = False
        self.call("Page.navigate", url=path.resolve().as_uri())
        while not self._loaded:
            self._next()

    def paper(self, dark: bool) -> None:
        """Prefer dark or light pages."""
        wish = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", features=wish)

    def run(self, code: str) -> Any:
        """The value of an expression of the page."""
        got = self.call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in got:
            raise RuntimeError(f"{code}: {got['exceptionDetails']}")
        return got["result"].get("value")

    def press(self, key: str) -> None:
        """A key, down and up."""
        code = {"Tab": 9, "ArrowRight": 39, "ArrowLeft": 37, "Home": 36, "End": 35, " ": 32}[key]
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def point_at(self, selector: str) -> None:
        """Put the pointer on the middle of an element."""
        box = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); "
            "e.scrollIntoView({block: 'center', behavior: 'instant'}); const b = e.getBoundingClientRect(); "
            "return [b.x + b.width / 2, b.y + b.height / 2] })()"
        )
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=box[0], y=box[1])

    def picture(self, path: Path, whole: bool = False) -> None:
        """Write what is seen, or the whole page, as a PNG."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        path.write_bytes(base64.b64decode(data))

    def printed(self) -> bytes:
        """The page as a PDF."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])

    def _next(self) -> dict[str, Any]:
        """The next message; noted if it is about the console, the network or the end of loading."""
        deadline = time.monotonic() + PATIENCE
        while b"\0" not in self._rest:
            ready, _, _ = select([self._from], [], [], max(deadline - time.monotonic(), 0))
            if not ready:
                raise TimeoutError("the browser does not answer")
            read = os.read(self._from, 1 << 16)
            if not read:
                raise RuntimeError("the browser has ended")
            self._rest += read
        line, _, self._rest = self._rest.partition(b"\0")
        message = json.loads(line)
        about, method = message.get("params", {}), message.get("method")
        if method == "Network.requestWillBeSent":
            self.requests.append(about["request"]["url"])
        elif method == "Log.entryAdded":
            self.console.append(about["entry"]["text"])
        elif method == "Runtime.consoleAPICalled":
            self.console.append(str(about["args"]))
        elif method == "Runtime.exceptionThrown":
            self.console.append(str(about["exceptionDetails"]))
        elif method == "Page.loadEventFired":
            self._loaded = True
        return message


@contextmanager
def browser() -> Iterator[Page]:
    """A browser with one page; ended, with all it has written, when the block is left."""
    program = found()
    assert program is not None, "there is no chromium"
    out_read, out_write = os.pipe()
    in_read, in_write = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [program, *OPTIONS, f"--user-data-dir={folder}"]
        script = f'exec "$@" 3<&{in_read} 4>&{out_write}'
        process = subprocess.Popen(
            ["bash", "-c", script, "bash", *command],
            pass_fds=(in_read, out_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(in_read)
        os.close(out_write)
        try:
            yield Page(in_write, out_read)
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            os.close(in_write)
            os.close(out_read)
