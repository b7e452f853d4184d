"""A process holds no more of a mapped text than the region it reads."""

import sys
from pathlib import Path

import pytest

from nearly.graph.io.content import Content

pytestmark = pytest.mark.small
TEXT = 24 << 20


def mapped_pages(path):
    """Bytes of a file that this process holds."""
    held, inside = 0, False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        if "-" in line.split()[0] and ":" not in line.split()[0]:
            inside = line.endswith(str(path))
        elif inside and line.startswith("Rss:"):
            held += int(line.split()[1]) << 10
    return held


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")
def test_regions_that_were_read_are_let_go(tmp_path):
    path = tmp_path / "edges.txt"
    path.write_bytes(b"1234567 7654321\n" * (TEXT // 16))
    content, lines, most = Content(path), 0, 0
    for region in content.regions(size=1 << 20):
        lines += int((region == ord("\n")).sum())
        most = max(most, mapped_pages(path))
    assert lines == TEXT // 16
    assert 0 < most < TEXT // 4
    assert sum(region.size for region in content.regions()) == TEXT  # and it can be read again
