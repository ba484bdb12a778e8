"""A code of the terminal holds for one purpose, a short time and few tries."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from winnow.proxy.access.credentials.terminal_codes import MOST_WRONG, STEP, TerminalCodes
from winnow.proxy.access.credentials.tokens import FormTokens

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def shown(lines: list[str]) -> str:
    found = re.search(r"the code (\d{4} \d{4}) allows this change: the port", lines[-1])
    assert found
    return found[1]


def sent() -> tuple[TerminalCodes, list[str]]:
    lines: list[str] = []
    codes = TerminalCodes(FormTokens(), lines.append)
    codes.send("port", "the port", NOW)
    return codes, lines


def test_a_code_holds_for_its_purpose_alone() -> None:
    codes, lines = sent()
    code = shown(lines)
    assert codes.holds(code, "port", NOW)
    assert codes.holds(code.replace(" ", ""), "port", NOW)
    assert not codes.holds(code, "host", NOW)
    assert not codes.holds("", "port", NOW)
    assert not TerminalCodes(FormTokens(), lines.append).holds(code, "port", NOW)


def test_a_code_expires() -> None:
    codes, lines = sent()
    assert codes.holds(shown(lines), "port", NOW + timedelta(seconds=STEP))
    assert not codes.holds(shown(lines), "port", NOW + timedelta(seconds=2 * STEP))


def test_guessing_ends_soon() -> None:
    codes, lines = sent()
    code = shown(lines)
    for _ in range(MOST_WRONG):
        assert not codes.holds("12345678", "port", NOW)
    assert not codes.holds(code, "port", NOW)
    assert codes.holds(code, "port", NOW + timedelta(seconds=STEP))


def test_a_code_is_shown_once_a_step() -> None:
    codes, lines = sent()
    codes.send("port", "the port", NOW)
    assert len(lines) == 1
    codes.send("port", "the port", NOW + timedelta(seconds=STEP))
    assert len(lines) == 2


def test_processes_of_one_key_agree() -> None:
    lines: list[str] = []
    tokens = FormTokens()
    TerminalCodes(tokens, lines.append).send("port", "the port", NOW)
    assert TerminalCodes(tokens, lines.append).holds(shown(lines), "port", NOW)
