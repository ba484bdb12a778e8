"""Mutants: each is one change that parses, the same for the same seed, and its tests are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attack.guards import ROOT
from tests.mutants import mutants, runs_of, sample


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a < b", "a <= b"),
        ("a is b", "a is not b"),
        ("a in b", "a not in b"),
        ("a and b", "a or b"),
        ("not a", "not not a"),
        ("a - b", "a + b"),
        ("f(7)", "f(8)"),
        ("f(True)", "f(False)"),
    ],
)
def test_a_mutant_is_one_change_within_a_function(tmp_path: Path, before: str, after: str) -> None:
    file = tmp_path / "module.py"
    head = "LIMIT = 1 + 2\n\n\ndef f(a: 'x < 3', b=4 * 5):\n    return "
    file.write_text(head + before)
    (only,) = mutants(file)
    text, change = only.applied(head + before)
    assert (only.line, text.splitlines()[-1].strip()) == (5, f"return {after}")
    assert " -> " in change


def test_the_same_seed_gives_the_same_mutants_of_a_room() -> None:
    found = sample("speech", 5, 7)
    assert found == sample("speech", 5, 7)
    assert found != sample("speech", 5, 8)
    assert {mutant.file.relative_to(ROOT).parts[0] for mutant in found} == {"speech"}


def test_the_tests_of_a_module_come_before_those_of_its_room() -> None:
    naming = "from winnow.proxy.http.headers import Headers"
    tests = {"tests/proxy/http/test_headers.py": "", "tests/speech/test_other.py": naming}
    assert runs_of(ROOT / "proxy/http/headers.py", tests) == [
        ["tests/proxy/http/test_headers.py"],
        ["tests/proxy/http"],
        ["tests/speech/test_other.py"],
    ]
    whole = [["tests/speech/test_other.py"], ["tests/speech"]]
    assert runs_of(ROOT / "speech/unknown.py", tests) == whole
