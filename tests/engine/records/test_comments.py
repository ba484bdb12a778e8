"""Readers' comments stand apart from an article and are the content of a thread."""

from __future__ import annotations

from dataclasses import replace

import pytest

from winnow.document.document import Document
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Comments, Extraction, Format, Purpose, Recipe, Span
from winnow.engine.records.page_records import with_records

TEXT = "<p>" + "The ferry left the quay at dawn with ten cars aboard. " * 4 + "</p>"
SAID = "".join(
    f"<div class=one><b class=author>{who}</b> <time>3 May 2024</time><p>{words}</p></div>"
    for who, words in (("Ann", "Well said, I was there."), ("Bo", "So was I, it was cold."))
)


ALL = Extraction("all")


def judged(
    html: str, choice: Comments = Comments.FOLD, like: Extraction = ALL
) -> tuple[Document, Extraction]:
    document = Document.from_html(html)
    everything = replace(like, spans=(Span(0, len(document.text)),))
    return document, with_records(document, everything, choice)


def shown(html: str, form: Format, choice: Comments = Comments.FOLD) -> str:
    return renderer_for(Recipe(format=form)).render(*judged(html, choice)).body.decode()


@pytest.mark.parametrize(
    "opening",
    [
        "<div id=comments>",
        "<section class='wide comments-area'>",
        "<ol class=commentlist><li>",
        "<ol class=comment-list><li>",
        "<div id=disqus_thread>",
        "<div class='post-comments'>",
        "<div id=comment-1234>",
        "<div id=respond>",
        "<div id=kommentare>",
        "<ul class=lista-komentarzy>",
        "<div class=commentaires-list>",
        "<section id=comentarios>",
    ],
)
def test_comments_are_folded(opening: str) -> None:
    html = f"<main>{TEXT}{opening}{SAID}</main>"
    page = shown(html, Format.HTML)

    assert "Well said" not in shown(html, Format.TEXT)
    assert "Well said" in page.partition('<details id="winnow-comments">')[2]
    assert "Well said" not in page.partition("<details")[0]


@pytest.mark.parametrize(
    "opening",
    [
        "<div class=has-comments>",
        "<p class=comments-link>",
        "<span class=comment>",
        "<code class=comment>",
        "<div class=commentary>",
        "<div class=kommentar>",
        "<div class=opiniones>",
        "<div data-comments=1>",
    ],
)
def test_other_elements_are_not_comments(opening: str) -> None:
    assert "Well said" in shown(f"<main>{TEXT}{opening}{SAID}</main>", Format.TEXT)


def test_comments_may_be_kept_or_dropped() -> None:
    html = f"<main>{TEXT}<div id=comments>{SAID}</main>"

    assert "Well said" in shown(html, Format.TEXT, Comments.KEEP)
    assert "Well said" not in shown(html, Format.HTML, Comments.DROP)
    assert "winnow-comments" not in shown(html, Format.HTML, Comments.KEEP)


@pytest.mark.parametrize(
    "like",
    [
        replace(ALL, purpose=Purpose.THREAD),
        replace(ALL, purpose=Purpose.QUESTION),
        replace(ALL, page_type="forum"),
    ],
)
def test_they_are_the_content_of_a_thread(like: Extraction) -> None:
    document, found = judged(f"<main>{TEXT}<div id=comments>{SAID}</main>", like=like)

    assert not found.comments
    kept = [document.text[span.start : span.end] for span in found.spans]
    assert list(map(str.strip, kept[1:])) == ["Well said, I was there.", "So was I, it was cold."]


def test_where_nothing_else_is_left_they_are_the_text() -> None:
    assert "ferry" in shown(f"<h1>Ferries</h1><div id=comments>{TEXT}</div>", Format.TEXT)


@pytest.mark.parametrize(
    "opening",
    [
        "<div id=comments><div id=comment-12>",
        "<ol class=commentlist><li class='comment even'>",
        "<div id=kommentare><div id=kommentar-12>",
    ],
)
def test_a_section_of_one_comment_is_folded_where_its_name_leaves_no_doubt(opening: str) -> None:
    page = shown(f"<main>{TEXT}{opening}<p>Well said, I was there.</p></main>", Format.HTML)
    assert "Well said" in page.partition('<details id="winnow-comments">')[2]
    dropped = f"<main>{TEXT}{opening}<p>Well said, I was there.</p></main>"
    assert "Well said" not in shown(dropped, Format.HTML, Comments.DROP)


def test_an_essay_in_a_div_named_comment_is_no_comment() -> None:
    html = f"<main>{TEXT}<div class=comment><p>Well said, I was there.</p></div></main>"
    assert "Well said" in shown(html, Format.TEXT)
    nothing_marked = html.replace("class=comment", "id=comments")
    assert "Well said" in shown(nothing_marked, Format.TEXT)
