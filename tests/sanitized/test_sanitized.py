"""A few of the pages that ``make sanitize`` tries by the million, and what it would notice."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.programs import require_file
from tests.sanitized import building
from tests.sanitized.compared import DifferentError, comparing, read
from winnow.document import words

PAGES = 20


@pytest.mark.timeout(600)
def test_no_loop_reads_what_is_not_its_own() -> None:
    require_file("libasan.so", building.runtime(), "apt-get install gcc")
    command = [sys.executable, "-m", "tests.sanitized", "--build", "--pages", str(PAGES)]

    done = subprocess.run(command, cwd=building.ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert f"{PAGES} mutated pages" in done.stdout
    assert "11 modules under sanitizers" in done.stdout


def test_a_loop_that_finds_something_else_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    defined = words.piece_counts_in_python

    def one_more(*args: object) -> object:
        counts, symbols = defined(*args)  # type: ignore[arg-type]  # as it was called
        return counts + 1, symbols

    one_more.__qualname__ = defined.__qualname__
    monkeypatch.setattr(words, "piece_counts_in_python", one_more)
    with comparing(), pytest.raises(DifferentError, match="piece_counts_in_python"):
        read(b"<p>one word")
