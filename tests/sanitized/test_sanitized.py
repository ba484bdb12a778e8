"""A few of the pages that ``make sanitize`` tries by the million, and what it would notice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz import mutated
from tests.pages import golden
from tests.programs import require_file
from tests.sanitized import building
from tests.sanitized.compared import RENDERERS, TURNS, Compared, DifferentError, comparing
from winnow.document import words
from winnow.document.compiled import loop

pytestmark = pytest.mark.release

PAGES = 20
MODULES = 16
WITHOUT_LOOPS = 1  # document/_calls.c calls those of others
ENOUGH = 8 * len(RENDERERS) * len(TURNS)


@pytest.fixture(scope="module")
def seen() -> Compared:
    """What golden pages call."""
    with comparing() as compared:
        for name in golden.names():
            compared.read((Path(golden.FOLDER) / name / "source.html").read_bytes())
    return compared


@pytest.mark.timeout(600)
def test_no_loop_reads_what_is_not_its_own() -> None:
    require_file("libasan.so", building.runtime(), "apt-get install gcc")
    command = [sys.executable, "-m", "tests.sanitized", "--build", "--pages", str(PAGES)]

    done = subprocess.run(command, cwd=building.ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert f"{PAGES} mutated pages" in done.stdout
    assert f"{MODULES} modules under sanitizers" in done.stdout


def test_golden_pages_call_every_loop(seen: Compared) -> None:
    assert len({name.rpartition(".")[0] for name in seen.calls}) == MODULES - WITHOUT_LOOPS
    assert not [name for name, calls in seen.calls.items() if not calls]


def test_every_loop_is_compared_with_its_definition(seen: Compared) -> None:
    assert not [name for name, calls in seen.compared.items() if not calls]


def test_mutated_pages_alone_call_every_loop() -> None:
    with comparing() as compared:
        compared.off = True
        for number in range(ENOUGH):
            compared.run(mutated.page(number), number)

    assert not [name for name, calls in compared.calls.items() if not calls]
    assert not any(compared.compared.values())


def test_a_loop_that_finds_something_else_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    defined = words.piece_counts_in_python

    def one_more(*args: object) -> object:
        counts, symbols = defined(*args)  # type: ignore[arg-type]  # as it was called
        return counts + 1, symbols

    monkeypatch.setattr(words, "piece_counts", loop(one_more, defined))  # type: ignore[arg-type]  # as it is
    with comparing() as compared, pytest.raises(DifferentError, match="piece_counts_in_python"):
        compared.read(b"<p>one word")
