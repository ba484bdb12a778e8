"""The frame of Why: its style sheets come without rights that the page has not, and have bounds."""

from __future__ import annotations

import asyncio
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pytest

from winnow.document.values import Page
from winnow.features.why.explained_pages import ExplainedPages
from winnow.features.why.jobs import MarkedPageJob
from winnow.features.why.why_frame import WhyFrame
from winnow.jobs.job_types import Job
from winnow.jobs.page_jobs import ImportsJob, SheetsJob
from winnow.proxy.access.credentials.image_signatures import ImageSignatures
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.access.private_addresses import public_only
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.headers import Field, Headers
from winnow.proxy.http.messages import Permit, anywhere
from winnow.proxy.http.proxy_errors import OriginFaultError
from winnow.proxy.own.router import OwnRequest
from winnow.proxy.upstream.fetcher import FetchedResponse, Fetcher
from winnow.transforms.page_sheets import LARGEST_SHEET, MOST_SHEETS, PageSheets


def own_request(url: str, owner: str = "", permit: Permit = public_only) -> OwnRequest:
    head = RequestHead("GET", f"/-/why/page?url={url}", Headers(()), user=owner)
    return OwnRequest(head, "/-/why/page", {"url": url}, "http://127.0.0.1:8080/", permit=permit)


CSS = "text/css; charset=iso-8859-1"


@dataclass
class Site:
    """A fetcher: each address with its type and body, and who asked for what with which permit."""

    files: Mapping[str, tuple[str, bytes]]
    asked: list[tuple[str, Permit]] = field(default_factory=list)

    async def page(self, url: str, permit: Permit) -> Page:
        self.asked.append((url, permit))
        return Page(b"<p>Text", url)

    async def get(
        self, url: str, permit: Permit, accept: str, more: tuple[Field, ...] = ()
    ) -> FetchedResponse:
        assert "text/css" in accept
        self.asked.append((url, permit))
        if url not in self.files:
            raise OriginFaultError("Nothing is there.")
        kind, body = self.files[url]
        return FetchedResponse(url, 200, Headers((("Content-Type", kind),)), body)


@dataclass
class Marker:
    """A marker whose page has these style sheets, of which each imports others."""

    linked: tuple[str, ...]
    imported: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sheets_seen: Mapping[str, str] = field(default_factory=dict)
    picture: str = "hi"

    async def run(self, job: Job[Any], *, anew: bool = False) -> Any:
        assert not anew
        match job:
            case SheetsJob():
                return self.linked
            case ImportsJob(sheets=sheets):
                return tuple(url for sheet in sheets for url in self.imported.get(sheet, ()))
            case MarkedPageJob(texts=texts, sheets=sheets):
                self.sheets_seen = sheets
                picture = urlsafe_b64encode(self.picture.encode()).decode()
                return f"<img src={texts.images}{picture}>"


async def framed(site: Site, marker: Marker, url: str = "https://a.example/story") -> bytes:
    pages = ExplainedPages(cast(Fetcher, site), Policy, FormTokens())
    sheets = PageSheets(pages.fetcher, marker)
    frame = WhyFrame(pages, marker, ImageSignatures(FormTokens()), sheets)
    answer = await frame(own_request(url, permit=lambda *_: True))
    return answer.body


async def test_sheets_of_another_host_come_from_public_addresses_alone() -> None:
    urls = ("https://a.example/own.css", "http://10.0.0.1/router.css", "https://b.example/b.css")
    site = Site(dict.fromkeys(urls, (CSS, b"p { color: r\xe9d }")))
    marker = Marker(urls)
    await framed(site, marker)
    permits = {url: permit is public_only for url, permit in site.asked[1:]}
    assert permits == dict(zip(urls, (False, True, True), strict=True))
    assert marker.sheets_seen[urls[0]] == "p { color: réd }"


@pytest.mark.parametrize(
    ("kind", "body"),
    [("text/html", b"p {}"), ("", b"p {}"), (CSS, b" " * (LARGEST_SHEET + 1))],
)
async def test_what_is_no_style_sheet_or_too_large_is_none(kind: str, body: bytes) -> None:
    marker = Marker(("https://a.example/x.css", "https://a.example/missing.css"))
    await framed(Site({"https://a.example/x.css": (kind, body)}), marker)
    assert set(marker.sheets_seen.values()) == {""}


async def test_imports_are_followed_twice_and_so_many() -> None:
    chain = {f"https://a.example/{n}": (f"https://a.example/{n + 1}",) for n in range(9)}
    marker = Marker(("https://a.example/0",), chain)
    await framed(Site(dict.fromkeys(chain, (CSS, b""))), marker)
    assert len(marker.sheets_seen) == 3
    many = tuple(f"https://a.example/{n}" for n in range(MOST_SHEETS + 9))
    marker = Marker(many)
    await framed(Site({}), marker)
    assert len(marker.sheets_seen) == MOST_SHEETS


async def test_pictures_are_signed() -> None:
    body = await framed(Site({}), Marker(()))
    assert b"/~/" not in body
    assert body.endswith(b"/aGk=>")


@pytest.mark.parametrize(
    ("page", "picture", "permit", "opens"),
    [
        ("http://10.0.0.9/wiki", "http://10.0.0.9/i.png", anywhere, True),
        ("http://wiki.lan/", "http://wiki.lan/i.png", anywhere, True),
        ("http://10.0.0.9/wiki", "http://10.0.0.1/i.png", anywhere, False),
        ("http://10.0.0.9/wiki", "http://10.0.0.9/i.png", public_only, False),
        ("http://a.example/", "http://a.example/i.png", anywhere, False),
        ("http://a.example/", "http://10.0.0.9/i.png", anywhere, False),
    ],
)
async def test_a_picture_of_a_private_pages_own_host_alone_opens_it(
    page: str, picture: str, permit: Permit, *, opens: bool
) -> None:
    """A name may resolve to a private address when its picture is fetched, if not before."""
    signatures = ImageSignatures(FormTokens())
    pages = ExplainedPages(cast(Fetcher, Site({})), Policy, FormTokens())
    marker = Marker((), picture=picture)
    frame = WhyFrame(pages, marker, signatures, PageSheets(pages.fetcher, marker))
    request = own_request(page, owner="anna", permit=permit)
    answer, mine = await frame(request), request.head.owner
    target = answer.body.decode().removeprefix("<img src=").removesuffix(">")
    theirs = own_request(page, owner="bert").head.owner
    assert signatures.holds(target, mine)
    assert signatures.holds_private(target, mine) is opens
    assert not signatures.holds_private(target, theirs)


async def test_a_page_is_fetched_once_for_one_reader() -> None:
    site = Site({})
    pages = ExplainedPages(cast(Fetcher, site), Policy, FormTokens())
    mine = own_request("https://a.example/", owner="anna")
    theirs = own_request("https://a.example/", owner="bert")
    await pages.fresh(mine)
    await asyncio.gather(pages.recent(mine), pages.recent(mine))
    assert len(site.asked) == 1
    await pages.recent(theirs)
    assert len(site.asked) == 2


async def test_what_a_reader_may_fetch_is_shown_to_no_request_that_may_fetch_less() -> None:
    url, site = "http://127.0.0.1:8384/", Site({})
    pages = ExplainedPages(cast(Fetcher, site), Policy, FormTokens())
    await pages.fresh(own_request(url, permit=anywhere))
    await pages.recent(own_request(url, permit=anywhere))
    await pages.recent(own_request(url, permit=public_only))
    assert site.asked == [(url, anywhere), (url, public_only)]


async def test_a_link_out_of_the_frame_leads_to_the_page_that_was_shown() -> None:
    url, site = "http://127.0.0.1:8384/", Site({})
    pages = ExplainedPages(cast(Fetcher, site), Policy, FormTokens())
    mine = own_request(url, owner="anna", permit=anywhere)
    await pages.fresh(mine)
    token = pages.token(mine)
    for owner, shown in (("anna", token), ("bert", token), ("anna", "other")):
        link = own_request(url, owner=owner)
        await pages.recent(replace(link, query={**link.query, "shown": shown}))
    assert site.asked == [(url, anywhere), (url, public_only), (url, public_only)]
