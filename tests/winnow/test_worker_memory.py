"""A worker has no more memory than it may have: a page that needs more costs itself alone."""

from __future__ import annotations

import subprocess
import sys

GREEDY = """
from winnow.worker import bound_memory
bound_memory(256 * 1024 * 1024)
try:
    bytearray(1024 * 1024 * 1024)
except MemoryError:
    print("refused")
"""


def test_more_memory_than_the_bound_is_refused() -> None:
    run = subprocess.run([sys.executable, "-c", GREEDY], capture_output=True, check=True)
    assert run.stdout == b"refused\n"
