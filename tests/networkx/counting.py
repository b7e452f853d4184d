"""A pytest plugin for runs of NetworkX's own suite: how often each function of the backend really answered.

Fallback to NetworkX would hide a backend that never runs. Counts are written as JSON to the file that the environment
variable NEARLY_COUNTS names.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from functools import wraps
from pathlib import Path

COUNTS: Counter[str] = Counter()


def pytest_configure(config):
    from nearly.adapters.networkx.interface import Interface

    plain = Interface.__getattr__

    def counted(self, name):
        function = plain(self, name)

        @wraps(function)
        def call(*args, **keywords):
            answer = function(*args, **keywords)  # what is not implemented raises and is not counted
            COUNTS[name] += 1
            return answer

        return call

    Interface.__getattr__ = counted


def pytest_sessionfinish(session):
    worker = getattr(session.config, "workerinput", {}).get("workerid", "")
    Path(os.environ["NEARLY_COUNTS"] + worker).write_text(json.dumps(COUNTS))
