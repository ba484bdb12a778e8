"""A page's signature, and that a step which is not entered by it would have changed nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz import mutated
from tests.sweeps import every_nth_and_all
from tests.ungated import differences, signed
from winnow.document.document import Document
from winnow.document.errors import TooComplexError
from winnow.document.parsing.signature import needs
from winnow.document.values import Page

SOURCES = sorted(Path("tests/pages").rglob("source.html"))


@needs("table", "infobox", absent="nothing")
def step(document: Document, said: str) -> str:
    return said


@needs("table")
def changing(document: Document, said: str) -> str:
    return f"{said}, changed"


@pytest.mark.parametrize(
    ("html", "result"),
    [
        ("<p>a</p>", "nothing"),
        ("<p>infobox</p>", "nothing"),
        ("<p class=geo-infobox-1>a</p>", "entered"),
        ("<table><tr><td>a</table>", "entered"),
        ("<svg><table></table></svg>", "entered"),
        ("<select><p class=infobox></select>", "nothing"),
    ],
)
def test_a_step_is_entered_where_the_page_has_what_it_needs(html: str, result: str) -> None:
    assert step(Document.from_html(html), "entered") == result


def test_a_step_that_changes_something_leaves_it_as_it_is() -> None:
    assert changing(Document.from_html("<p>a"), "a") == "a"
    assert changing(Document.from_html("<table>"), "a") == "a, changed"


def test_a_step_cannot_need_what_no_signature_has() -> None:
    with pytest.raises(KeyError):
        needs("no such word")


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.parent.name)
def test_a_written_page_is_shown_as_if_every_step_were_entered(source: Path) -> None:
    body = source.read_bytes()
    for seed in range(3):
        page = Page(signed(body, seed) if seed else body, "https://example.org/a/b.html")
        assert not differences(page), seed


@pytest.mark.parametrize("seeds", every_nth_and_all(range(20_000), 100))
def test_a_mutated_page_is_shown_as_if_every_step_were_entered(seeds: range) -> None:
    for seed in seeds:
        page = signed(mutated.page(seed), seed)
        try:
            found = differences(Page(page, "https://example.org/a/b.html"))
        except TooComplexError:
            continue
        assert not found, seed
