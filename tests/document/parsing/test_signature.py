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

_TEXT = (
    "<p>The river rose by nine centimetres in one night, and by morning the lower town was under"
    " water. Nobody had seen it so high before, the mayor said, not even in her childhood.</p>"
)
_TEASER = (
    "<h2><a href=/{0}>The bridge of stone number {0} is shut</a></h2><p>It stands in the water"
)
_ITEMS = "<ul><li>first of all boats<li>then a great many sacks<li>and at last the pumps</ul>"
_SAID = (
    "<p class=cmt>Ann: I saw it from the bridge, and it was as high as in the year of my birth,"
    " on my word, neighbour.</p>"
)
_ANSWERS = f"<div class=cmt><b>Ann</b><time>2026-03-01</time>{_SAID}</div>" * 3
_NAMES = "commentlist respond disqus_thread comentarios reacties yorumlar hozzaszolasok".split()
_ANSWERED = "<article><h1>Water</h1>{1}<div id={0}>{2}</div></article>"
_NUMBERS = "<a id=p1></a><a id=p2></a><a id=p3></a>"
HOLDING = {
    "names at the end": f"{_TEXT * 9}<footer><a rel=author>Jane Doe</a></footer>",
    "a direction": f"<body dir=rtl>{_TEXT}",
    "a date": f"{_TEXT}<time itemprop=datePublished datetime=2026-03-09>lately</time>{_TEXT}",
    "a gallery": f"{_TEXT * 3}<ul><li><img src=/a><li><img src=/b></ul>{_TEXT * 3}",
    "meanings without terms": f"{_TEXT * 3}<dl><dd>The bank of a river.</dl>{_TEXT * 3}",
    "a note": f"{_TEXT * 3}<div class=admonition><p>Mind it.</div>{_TEXT * 3}",
    "an infobox": "<table class=infobox><tr><th>Length<td>twelve km<tr><th>Mouth<td>the great sea"
    f"</table>{_TEXT * 4}",
    "a link to itself": f"{_TEXT}<h2 id=u>Up<a class=headerlink href=#u>here</a></h2>{_TEXT * 3}",
    "a link to edit": f"{_TEXT}<h2>Up<span class=mw-editsection>[edit]</span></h2>{_TEXT * 3}",
    "a file": f"<main>{_TEXT * 3}<p><a href=/levels.pdf>All levels</a></p></main>",
    "a list twice": f"{_TEXT * 3}{_ITEMS}{_ITEMS}{_TEXT * 3}",
    "teasers twice": f"{_TEXT}{''.join(map(_TEASER.format, (1, 2, 3, 1, 2, 3)))}",
    "fields": "<p>Write to us, please.<form>" + "<input type=text name=a>" * 6 + "</form>",
    "a heading at the end": f"{_TEXT * 3}<h2>And by the evening of the next day the river went down"
    " again, and the town was dry</h2>",
    "numbers of posts": _NUMBERS + _ANSWERED.format("yorumlar", _TEXT * 3, _SAID * 3),
    **{f"answers in {name}": _ANSWERED.format(name, _TEXT * 9, _ANSWERS) for name in _NAMES},
    "an error": "<title>Town</title><h1>Page not found</h1><p>Go home.",
}
"""What no written page has so that it is seen, by what a step acts on."""
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


@pytest.mark.parametrize("body", HOLDING.values(), ids=HOLDING)
def test_what_a_step_acts_on_is_seen(body: str) -> None:
    assert not differences(Page(body.encode(), "https://example.org/a/b.html"))


@pytest.mark.parametrize("seeds", every_nth_and_all(range(20_000), 100))
def test_a_mutated_page_is_shown_as_if_every_step_were_entered(seeds: range) -> None:
    for seed in seeds:
        page = signed(mutated.page(seed), seed)
        try:
            found = differences(Page(page, "https://example.org/a/b.html"))
        except TooComplexError:
            continue
        assert not found, seed
