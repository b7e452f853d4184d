"""Large graphs through the streaming builder: time and peak memory of R-MAT graphs, each in a process of its own.

`--scale` is the largest; the default measures 22, 24 and 26 where memory allows.
"""

from __future__ import annotations

import json
import subprocess
import sys
from argparse import Namespace

PROGRAM = """
import json, resource, sys, time
import nearly
scale = int(sys.argv[1])
nearly.generate.rmat(scale=10, edge_factor=16, seed=1)  # compiles
since = time.perf_counter()
g = nearly.generate.rmat(scale=scale, edge_factor=16, seed=1, simple=sys.argv[2] == "simple")
seconds = time.perf_counter() - since
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps(dict(n=g.n, m=g.m, seconds=seconds, peak=peak, final=g.nbytes)))
"""


def run(options: Namespace) -> str:
    scales = [s for s in (22, 24, 26) if s <= max(options.scale, 20)] if options.scale != 20 else [22, 24, 26]
    text = "### Generating and building R-MAT graphs, edge factor 16, streamed twice\n\n"
    text += "| scale | parallel edges | vertices | arcs | seconds | M arcs/s | final | peak | peak / final |\n"
    text += "|---" * 9 + "|\n"
    for scale in scales:
        for policy in ("simple", "keep"):
            printed = subprocess.run(
                [sys.executable, "-c", PROGRAM, str(scale), policy], capture_output=True, text=True
            )
            if printed.returncode:
                text += f"| {scale} | {policy} | {printed.stderr.strip().splitlines()[-1]} |\n"
                continue
            r = json.loads(printed.stdout)
            gib = 2**30
            merged = "merged" if policy == "simple" else "kept"
            text += f"| {scale} | {merged} | {r['n']:,} | {r['m']:,} | {r['seconds']:.1f} "
            text += (
                f"| {(16 << scale) / r['seconds'] / 1e6:.0f} | {r['final'] / gib:.2f} GiB | {r['peak'] / gib:.2f} GiB "
            )
            text += f"| {r['peak'] / r['final']:.2f} |\n"
            print(text.splitlines()[-1], flush=True)
    return text
