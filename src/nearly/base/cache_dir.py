"""Where `nearly` keeps what it may lose: the user's cache directory, readable and writable by the user alone.

Compiled kernels are loaded from it as they are: to write to it is to run code as its user. So a directory that others
may write to is refused, and one in a folder where any user may put another in its place (as in `/tmp` without its
sticky bit). One that cannot be made or written to is done without. Either is said once.
"""

from __future__ import annotations

import os
import stat
import warnings
from functools import cache
from pathlib import Path


def cache_dir() -> Path | None:
    """`NEARLY_CACHE_DIR`, else `XDG_CACHE_HOME/nearly`, else `~/.cache/nearly`; made with mode 0700.

    None where it cannot be used.
    """
    chosen = os.environ.get("NEARLY_CACHE_DIR")
    return private_folder(chosen) if chosen else _default(os.environ.get("XDG_CACHE_HOME"), os.environ.get("HOME"))


@cache
def _default(xdg: str | None, home: str | None) -> Path | None:
    try:
        base = Path(xdg) if xdg else Path.home() / ".cache"
    except RuntimeError:  # there is no home
        _without("there is no home directory", "the home directory")
        return None
    return private_folder(os.fspath(base / "nearly"))


@cache
def private_folder(folder: str) -> Path | None:
    """The folder, made if it is missing; None, after a warning, where it is unusable or open to others."""
    path = Path(folder)
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        real = path.resolve()
        about, above = real.stat(), [one.stat() for one in real.parents]
        if not os.access(path, os.R_OK | os.W_OK | os.X_OK):
            raise PermissionError("it may not be written to")
    except OSError as error:
        _without(error.strerror or str(error), folder)
        return None
    if hasattr(os, "getuid") and (_open_to_others(about) or any(map(_replaceable, above))):
        _without("others may write to it, and compiled code is loaded from it; make it private (chmod 700)", folder)
        return None
    return path


def _open_to_others(about: os.stat_result) -> bool:
    return about.st_uid not in (os.getuid(), 0) or bool(about.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _replaceable(above: os.stat_result) -> bool:
    """Whether any user may rename what is in this folder; groups are left to those that make them."""
    return bool(above.st_mode & stat.S_IWOTH) and not above.st_mode & stat.S_ISVTX


def _without(why: str, folder: str) -> None:
    warnings.warn(
        f"nothing is kept in {folder}: {why}. Kernels will be compiled again in each process; "
        "NEARLY_CACHE_DIR names another directory",
        RuntimeWarning,
        stacklevel=4,
    )
