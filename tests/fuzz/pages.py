"""Pages and recipes for fuzzing: scraps joined, known pages damaged, and things said too often.

Knows how inputs are made; refuses to know what is done with them.
"""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from tests.payloads import PAYLOADS
from winnow.document.values import Format, Page, PartLimits, Profile, Recipe
from winnow.extractors import registry
from winnow.extractors.contract import PAGES

_TAGS: Final = (
    "html head body title meta base link style script noscript template div p span a img table tr "
    "td th caption ul ol li dl dt dd h1 h2 h3 section article aside nav header footer main form "
    "input select option textarea button iframe object embed svg math mi foreignObject frameset "
    "frame pre code br hr b i em strong ruby rt video audio source picture details summary x-y"
).split()
_ATTRIBUTES: Final = (
    "",
    " class='main article-body content'",
    " id=comments",
    " style='display:none;position:absolute;width:9e99px'",
    " hidden",
    " href=/next?page=2",
    " src=a.jpg width=1 height=99999999999999999999",
    " colspan=1000000000 rowspan=-1",
    " lang=ar dir=rtl",
    " charset=utf-16",
    " content='text/html; charset=utf-7' http-equiv=content-type",
)
_OFTEN: Final = tuple(
    scrap * times
    for scrap, times in (
        (b"<div>", 3000),
        (b"<p>", 3000),
        (b"<table><tr><td>", 400),
        (b"<b><i><a href=x>", 300),
        (b"<a x=1 ", 2000),
        (b"<!--", 3000),
        (b"&amp", 3000),
        (b"&#x", 3000),
        (b"<li>a", 2000),
        (b"<br>", 3000),
        (b" ", 30_000),
        (b"\xc3", 10_000),
        (b"'\"<", 3000),
        (b"a.a@", 5000),
        (b"1,", 5000),
        (b"http://a.a/", 2000),
        ("́".encode(), 5000),
        ("字".encode(), 5000),
        (b"<svg><title>", 500),
        (b"<select><option>", 500),
        (b"<template>", 300),
    )
)
_KNOWN: Final = tuple(
    (page if isinstance(page, bytes) else page.encode("utf-8", "surrogatepass"))[:20_000]
    for page in PAGES.values()
)

_tag = st.builds(
    lambda name, attribute, end: f"<{end}{name}{attribute}>".encode(),
    st.sampled_from(_TAGS),
    st.sampled_from(_ATTRIBUTES),
    st.sampled_from(["", "", "/"]),
)
_payload = st.sampled_from([one for kind in PAYLOADS.values() for one in kind]).map(
    lambda text: text.encode("utf-8", "surrogatepass")
)
_words = st.text(max_size=30).map(lambda text: text.encode("utf-8", "surrogatepass"))
_sentence = st.sampled_from(
    [b"The river rose, and by morning the road was under water. " * n for n in (1, 4, 30)]
)
_scrap = st.one_of(_tag, _tag, _sentence, _words, _payload, st.binary(max_size=20))
_joined = st.lists(_scrap, max_size=25).map(b"".join)
_often = st.builds(lambda a, b, c: a + b + c, _joined, st.sampled_from(_OFTEN), _joined)


def _damage(page: bytes, cuts: list[tuple[int, int, bytes]]) -> bytes:
    for at, length, scrap in cuts:
        start = at % (len(page) + 1)
        page = page[:start] + scrap + page[start + length :]
    return page


_damaged = st.builds(
    _damage,
    st.sampled_from(_KNOWN),
    st.lists(st.tuples(st.integers(0, 20_000), st.integers(0, 40), _scrap), max_size=6),
)
pages: st.SearchStrategy[Page] = st.builds(
    Page,
    st.one_of(_joined, _joined, _joined, _damaged, _damaged, _often),
    st.sampled_from(["http://site.example/a?b=c", None]),
    st.sampled_from([None, None, "utf-8", "windows-1252", "utf-16le", "gb18030", "no-charset"]),
)
recipes: st.SearchStrategy[Recipe] = st.builds(
    Recipe,
    st.sampled_from(["auto", "auto", *registry.names(), "crunch:12", "crunch:modern=true"]),
    st.sampled_from(list(Format)),
    st.sampled_from(list(Profile)),
    link_prefix=st.sampled_from(["", "http://127.0.0.1:8080/"]),
    part=st.sampled_from([PartLimits(), PartLimits(2000)]),
)
