"""The tools: ``read``, ``links`` and ``search_in_page``; or, by a key of its own, ``saved`` alone.

Who may read saved pages fetches nothing here: no page can have them carried out by an address.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import unescape
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from winnow.features.extension.extract_api import ExtractApi
from winnow.features.mcp.offered_tool import OfferedTool, ToolAnswer
from winnow.features.saved.stores.saved_page import PageQuery, SavedEntry
from winnow.features.saved.stores.saved_page_store import SavedPageStore
from winnow.jobs.text_parts import PartError, part_of
from winnow.proxy.access.private_addresses import public_only
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.request_target import parse_url
from winnow.proxy.http.sentences import says
from winnow.proxy.own.router import OwnRequest, OwnResponse

MOST_TOKENS: Final = 16_000
MOST_LINKS: Final = 200
_AROUND: Final = 300
"""Characters on either side of a word that was searched."""
_LINK: Final = re.compile(r'<a [^<>]*?\bhref="(https?://[^"]*)"[^<>]*>(.*?)</a>', re.DOTALL)
"""In sanitised markup all attributes are quoted and escaped."""
_TAG: Final = re.compile(r"<[^<>]*>")
_Url = Annotated[str, Meta(max_length=4096, description="the page's address, http or https")]
_Words = Annotated[str, Meta(min_length=1, max_length=200)]
_Tokens = Annotated[int, Meta(ge=1, le=MOST_TOKENS, description="the most of its text, roughly")]
_Offset = Annotated[str, Meta(max_length=64, description="where it goes on, as an answer said")]


class ReadArguments(Struct, frozen=True, forbid_unknown_fields=True):
    url: _Url
    max_tokens: _Tokens = 4000
    offset: _Offset = ""
    selector: Annotated[str, Meta(max_length=512, description="a part of the page, in CSS")] = ""
    fallback: Annotated[
        Literal["none", "text"], Meta(description="text: all text where there is no article")
    ] = "none"


class LinksArguments(Struct, frozen=True, forbid_unknown_fields=True):
    url: _Url
    start: Annotated[int, Meta(ge=0, description="how many links to pass over")] = 0


class SearchArguments(Struct, frozen=True, forbid_unknown_fields=True):
    url: _Url
    words: _Words
    most: Annotated[int, Meta(ge=1, le=20)] = 5


class SavedArguments(Struct, frozen=True, forbid_unknown_fields=True):
    words: Annotated[str, Meta(max_length=200, description="searched in saved pages")] = ""
    number: Annotated[int, Meta(ge=0, description="a page of the list, to be read; 0: none")] = 0
    max_tokens: _Tokens = 4000
    offset: _Offset = ""


def page_tools(api: ExtractApi, request: OwnRequest) -> Sequence[OfferedTool]:
    """Those that fetch a page, for who sent ``request``, from public addresses alone."""

    async def fetched(**query: str) -> OwnResponse:
        head = replace(request.head, method="GET", headers=Headers())
        return await api(replace(request, head=head, query=query, upload=None, permit=public_only))

    async def read(asked: ReadArguments) -> ToolAnswer:
        query = {"max_tokens": str(asked.max_tokens), "fallback": asked.fallback}
        query |= {"offset": asked.offset} if asked.offset else {}
        query |= {"selector": asked.selector} if asked.selector else {}
        response = await fetched(url=asked.url, format="markdown", details="front-matter", **query)
        return _page_answer(parse_url(asked.url).url, response)

    async def links(asked: LinksArguments) -> ToolAnswer:
        response = await fetched(url=asked.url, format="json", extractor="plain")
        found = await asyncio.to_thread(_links, response.body)
        shown = found[asked.start : asked.start + MOST_LINKS]
        about = f"Links {asked.start + 1} to {asked.start + len(shown)} of {len(found)}."
        lines = "\n".join(f"- [{text}]({address})" for address, text in shown)
        return ToolAnswer(about, lines)

    async def search(asked: SearchArguments) -> ToolAnswer:
        response = await fetched(url=asked.url, format="text", extractor="plain")
        text = response.body.decode()
        places = await asyncio.to_thread(_places, text, asked.words)
        shown = "\n\n".join(_passage(text, *place) for place in places[: asked.most])
        about = f"{min(len(places), asked.most)} of {len(places)} places."
        return ToolAnswer(about, shown)

    return (
        OfferedTool("read", "A page's article as Markdown, without menus.", ReadArguments, read),
        OfferedTool("links", "The links of a page, in order, each once.", LinksArguments, links),
        OfferedTool(
            "search_in_page", "Where words stand in a page's text.", SearchArguments, search
        ),
    )


def saved_tools(store: SavedPageStore, owner: str) -> Sequence[OfferedTool]:
    """The one that reads an owner's saved pages."""

    async def saved(asked: SavedArguments) -> ToolAnswer:
        if not asked.number:
            entries = await store.find(owner, PageQuery(asked.words, limit=20))
            return ToolAnswer(f"{len(entries)} saved pages.", "\n".join(map(_entry, entries)))
        page = await store.page(owner, asked.number)
        if page is None:
            raise ClientFaultError(says("There is no such saved page."), 404, "not-found")
        try:
            part = part_of(page.text.encode(), asked.offset, asked.max_tokens)
        except PartError as error:
            raise ClientFaultError(str(error), 400, "bad-parameter") from error
        about = _going_on(f"A saved page of {page.url}.", part.following)
        return ToolAnswer(about, part.body.decode())

    description = "Saved pages: a list by words, or the text of one by its number."
    return (OfferedTool("saved", description, SavedArguments, saved, is_open=False),)


def _page_answer(url: str, response: OwnResponse) -> ToolAnswer:
    fields: Mapping[str, str] = {name.lower(): value for name, value in response.fields}
    about = f"Text of {url} ({fields['winnow-reason']})."
    if withheld := fields.get("winnow-withheld-words"):
        about += f" {withheld} words of the page were left out."
    text = response.body.decode("utf-8", "replace")[: MOST_TOKENS * 8]
    return ToolAnswer(_going_on(about, fields.get("winnow-next-offset", "")), text)


def _going_on(about: str, following: str) -> str:
    return f"{about} It goes on at offset={following}." if following else about


def _links(body: bytes) -> Sequence[tuple[str, str]]:
    """Address and text, each address once, of a page in JSON."""
    found: dict[str, str] = {}
    for address, markup in map(re.Match.groups, _LINK.finditer(json.loads(body)["content"])):
        text = " ".join(unescape(_TAG.sub(" ", markup)).split())
        found.setdefault(unescape(address), text[:200])
    return tuple(found.items())


def _places(text: str, words: str) -> Sequence[tuple[int, int]]:
    """Where words stand in any case: by linear time, as re.IGNORECASE is not."""
    searched, wanted = (each.replace("İ", "i").lower() for each in (text, words))
    return [found.span() for found in re.finditer(re.escape(wanted), searched)]


def _passage(text: str, start: int, end: int) -> str:
    """The text around a place, from a word's beginning to a word's end."""
    begin, stop = max(0, start - _AROUND), min(len(text), end + _AROUND)
    before = text[begin:start].partition(" ")[2] if begin else text[:start]
    behind = text[end:stop].rpartition(" ")[0] if stop < len(text) else text[end:]
    return f"{before}{text[start:end]}{behind}".strip()


def _entry(entry: SavedEntry) -> str:
    return f"{entry.number}: {entry.page.title or entry.page.url} ({entry.page.url})"
