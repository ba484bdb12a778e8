"""Posts of JSON-LD are found in the text, and name author and time of what markup leaves bare."""

from __future__ import annotations

import json

import numpy as np
import pytest

from winnow.document.document import Document
from winnow.document.values import Comments, Extraction, Purpose, Span
from winnow.engine.records.page_records import with_records
from winnow.engine.records.stated_posts import StatedPosts

SAID = (
    "My front wheel squeaks when it rains, and only then.",
    "Then it is the brake pads, I would say.",
    "A drop of oil where the spokes cross helps as well.",
)
NAMES = ("rider7", "chainoil", "Jo Fixit")
BARE = "".join(f"<div class=a><div class=b>{said}</div></div>" for said in SAID)


def page(body: str, *, texts: tuple[str, ...] = SAID, kind: str = "Comment") -> Document:
    posts = [
        {
            "@type": kind,
            "author": {"@type": "Person", "name": name},
            "dateCreated": f"2024-03-04T10:2{at}:00Z",
            "text": text,
        }
        for at, (name, text) in enumerate(zip(NAMES, texts, strict=True))
    ]
    return Document.from_html(
        f'<script type="application/ld+json">{json.dumps(posts)}</script><main>{body}</main>'
    )


def stated(document: Document) -> StatedPosts:
    return StatedPosts.of(document, document.inside_tags("blockquote"))


def records(document: Document) -> list[tuple[str, str, str]]:
    everything = Extraction("all", (Span(0, len(document.text)),), purpose=Purpose.THREAD)
    return [
        (one.author, one.time, document.text[one.spans[0].start : one.spans[-1].end])
        for one in with_records(document, everything, Comments.FOLD).records
    ]


def test_posts_are_found_by_their_words_whatever_the_markup() -> None:
    marked = "".join(f"<p>{said.replace(' it ', ' <b>it</b> ')}" for said in SAID)
    found = stated(page(marked)).posts
    assert [post.author for post in found] == list(NAMES)
    assert [post.time for post in found] == [f"2024-03-04T10:2{at}:00Z" for at in range(3)]


def test_bare_posts_are_records_by_what_is_stated() -> None:
    assert [(who, said) for who, _, said in records(page(BARE))] == list(
        zip(NAMES, SAID, strict=True)
    )


def test_a_first_post_outside_of_the_others_is_a_record() -> None:
    answers = "".join(
        f"<li class=post id=post-{at}><a class=username>{NAMES[at]}</a><time "
        f"datetime=2024-03-04T10:2{at}>then</time><div class=text>{SAID[at]}</div></li>"
        for at in (1, 2)
    )
    html = f"<header><div>{SAID[0]}</div></header><ul>{answers}</ul>"
    assert [who for who, _, _ in records(page(html))] == list(NAMES)


def test_a_short_first_post_does_not_swallow_what_is_next_to_it() -> None:
    html = f"<div>{SAID[0]}</div><section>{BARE.split('</div></div>', 1)[1]}</section>"
    assert [said for _, _, said in records(page(html))] == list(SAID)


def test_a_quotation_is_no_place_of_a_post() -> None:
    quoted = f"<blockquote>{SAID[0]}</blockquote>{BARE}"
    assert all(len(post.first) == 1 for post in stated(page(quoted)).posts)


def test_a_post_that_begins_with_a_quotation_is_found_by_its_end() -> None:
    texts = (SAID[0], f"rider7 said: {SAID[0]} {SAID[1]}", SAID[2])
    assert len(stated(page(BARE, texts=texts)).posts) == 3


@pytest.mark.parametrize("kind", ["Article", "Person", "WebPage"])
def test_what_is_no_post_is_not_looked_for(kind: str) -> None:
    assert stated(page(BARE, kind=kind)).posts == ()


def test_texts_that_are_nowhere_or_too_short_are_none() -> None:
    assert stated(page(BARE, texts=("Yes.", "Not on this page at all", "No"))).posts == ()


def test_of_several_posts_in_one_place_that_of_the_author_counts() -> None:
    document = page(BARE)
    found, own = stated(document), np.ones(len(document.pieces), dtype=np.bool_)
    post = found.within(own, 0, "Chainoil")
    assert post is not None
    assert post.author == "chainoil"
    assert found.within(own, 0, "nobody") is None
