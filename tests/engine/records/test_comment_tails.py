"""Comments that no class or id names stand apart where a line heads them and they are signed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.engine.records.test_comments import ALL, TEXT, shown
from winnow.document.document import Document
from winnow.document.values import Comments, Extraction, Format, Purpose, Span
from winnow.engine.records.page_records import with_records
from winnow.extractors.base import spans_of_pieces

ONE = "<p>Well said, I was there.</p><p>Posted by: Ann | Mar 20, 2007 10:19 PM</p>"
TWO = "<p>So was I, it was cold.</p><p>Posted by: Bo | Mar 21, 2007 11:02 AM</p>"
LINKS = "<p>TrackBack</p><p>Listed below are links to weblogs: https://example.net/tb/1</p>"


@pytest.mark.parametrize(
    "head",
    [
        "<h2>Comments</h2>",
        "<p>2 comments</p>",
        "<h3>Comments (2)</h3>",
        "<p>{ 2 comments\u2026 read them below or add one }</p>",
        "<h4>2 responses to \u201cThe ferry\u201d</h4>",
        "<h3>2 users responded in \u201c The ferry \u201d</h3>",
        "<h3>Kommentare: 2</h3>",
        "<h3>Komentarze (2)</h3>",
        "<span>Opinie (1103)</span>",
        "<h3>Opinie czytelników</h3>",
        "<h3>KOMENTARZE</h3>",
        "<h3>Комментарии: 2</h3>",
        "<h3>Все комментарии</h3>",
        "<h3>2 комментария</h3>",
        "<h3>Σχόλια (2)</h3>",
        "<h3>Hozzászólások</h3>",
        "<h3>Yorumlar (2)</h3>",
        "<h3>网友评论</h3>",
        "<h3>2条评论</h3>",
        "<h3>コメント（2件）</h3>",
        "<h3>댓글 2개</h3>",
        "<h3>التعليقات (2)</h3>",
        "<h3>Komentáře (2)</h3>",
        "<h3>Komentari (2)</h3>",
        "<h3>Comentarii (2)</h3>",
        "<h3>Kommentarer (2)</h3>",
        "<h3>Kommentit (2)</h3>",
        "<h3>Bình luận (2)</h3>",
        "<h3>Коментарі (2)</h3>",
        "<h3>Отзывы (2)</h3>",
        "<h3>نظرات (2)</h3>",
        "<h3>תגובות (2)</h3>",
        "<h3>ความคิดเห็น (2)</h3>",
        "<h3>टिप्पणियाँ (2)</h3>",
    ],
)
def test_a_headed_and_signed_stretch_behind_the_text_is_comments(head: str) -> None:
    html = f"<div>{TEXT}{head}{ONE}{TWO}</div>"

    assert "Well said" not in shown(html, Format.TEXT)
    assert "ferry left the quay" in shown(html, Format.TEXT)
    assert "Well said" in shown(html, Format.HTML).partition('<details id="winnow-comments">')[2]
    assert "Well said" in shown(html, Format.TEXT, Comments.KEEP)


@pytest.mark.parametrize(
    "html",
    [
        f"{TEXT}<h2>Comments of the mayor</h2>{ONE}{TWO}",
        f"{TEXT}<p>Comments: 0</p>{ONE}{TWO}",
        f"{TEXT}<p>Комментарии: 0</p>{ONE}{TWO}",
        f"{TEXT}<h2>Opinie</h2>{ONE}{TWO}",
        f"{TEXT}<h2>Comments</h2><p>Well said, I was there.</p>",
        f"{TEXT}<p><a href=#c>2 comments</a></p>{ONE}",
        f"<h2>Comments</h2>{ONE}{TWO}",
        f"{TEXT * 3}<h2>Comments</h2>{ONE}",
        f"{TEXT}<p>2 comments</p><h2><a href=/next>The next</a></h2>{ONE}",
        f"{TEXT}<h2>Comments</h2><p>{'Well said, I was there. ' * 70}</p><p>Mar 20, 2007</p>",
    ],
)
def test_other_stretches_are_text(html: str) -> None:
    assert "Well said" in shown(html, Format.TEXT)


@pytest.mark.parametrize("reply", ["Reply", "odpowiedz", "Ответить", "Antworten", "返信", "رد"])
def test_a_line_that_answers_is_a_sign_of_a_comment(reply: str) -> None:
    html = f"{TEXT}<h2>Comments</h2><p>{'Well said, I was there. ' * 5}</p>"

    assert "Well said" in shown(html, Format.TEXT)
    assert "Well said" not in shown(f"{html}<p>{reply}</p>", Format.TEXT)


def test_links_of_other_sites_right_before_comments_go_with_them() -> None:
    text = shown(f"{TEXT}{LINKS}<h3>Comments</h3>{ONE}{TWO}", Format.TEXT)

    assert "weblogs" not in text
    assert "ferry left the quay" in text


def test_an_article_whose_comments_are_numbered_as_posts_is_no_thread() -> None:
    numbered = "".join(f"<div id=p{at}00>{one}</div>" for at, one in enumerate((ONE, TWO, ONE)))
    html = f"{TEXT}<h2>Comments</h2>{numbered}"

    assert "Well said" not in shown_as(html, replace(ALL, page_type="article"))
    assert "Well said" in shown_as(html, replace(ALL, page_type="listing"))


def test_a_story_above_its_discussion_is_no_thread() -> None:
    said = f"<div id=comment-1>{ONE}</div><div id=comment-2>{TWO}</div>"
    html = f"{TEXT * 2}<section id=comments>{said}</section>"

    assert "Well said" not in shown_as(html, replace(ALL, page_type="forum"))
    assert "Well said" in shown_as(html, replace(ALL, purpose=Purpose.THREAD))


def shown_as(html: str, like: Extraction) -> str:
    document = Document.from_html(html)
    everything = replace(like, spans=(Span(0, len(document.text)),))
    found = with_records(document, everything, Comments.FOLD)
    return " ".join(document.text[span.start : span.end] for span in found.spans)


def test_dated_headlines_that_were_left_out_sign_nothing() -> None:
    news = "".join(f"<li><a href=/{at}>The ferry of May {at}, 2024</a></li>" for at in range(1, 9))
    html = f"<div>{TEXT}<p>Comments (2)</p>{TEXT * 2}<ul>{news}</ul>{TEXT * 5}</div>"
    document = Document.from_html(html)
    links = document.inside_tags("ul")
    text = replace(ALL, spans=spans_of_pieces(document, ~links))

    assert with_records(document, text, Comments.FOLD).spans == text.spans


def test_a_text_that_the_method_is_sure_of_is_folded_only_where_it_is_signed() -> None:
    paragraph = "<p>The harbour was quiet that day, and nobody spoke of the ferry again.</p>"
    html = f"<div>{TEXT}<h3>Comments</h3>{ONE * 8}{paragraph * 40}{TWO}</div>"
    document = Document.from_html(html)
    every = replace(ALL, spans=(Span(0, len(document.text)),))
    at = [i for i in range(len(document.text)) if document.text.startswith("The harbour", i)]
    prose = tuple(Span(start, start + 70) for start in at)

    for sure, is_folded in (((), True), (prose[:20], True), (prose, False)):
        found = with_records(document, replace(every, sure=sure), Comments.FOLD)
        assert bool(found.comments) is is_folded
