"""Markdown is read again by a CommonMark parser, and says what the article says."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from selectolax.lexbor import LexborHTMLParser

from tests.document.render.pages import shown
from tests.pages import golden
from winnow.document.document import Document
from winnow.document.render.render_context import RenderContext
from winnow.document.render.text.markdown import MarkdownRenderer, markdown_of
from winnow.document.values import Format

PURE = MarkdownIt("commonmark").enable(["table", "strikethrough"])
GITHUB = MarkdownIt("commonmark").enable(["table", "strikethrough"]).use(footnote_plugin)
BLOCKS = "p", "li", "td", "th", "blockquote", "b", "h2", "pre", "figcaption"


def text_of(markup: str) -> list[str]:
    """The words that a reader of the markup sees."""
    parsed = LexborHTMLParser(f"<body>{markup}")
    for gone in parsed.css("math, svg, img"):
        gone.decompose()
    assert parsed.body
    return parsed.body.text(separator=" ").split()


def letters(words: Sequence[str]) -> str:
    return "".join(words)


@pytest.mark.parametrize("name", golden.names())
def test_a_golden_page_says_the_same_when_it_is_read_again(name: str) -> None:
    document = Document.from_html((golden.FOLDER / name / "source.html").read_bytes(), golden.URL)
    view = RenderContext.of(document, golden.marked(document))
    article = view.article()
    text = markdown_of(article, golden.URL)
    again = GITHUB.use(dollarmath_plugin).render(text) if "$" in text else GITHUB.render(text)
    there = letters(text_of(again))
    lost = [word for word in text_of(article) if word not in there]
    signs = re.compile(r"[\W\d_]*\Z")
    assert [word for word in lost if not signs.match(word)] == []


@given(st.lists(st.tuples(st.sampled_from(BLOCKS), st.text(max_size=30)), max_size=6))
@example([("p", "1. a"), ("p", "# b"), ("p", "- c"), ("p", "> d"), ("p", "---"), ("p", "===")])
@example([("p", "## b"), ("p", ">d"), ("p", "~~~"), ("p", "- - -"), ("p", "~~x~~"), ("li", "# a")])
@example([("p", "[a](b)"), ("p", "[a]: b"), ("p", "<b>"), ("p", "&amp;"), ("p", "`x` *y* _z_")])
@example([("p", "__0__ a__b")])
@example([("td", "a | b"), ("li", "    x"), ("pre", "```\nx\n```"), ("p", "a\\")])
def test_text_comes_back_letter_by_letter(parts: list[tuple[str, str]]) -> None:
    escaped = [
        (name, re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", text)
         .replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))
        for name, text in parts
    ]  # fmt: skip
    wrapped = {
        "li": "<ul><li>{}</li></ul>",
        "td": "<table><tr><th>H</th></tr><tr><td>{}</td></tr></table>",
        "th": "<table><tr><th>{}</th></tr><tr><td>x</td></tr></table>",
        "b": "<p>a <b>{}</b> c</p>",
        "figcaption": "<figure><figcaption>{}</figcaption></figure>",
    }
    markup = "".join(
        wrapped.get(name, f"<{name}>{{}}</{name}>").format(text) for name, text in escaped
    )
    again = PURE.render(markdown_of(markup))
    assert letters(text_of(again)) == letters(text_of(markup))


def test_links_are_absolute_and_footnotes_lead_to_their_notes() -> None:
    page = (
        "<p>Boats float<sup><a href=#n1>[1]</a></sup>, see <a href=/a_(b)>there</a> and "
        "<a href=#part>below</a>.</p><p id=part>Below.</p>"
        "<ol><li id=n1>Archimedes said so. <a href=#r1>back</a></li></ol>"
    )
    text = shown(page, form=Format.MARKDOWN)
    assert "float[^1]" in text
    assert "[^1]: Archimedes said so." in text
    assert "[there](https://example.org/a_%28b%29)" in text
    assert "[below](https://example.org/news/story.html#part)" in text
    again = GITHUB.render(text)
    assert 'class="footnote-ref"' in again
    assert "Archimedes" in again.partition('class="footnotes"')[2]
    assert "Archimedes" in PURE.render(text)


def test_a_note_of_one_word_stays_an_item() -> None:
    """As a footnote it would be a link's definition to CommonMark, and lost."""
    page = "<p>Boats<a href=#n1>1</a>.</p><ol><li id=n1>Archimedes <a href=#r>back</a></li></ol>"
    assert "Archimedes" in PURE.render(shown(page, form=Format.MARKDOWN))


@pytest.mark.parametrize(
    ("markup", "kind"),
    [
        ('<div class="admonition note"><p>Note<p>Mind it.</div>', "NOTE"),
        ('<div class="admonition tip"><p>Mind it.</div>', "TIP"),
        ('<aside class="callout callout-danger"><p>Mind it.</aside>', "CAUTION"),
        ('<div class="markdown-alert markdown-alert-important"><p>Mind it.</div>', "IMPORTANT"),
        ('<div class="alert alert-warning">Mind it.</div>', "WARNING"),
        ('<div class="admonition">Mind it.</div>', "NOTE"),
    ],
)
def test_a_callout_keeps_its_kind(markup: str, kind: str) -> None:
    text = shown(f"<p>Before.</p>{markup}<p>After.</p>", form=Format.MARKDOWN)
    assert f"Before.\n\n> [!{kind}]\n> Mind it.\n\nAfter." in text
    assert f'<blockquote class="{kind.lower()}">' in shown(f"<p>Before.</p>{markup}")


@pytest.mark.parametrize(
    "markup", ["<p class=alerted>a</p>", "<p>callout</p>", "<b class=alert>a</b>"]
)
def test_no_other_element_is_a_callout(markup: str) -> None:
    assert "<blockquote" not in shown(f"<p>Before.</p>{markup}")


def test_code_tables_and_formulas() -> None:
    page = (
        "<pre><code class=language-c>a `b`\n```\n</code></pre>"
        "<table><tr><th>A<th>B<tr><td>1 | 2<td>3</table>"
        '<p>So <math alttext="E=mc^2"><mi>E</mi></math>.'
    )
    text = shown(page, form=Format.MARKDOWN)
    assert "````c\na `b`\n```\n````" in text
    assert "| 1 \\| 2 | 3 |" in text
    assert "So $E=mc^2$" in text
    again = GITHUB.render(text)
    assert '<code class="language-c">' in again
    assert "<td>1 | 2</td>" in again


def test_front_matter_says_what_is_known_and_nothing_else() -> None:
    page = (
        '<html lang=en><title>A "b": c\n---</title><meta name=author content="Ada Fenn">'
        '<meta property="article:published_time" content="2026-09-21">'
        "<link rel=license href=https://creativecommons.org/licenses/by/4.0/><p>Text.</p>"
    )
    document = Document.from_html(page, golden.URL)
    text = MarkdownRenderer(front=True).render(document, golden.marked(document)).body.decode()
    _, front, rest = text.split("---\n", 2)
    found = dict(line.split(": ", 1) for line in front.splitlines())
    values = {name: json.loads(value) for name, value in found.items()}
    assert values == {
        "title": 'A "b": c ---',
        "author": "Ada Fenn",
        "date": "2026-09-21",
        "address": golden.URL,
        "language": "en",
        "licence": "https://creativecommons.org/licenses/by/4.0/",
    }
    assert rest.startswith("\n")
    assert not shown(page, form=Format.MARKDOWN).startswith("---")
