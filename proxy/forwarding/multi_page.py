"""The pages of one article as one: fetched one after another, each transformed, then joined."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from html import escape
from typing import Final

from winnow.document.values import BAR_MARK, BodyKind, Format, Page, Recipe, Rendered
from winnow.proxy.decisions.eligibility import HTML_TYPES
from winnow.proxy.decisions.policy import Policy, Transform
from winnow.proxy.http.headers import media_type, parameter
from winnow.proxy.http.messages import OriginResponse
from winnow.proxy.http.proxy_errors import ProxyError
from winnow.proxy.upstream.body import buffer_body, page_failure

Fetch = Callable[[str], Awaitable[Page | None]]
"""The page at an address; None where there is no page that could be joined."""
JOINABLE: Final = frozenset({BodyKind.PAGE, BodyKind.TEXT})


async def joined(
    first: Rendered, page: Page, recipe: Recipe, transform: Transform, fetch: Fetch
) -> Rendered:
    """The rendering with the pages after it, at most ``recipe.pages`` in all.

    A page that was there already (by its address or its bytes) ends it, and so does one that
    cannot be had or has no article: what was joined until then stays. Raises nothing of theirs.
    """
    if recipe.format.kind not in JOINABLE or recipe.scripts:
        return first
    seen, rendered = {page.url, hash(page.body)}, first
    parts: list[tuple[str, Rendered]] = []
    while rendered.next_page and len(parts) + 1 < recipe.pages:
        url = rendered.next_page
        if url in seen:
            break
        try:
            following = await fetch(url)
            if following is None or hash(following.body) in seen:
                break
            rendered = await transform(following, part_of(recipe, len(parts) + 2))
        except ProxyError:
            break
        if rendered.poor:
            break
        seen |= {url, hash(following.body)}
        parts.append((url, rendered))
    return _together(first, recipe.format, parts) if parts else first


async def page_of(reply: OriginResponse, policy: Policy, url: str) -> Page | None:
    """A response as a page that may be joined to another; None where it is none."""
    headers = reply.head.headers
    forbids = "no-transform" in headers.items("cache-control")
    if reply.head.status != 200 or media_type(headers) not in HTML_TYPES or forbids:
        return None
    buffered = await buffer_body(reply.read, headers.items("content-encoding"), policy)
    if buffered.failure or page_failure(buffered.body):
        return None
    return Page(buffered.body, url, parameter(headers.get("content-type"), "charset"))


def part_of(recipe: Recipe, number: int) -> Recipe:
    """How the ``number``-th page is made: of a reader page the article alone, as JSON holds it."""
    form = Format.JSON if recipe.format is Format.HTML else recipe.format
    return replace(recipe, format=form, number=number)


def _together(first: Rendered, form: Format, parts: list[tuple[str, Rendered]]) -> Rendered:
    body, join = first.body, _join_of(form)
    for number, (url, part) in enumerate(parts, 2):
        body = join(body, part.body, f"Page {number}", url)
    every = [first, *(part for _, part in parts)]
    return replace(
        first,
        body=body,
        words_kept=sum(each.words_kept for each in every),
        words_total=sum(each.words_total for each in every),
        next_page=every[-1].next_page,
    )


def _join_of(form: Format) -> Callable[[bytes, bytes, str, str], bytes]:
    if form.kind is BodyKind.TEXT:
        return _in_text
    return _in_pruned if form.keeps_styles else _in_reader


def _in_reader(body: bytes, part: bytes, name: str, url: str) -> bytes:
    content = json.loads(part).get("content") or ""
    return _before(b"</main>", body, _section(content.encode(), name, url))


def _in_pruned(body: bytes, part: bytes, name: str, url: str) -> bytes:
    content = part.partition(BAR_MARK)[2].rpartition(b"</body>")[0]
    return _before(b"</body>", body, _section(content, name, url))


def _in_text(body: bytes, part: bytes, name: str, url: str) -> bytes:
    return body.rstrip(b"\n") + b"\n\n" + part


def _section(content: bytes, name: str, url: str) -> bytes:
    head = f'<section aria-label="{name}"><p><a href="{escape(url)}">{name}</a></p>'
    return head.encode() + content + b"</section>"


def _before(tag: bytes, body: bytes, inserted: bytes) -> bytes:
    """The body with markup before the last of a closing tag; as it was where there is none."""
    head, found, tail = body.rpartition(tag)
    return head + inserted + found + tail if found else body
