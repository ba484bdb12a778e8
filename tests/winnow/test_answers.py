"""Command line, batch and library say the same of each page as proxy, gateway and API do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import winnow
from tests.proxy.app import pages
from tests.proxy.app.test_page_answers import PAGES
from tests.unhurried import IN_ENVIRONMENT
from winnow.cli import main

SAID = {
    "no-article": "no article was found in {}; try another --extractor",
    "not-for-reading": "{}: The page is a form, an application or the like: it has no article. "
    "--fallback text prints all text",
    "script-shell": "The page's scripts write its text, and they do not run here.",
    "too-complex": "",
}


@pytest.fixture(params=PAGES)
def case(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Path, int, str]:
    """A page as a file, the status of its data by HTTP, and the reason."""
    for name, value in IN_ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    body, status, reason = PAGES[request.param]
    file = tmp_path / "page.html"
    file.write_bytes(body)
    return file, status, reason


def test_the_command_prints_an_article_or_says_why_not(
    case: tuple[Path, int, str], capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    file, status, reason = case
    code = main(["extract", str(file)])
    shown, said = (text.decode() for text in capsysbinary.readouterr())
    assert (code, bool(shown.strip())) == ((0, True) if status == 200 else (1, False))
    assert SAID.get(reason, "").format(file) in said


def test_a_batch_has_an_article_or_an_error_in_a_row(
    case: tuple[Path, int, str], tmp_path: Path
) -> None:
    file, status, _ = case
    out = tmp_path / "rows.jsonl"
    assert main(["extract", "--batch", str(file.parent), "--out", str(out), "--workers", "1"]) == 0
    row: dict[str, Any] = json.loads(out.read_text())
    if status == 200:
        assert row["text"].strip()
        assert row["error"] is None
    else:
        assert row["text"] is None
        assert row["error"].endswith(".")


def test_the_library_says_what_is_missing(case: tuple[Path, int, str]) -> None:
    file, status, reason = case
    if reason == "too-complex":
        with pytest.raises(Exception, match="nested"):
            winnow.extract(file.read_bytes())
        return
    article = winnow.extract(file.read_bytes())
    assert article.missing == ("" if status == 200 else reason)


@pytest.mark.parametrize("fallback", ["text", "original"])
def test_the_command_gives_what_was_asked_for_instead(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], fallback: str
) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(pages.LOG_IN)
    assert main(["extract", str(file), "--fallback", fallback]) == 0
    shown = capsysbinary.readouterr().out
    assert b"Log in to your account" in shown
    assert (shown == pages.LOG_IN) is (fallback == "original")


def test_several_sources_have_no_original(page: Path) -> None:
    assert main(["extract", str(page), str(page), "--fallback", "original"]) == 2


def test_a_named_method_s_result_is_not_judged(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(pages.LOG_IN)
    assert main(["extract", str(file), "--extractor", "plain"]) == 0
    assert b"Log in" in capsysbinary.readouterr().out
