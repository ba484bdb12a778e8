"""The style sheet of reader pages: one file for everybody, which no origin is asked for."""

from __future__ import annotations

import re
from gzip import compress, decompress

import pytest

from tests.proxy.own.own_requests import asked
from winnow.config.appearance import AS_DELIVERED
from winnow.document.render.reader.style import STYLE
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.templates.in_page.bar import BarView, make_bar
from winnow.proxy.own.templates.in_page.choice_links import ChoiceLinks
from winnow.proxy.own.templates.in_page.page_sheet import BAR, PATH, SHEET, linked, sheet


def test_a_page_has_a_link_in_place_of_its_style_and_else_stays() -> None:
    page = f"<head><style>{STYLE}</style></head><body><style>p{{}}</style>".encode()
    assert linked(page) == (
        f'<head><link rel="stylesheet" href="{PATH}"></head><body><style>p{{}}</style>'.encode()
    )
    other = b"<head><style>p{}</style></head>"
    assert linked(other) == other


async def test_it_is_stored_for_good_and_differs_for_nobody() -> None:
    plain = await sheet(asked(PATH))
    assert (plain.status, plain.media_type) == (200, "text/css; charset=utf-8")
    assert plain.body == SHEET
    assert dict(plain.fields)["Cache-Control"] == "public, max-age=31536000, immutable"
    reader = await sheet(asked(PATH, ("Cookie", "winnow-looks=huge.wide.wide.mono.dark.off")))
    assert reader == plain


async def test_it_comes_in_a_coding_that_the_browser_takes() -> None:
    coded = await sheet(asked(PATH, ("Accept-Encoding", "gzip")))
    assert decompress(coded.body) == SHEET
    assert dict(coded.fields)["Content-Encoding"] == "gzip"


async def test_by_a_name_of_before_it_is_given_but_not_to_keep() -> None:
    old = await sheet(asked("/-/winnow/0123456789abcdef.css"))
    assert (old.body, dict(old.fields)["Cache-Control"]) == (SHEET, "no-store")


async def test_nothing_is_sent_to_it() -> None:
    with pytest.raises(ClientFaultError):
        await sheet(asked(PATH, form={}))


def test_what_packs_it_loses_no_rule() -> None:
    assert BAR.count("{") == BAR.count("}") > 30
    assert not re.search(r"/\*|\s\s|[{;]\s", BAR)


def test_style_and_bar_weigh_what_they_may() -> None:
    """What is left for the text of a page of 7 kB at the first visit to a site, of 5 kB later."""
    shown = BarView("https://news.example/2026/a-story-of-the-harbour", "auto")
    bar = make_bar(shown, ChoiceLinks("https://winnow.internal"), AS_DELIVERED, linked=True)
    assert len(compress(SHEET, 6)) < 2_850
    assert len(compress(bar, 6)) < 1_250
