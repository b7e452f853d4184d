"""`make wheel`: a wheel with machine code for a baseline processor, so that a first call compiles nothing.

The pure wheel is built and unpacked; every public function is run once from it (`nearly.experiments.warm_up`), compiled
for x86-64-v3 (every x86 server of the last ten years); the kernels that were asked for from Python are copied into
the package's folder `shipped`; the wheel is packed again with a platform tag. A process uses them only if its Python,
numba and llvmlite are the versions used here (`nearly system` says so), otherwise it compiles as always.

    python scripts/make_wheel.py [--out dist] [--cache DIR] [ALGORITHM ...]

`--cache` names a directory of kernels that were compiled for the baseline before, which saves compiling them again.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BASELINE = {
    "NUMBA_CPU_NAME": "x86-64-v3",
    "NUMBA_CPU_FEATURES": "+avx,+avx2,+bmi,+bmi2,+cmov,+cx16,+cx8,+f16c,+fma,+fxsr,+lzcnt,+mmx,+movbe,+popcnt,+sahf,"
    "+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3",
}
PLATFORM = "manylinux2014_x86_64"
PROCESSES = 2
CHILD = """
import json, sys
from nearly.base.kernel_cache import describe_baseline, folder, spent
from nearly.experiments.warm_up import run_all, tasks
share, shares, *only = sys.argv[1:]
def tell(stage, done, total):
    print(f"{done} of {total}: {stage}", file=sys.stderr)
run_all(tasks(tuple(only))[int(share)::int(shares)], tell)
from numba.core.registry import cpu_target
print(json.dumps({
    "folder": str(folder()), "names": sorted(spent.asked_for), "compiled": spent.compiled,
    "baseline": describe_baseline(cpu_target.target_context.codegen().magic_tuple()),
}))
"""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("--out", type=Path, default=ROOT / "dist")
    arguments.add_argument("--cache", type=Path)
    arguments.add_argument("only", nargs="*", metavar="ALGORITHM")
    chosen = arguments.parse_args()
    since = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        package = unpacked(folder)
        reports = warmed(package, chosen.cache or folder / "cache", chosen.only)
        count = ship(reports, package / "nearly" / "shipped")
        made = packed(package, chosen.out)
    size = made.stat().st_size / 2**20
    print(f"{made}: {count} kernels, {size:.1f} MiB, {time.monotonic() - since:.0f} s")


def unpacked(folder: Path) -> Path:
    """The pure wheel, unpacked."""
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(pip, check=True)
    wheel = next(folder.glob("nearly-*.whl"))
    subprocess.run([sys.executable, "-m", "wheel", "unpack", "--dest", str(folder / "tree"), str(wheel)], check=True)
    return next((folder / "tree").iterdir())


def warmed(package: Path, cache: Path, only: list[str]) -> list[dict]:
    """Run everything from the package, in processes that share the work; what each asked for."""
    environment = {**os.environ, **BASELINE, "PYTHONPATH": str(package), "NEARLY_CACHE_DIR": str(cache)}
    children = [
        subprocess.Popen(
            [sys.executable, "-c", CHILD, str(share), str(PROCESSES), *only],
            env=environment, stdout=subprocess.PIPE, text=True, cwd=package,
        )
        for share in range(PROCESSES)
    ]  # fmt: skip
    reports = [child.communicate()[0] for child in children]
    for child in children:
        if child.returncode:
            raise SystemExit(f"a function failed: exit code {child.returncode}")
    return [json.loads(report.splitlines()[-1]) for report in reports]


def ship(reports: list[dict], shipped: Path) -> int:
    """Copy the kernels asked for into the package; how many."""
    shipped.mkdir()
    names = {name for report in reports for name in report["names"]}
    for name in names:
        shutil.copyfile(Path(reports[0]["folder"]) / f"{name}.kernel", shipped / f"{name}.kernel")
    (shipped / "baseline.json").write_text(json.dumps(reports[0]["baseline"], indent=2) + "\n")
    return len(names)


def packed(package: Path, out: Path) -> Path:
    """The wheel again, for this Python and platform."""
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    about = next(package.glob("*.dist-info")) / "WHEEL"
    lines = about.read_text().replace("Root-Is-Purelib: true", "Root-Is-Purelib: false")
    about.write_text(lines.replace("Tag: py3-none-any", f"Tag: {python}-{python}-{PLATFORM}"))
    out.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-m", "wheel", "pack", "--dest-dir", str(out), str(package)], check=True)
    return max(out.glob(f"nearly-*-{python}-{python}-*.whl"), key=lambda path: path.stat().st_mtime)


if __name__ == "__main__":
    main()
