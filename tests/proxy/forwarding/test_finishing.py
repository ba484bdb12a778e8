"""A rendering is finished once for all who get the same, and anew for everybody else."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from winnow.document.values import BAR_MARK, Rendered
from winnow.proxy.decisions import etags
from winnow.proxy.forwarding.finished_pages import LIMIT, PageFinisher
from winnow.proxy.http import content_coding

PAGE = Rendered(
    b"<p>" + BAR_MARK + b"page" * 500, "text/html", "auto", words_kept=100, words_total=200
)


@dataclass
class Bar:
    """Counts how often it is made."""

    made: int = 0

    def __call__(self, body: bytes) -> bytes:
        self.made += 1
        return body.replace(BAR_MARK, b"<aside>")


async def test_the_bar_stands_where_its_mark_stood_and_the_validator_is_of_the_plain_body() -> None:
    finished = await PageFinisher()(PAGE, Bar(), "en", None)
    assert finished.body == PAGE.body.replace(BAR_MARK, b"<aside>")
    assert (finished.coding, finished.validator) == ("identity", etags.of_body(finished.body))


async def test_equal_pages_are_dressed_once() -> None:
    finisher, bar = PageFinisher(), Bar()
    first = await finisher(PAGE, bar, "en", "br")
    again = await finisher(replace(PAGE, body=bytes(bytearray(PAGE.body))), bar, "en", "gzip, br")
    assert first is again
    assert bar.made == 1
    assert first.body == content_coding.encode("br", PAGE.body.replace(BAR_MARK, b"<aside>"))


@pytest.mark.parametrize(
    ("other", "variant", "accepted"),
    [
        (replace(PAGE, body=PAGE.body + b"!"), "en", "br"),
        (replace(PAGE, words_kept=99), "en", "br"),
        (replace(PAGE, words_total=201), "en", "br"),
        (replace(PAGE, extractor="bte"), "en", "br"),
        (PAGE, "de", "br"),
        (PAGE, "en", "gzip"),
        (PAGE, "en", None),
    ],
)
async def test_whatever_shows_is_reported_apart(
    other: Rendered, variant: str, accepted: str | None
) -> None:
    finisher, bar = PageFinisher(), Bar()
    await finisher(PAGE, bar, "en", "br")
    await finisher(other, bar, variant, accepted)
    assert bar.made == 2


async def test_a_small_body_stays_as_it_is() -> None:
    finished = await PageFinisher()(replace(PAGE, body=b"<p>"), Bar(), "en", "br")
    assert (finished.body, finished.coding) == (b"<p>", "identity")


async def test_what_is_too_large_is_not_stored() -> None:
    finisher, bar = PageFinisher(), Bar()
    large = replace(PAGE, body=b"x" * (LIMIT // 8))
    for _ in range(2):
        await finisher(large, bar, "en", None)
    assert bar.made == 2
