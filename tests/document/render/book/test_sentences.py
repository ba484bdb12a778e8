"""Sentences get an element each; nothing of the text is lost, and none is cut inside of another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from tests.document.render.book.test_epub import HARD
from winnow.document.render.book.sentences import LONGEST, mark_sentences, sentence_ends
from winnow.document.render.book.xhtml import xhtml_of


def split(text: str) -> list[str]:
    ends = sentence_ends(text)
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One. ", "Two! ", "Three?"]),
        ("Dr. Who met J. R. Smith at 3.14 p.m. sharp.", None),
        ("“It fell.” He ran… Away", ["“It fell.” ", "He ran… ", "Away"]),
        (
            "彼は来た。雨が降った。「寒い。」と言う",
            ["彼は来た。", "雨が降った。", "「寒い。」", "と言う"],
        ),
        ("Es war ca. 3 km weit, z. B. dort. Dann", ["Es war ca. 3 km weit, z. B. dort. ", "Dann"]),
        ("e.g. this. ok", None),
        ("", []),
    ],
)
def test_sentences_of_several_languages(text: str, sentences: list[str] | None) -> None:
    assert split(text) == ([text] if sentences is None else sentences)


@given(st.text(alphabet="ab.A 。!\n”", max_size=2000))
def test_sentences_join_to_the_text_and_are_short(text: str) -> None:
    assert "".join(split(text)) == text
    assert all(0 < len(each) <= LONGEST for each in split(text))


def marked(html: str) -> tuple[list[str], etree._Element, str]:
    body = xhtml_of(html, lambda _: "").body
    before = "".join(body.itertext())
    found = mark_sentences(body)
    for sentence in found:
        (element,) = body.xpath(f"//*[@id='{sentence.id}']")
        assert element.tail is None or element.tail.strip() == "" or not element.tail[:1].isalnum()
    return ["".join(text for _, text in each.parts) for each in found], body, before


def test_a_sentence_goes_through_inline_elements() -> None:
    found, body, _ = marked("<p>The river <b>rose overnight.</b> By <i>morning</i> it fell.</p>")
    assert [each.strip() for each in found] == ["The river rose overnight.", "By morning it fell."]
    assert etree.tostring(body).count(b":b>") == 2


def test_an_element_with_several_sentences_is_opened() -> None:
    found, _, _ = marked("<p><em>One two. Three four.</em> Five six.</p>")
    assert [each.strip() for each in found] == ["One two.", "Three four.", "Five six."]


def test_language_marks_cut_a_sentence_into_parts() -> None:
    body = xhtml_of('<p lang="en">He said <i lang="fr">bonjour</i> to us.</p>', lambda _: "").body
    (sentence,) = mark_sentences(body)
    assert sentence.parts == (("en", "He said "), ("fr", "bonjour"), ("en", " to us."))


def test_headings_begin_chapters() -> None:
    body = xhtml_of("<h2>Part  one</h2><p>Text.</p><h4>Small</h4>", lambda _: "").body
    assert [each.chapter for each in mark_sentences(body)] == ["Part one", "", ""]


def test_a_hard_article_keeps_its_text_and_order() -> None:
    found, body, before = marked(HARD)
    assert "".join(body.itertext()) == before
    places = [before.find("".join(each.split()[:1])) for each in found if each.strip()]
    assert all(place >= 0 for place in places)
    text = "".join(before.split())
    at = 0
    for each in found:
        at = text.index("".join(each.split()), at)


@given(
    st.recursive(
        st.sampled_from(
            [
                "One two. Three",
                " ",
                "x.",
                "。四",
                "<br>",
                "<img src='https://a.example/i' alt='A. B'>",
            ]
        ),
        lambda inner: st.tuples(
            st.sampled_from(
                [
                    "p",
                    "b",
                    "a href=https://a.example/",
                    "div",
                    "ul",
                    "li",
                    "td",
                    "math",
                    "span lang=de",
                ]
            ),
            st.lists(inner, max_size=4).map("".join),
        ).map(lambda pair: f"<{pair[0]}>{pair[1]}</{pair[0].split()[0]}>"),
        max_leaves=12,
    )
)
def test_no_text_is_lost_whatever_the_markup(html: str) -> None:
    _, body, before = marked(html)
    assert "".join(body.itertext()) == before
