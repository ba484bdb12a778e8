"""The article that a page carries as data is found, whatever program wrote it, and nothing else."""

from __future__ import annotations

import json
import re
from html import escape
from typing import Any

import pytest

from winnow.document.document import Document
from winnow.document.page_state.carried_text import carried_text

TITLE = "The river rose again"
FIRST = "The river rose by nine centimetres on Friday, the town of Hall says, and more rain is due."
SECOND = "Nobody was hurt, but two cellars were flooded; the old bridge stays closed until Monday."
THIRD = "Volunteers have filled four hundred bags with sand, and the school is open to everybody."
TEXTS = (FIRST, SECOND, THIRD)
HTML = "".join(f"<p>{text}</p>" for text in TEXTS)
OTHER = {"title": "A bakery closes", "body": "<p>The bakery at the market has closed.</p>" * 3}


def shell(script: str, attributes: str = "") -> Document:
    """A page of an application that has drawn nothing."""
    return Document.from_html(
        f"<!doctype html><title>{TITLE} | Hall Courier</title>"
        f"<div id=root {attributes}></div>{script}"
    )


def data(value: Any, name: str = "__NEXT_DATA__") -> str:
    return f"<script id={name} type=application/json>{json.dumps(value)}</script>"


def spans(text: str) -> list[dict[str, Any]]:
    first, last = text[:30], text[30:]
    return [{"_type": "span", "text": first}, {"_type": "span", "marks": ["strong"], "text": last}]


PORTABLE = [{"_type": "block", "style": "normal", "children": spans(text)} for text in TEXTS]
PROSEMIRROR = {
    "type": "doc",
    "content": [
        {"type": "paragraph", "content": [{"type": "text", "text": text}]} for text in TEXTS
    ],
}
DRAFT = {"blocks": [{"type": "unstyled", "text": text} for text in TEXTS], "entityMap": {}}
CONTENTFUL = {
    "nodeType": "document",
    "content": [
        {"nodeType": "paragraph", "content": [{"nodeType": "text", "value": text, "marks": []}]}
        for text in TEXTS
    ],
}
EDITOR_JS = {"blocks": [{"type": "paragraph", "data": {"text": text}} for text in TEXTS]}
POSTS = {"posts": [{"id": at, "cooked": f"<p>{text}</p>"} for at, text in enumerate(TEXTS)]}
DRAWN = [["$", "p", None, {"children": text}] for text in TEXTS]
ROW = json.dumps(["$", "article", None, {"children": DRAWN}])
STATE = json.dumps({"title": TITLE, "body": HTML})
TOPIC = json.dumps({"topic": json.dumps({"title": TITLE, **POSTS})})
FLAGS = {f"f{at}": f"Passes the parameter {at} on to the player of all pages" for at in range(20)}
FLAT = [{"title": 1, "body": 2}, TITLE, HTML]
LINKED = {"@type": "NewsArticle", "headline": TITLE, "articleBody": "\n\n".join(TEXTS)}

SHELLS = {
    "html": shell(data({"props": {"article": json.loads(STATE), "more": [OTHER] * 4}})),
    "html, escaped": shell(data({"title": TITLE, "body": escape(HTML)})),
    "plain text": shell(data({"article": {"title": TITLE, "text": "\n\n".join(TEXTS)}})),
    "portable text": shell(data({"post": {"title": TITLE, "body": PORTABLE}, "more": [OTHER]})),
    "prosemirror": shell(data({"post": {"title": TITLE, "doc": PROSEMIRROR}})),
    "draft.js": shell(data({"post": {"title": TITLE, "raw": DRAFT}})),
    "contentful": shell(data({"post": {"title": TITLE, "fields": CONTENTFUL}})),
    "editor.js": shell(data({"post": {"title": TITLE, "content": EDITOR_JS}})),
    "nuxt": shell(data(FLAT, "__NUXT_DATA__")),
    "assigned": shell(f"<script>window.__STATE__ = {STATE};</script>"),
    "assigned, quoted name": shell(
        f"<script>window['__STATE__']={STATE}</script>"
    ),
    "parsed": shell(
        "<script>window.__APOLLO_STATE__ = JSON.parse("
        f"{json.dumps(json.dumps({'Article:1': {'title': TITLE, 'body': HTML}}))})</script>"
    ),
    "react rows": shell(
        f"<script>self.__next_f.push([1,{json.dumps('a:' + ROW[:99])}])</script>" + " " * 200
        + f"<script>self.__next_f.push([1,{json.dumps(ROW[99:])}])</script>"
    ),
    "remix stream": shell(
        "<script>window.__reactRouterContext.streamController.enqueue("
        f"{json.dumps(json.dumps([{'_1': 2}, 'title', TITLE, 'body', HTML]))});</script>"
    ),
    "inertia": shell("", f"data-page='{escape(STATE)}'"),
    "discourse": shell(
        "", f"data-preloaded='{escape(TOPIC)}'"
    ),
    "linked data": shell(f"<script type=application/ld+json>{json.dumps(LINKED)}</script>"),
}  # fmt: skip


@pytest.mark.parametrize("name", SHELLS)
def test_the_article_is_found_and_nothing_beside_it(name: str) -> None:
    found = carried_text(SHELLS[name])
    assert found is not None
    shown = " ".join(re.sub(r"<[^<>]*>", " ", found.markup).split())
    for text in TEXTS:
        assert shown.count(text) == 1
    assert len(shown) < len(" ".join(TEXTS)) + len(TITLE) + 5


def test_the_place_and_the_title_are_told() -> None:
    found = carried_text(SHELLS["html"])
    assert found is not None
    assert (found.source, found.title) == ("__NEXT_DATA__", TITLE)


def test_headings_and_lists_of_rich_text_stay_what_they_are() -> None:
    blocks = [
        {"_type": "block", "style": "h3", "children": spans("What the town asks of everybody now")},
        *PORTABLE,
        {"type": "list-item", "children": spans("Stay away from the old bridge until Monday.")},
    ]
    found = carried_text(shell(data({"title": TITLE, "body": blocks})))
    assert found is not None
    assert "<h3>What the town asks of everybody now</h3>" in found.markup
    assert "<li>Stay away from the old bridge until Monday.</li>" in found.markup


@pytest.mark.parametrize(
    "value",
    [
        {"flags": FLAGS},
        {"messages": {"title": "Sign in", "text": " ".join(TEXTS)}},
        {"title": TITLE, "teaser": "The river rose by nine centimetres on Friday."},
        {"title": TITLE, "code": "function (a) { return a.b.c.d(e); } " * 20},
        "x" * 1000,
        [[[[]]]],
    ],
)  # fmt: skip
def test_what_a_program_says_is_no_article(value: object) -> None:
    assert carried_text(shell(data(value))) is None


def test_a_value_nested_without_end_costs_no_more_than_its_bound() -> None:
    text = "[" * 3000 + json.dumps(HTML) + "]" * 3000
    script = f"<script type=application/json>{text}</script>"
    assert carried_text(shell(script)) is None
