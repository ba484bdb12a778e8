"""The JSON object of an extraction, each field with its meaning: its JSON Schema follows from it.

Imports no parser. What is not known is null.
"""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from winnow.document.purposes import Purpose

VERSION: Final = 1
"""Of the schema: raised when a field goes or changes its meaning, not when one is added."""


class Post(Struct, frozen=True):
    """One record of a thread, a question or a comment section."""

    kind: Annotated[str, Meta(description="post, question, answer, comment or review")]
    author: str | None
    time: Annotated[str | None, Meta(description="when it was written, as the page says it")]
    number: Annotated[str | None, Meta(description="its number on the page")]
    parent: Annotated[int | None, Meta(description="index in posts of the one that it answers")]
    accepted: Annotated[bool, Meta(description="whether it is the accepted answer")]
    votes: Annotated[int | None, Meta(description="readers who found it good, less the others")]
    text: Annotated[str, Meta(description="all of its body as plain text")]


class Facts(Struct, frozen=True):
    """What structured data say of the recipe, product, event or job that a page is about."""

    kind: Annotated[str, Meta(description="Recipe, Product, Event or Job")]
    pairs: Annotated[dict[str, str], Meta(description="price, times, place by name")]
    lists: Annotated[dict[str, list[str]], Meta(description="ingredients, steps, options by name")]


class TextBlock(Struct, frozen=True):
    """One block of textContent."""

    start: Annotated[int, Meta(ge=0, description="its first code point in textContent")]
    end: Annotated[int, Meta(ge=0, description="the one behind its last")]
    link: Annotated[str | None, Meta(description="address with a text fragment that leads there")]


class TextChanges(Struct, frozen=True):
    """What changed since the reader saved the page."""

    since: Annotated[str, Meta(description="when it was saved, ISO 8601")]
    added: Annotated[list[str], Meta(description="blocks of textContent that are new")]
    removed: Annotated[list[str], Meta(description="blocks that are there no more")]


class ArticleFields(Struct, frozen=True, rename="camel", kw_only=True):
    """An extraction as JSON."""

    title: Annotated[str | None, Meta(description="the title without the site's name")]
    byline: Annotated[str | None, Meta(description="the authors, as the page names them")]
    published_time: Annotated[str | None, Meta(description="day or moment in ISO 8601")]
    modified_time: Annotated[str | None, Meta(description="day or moment in ISO 8601")]
    site_name: Annotated[str | None, Meta(description="the site's name for itself")]
    lang: Annotated[str | None, Meta(description="language tag (BCP 47), declared or guessed")]
    dir: Annotated[str | None, Meta(description="ltr or rtl")]
    image: Annotated[str | None, Meta(description="address of the lead image")]
    license: Annotated[str | None, Meta(description="address of the licence, or words on rights")]
    excerpt: Annotated[str | None, Meta(description="the page's description, else 200 characters")]
    content: Annotated[str, Meta(description="clean HTML, without script, style and handlers")]
    text_content: Annotated[str, Meta(description="the plain text")]
    length: Annotated[int, Meta(ge=0, description="code points of textContent")]
    url: Annotated[str | None, Meta(description="the page's address")]
    extractor: Annotated[str, Meta(description="which extractor answered, with its parameters")]
    page_type: Annotated[str | None, Meta(description="article, forum, product and so on")]
    purpose: Annotated[Purpose | None, Meta(description="what the page is for")]
    confidence: Annotated[float, Meta(ge=0, le=1, description="0 to 1")]
    reasons: Annotated[list[str], Meta(description="why, in plain words")]
    reading_time_seconds: Annotated[int, Meta(ge=0, description="at 238 words a minute")]
    withheld_words: Annotated[int, Meta(ge=0, description="words that nobody sees on the page")]
    posts: Annotated[list[Post] | None, Meta(description="the records of a thread")]
    facts: Facts | None
    agreement: Annotated[
        Annotated[float, Meta(ge=0, le=1)] | None,
        Meta(description="mean word F1 with other methods; on request (details)"),
    ]
    blocks: Annotated[
        list[TextBlock] | None, Meta(description="of textContent; on request (details)")
    ]
    changes: Annotated[TextChanges | None, Meta(description="on request (since), by API")]


class SpanFields(Struct, frozen=True):
    """An extraction as spans: offsets in code points of ``text``."""

    text: Annotated[str, Meta(description="all of the page's visible text")]
    spans: Annotated[
        list[tuple[int, int, str]], Meta(description="start, end (behind the last), label")
    ]
