"""What a request frees is there for the next one, without asking the system for it again."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

PROGRAM = """
import resource, sys
from winnow.compose.process.malloc import keep_freed_memory
if sys.argv[1] == "kept":
    assert keep_freed_memory()

def request():
    return [bytes([number]) * 100_000 for number in range(20)]  # freed when it is dropped

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

for _ in range(50):
    request()
before = faults()
for _ in range(200):
    request()
print(faults() - before)
"""


def faults(how: str) -> int:
    """Pages that the system had to give anew, in two hundred requests."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, how], capture_output=True, text=True, check=True
    )
    return int(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="it is glibc that is told")
def test_freed_memory_is_used_again() -> None:
    assert faults("kept") < 200 < faults("given back")
