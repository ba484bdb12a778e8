"""How long a short text is in its script, and what else a page may be read for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.document.document import Document
from winnow.document.render.reader.reader_page import ReaderRenderer
from winnow.document.spans import Span
from winnow.document.values import Extraction, Purpose, Recipe
from winnow.engine.purpose.fallback import PageTreatment
from winnow.engine.purpose.short_pages import holds_more, length_of
from winnow.jobs.quality import QualityLimits

WORDS = "The ferry runs again. "


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("- - !", 0),
        ("The ferry runs again.", 4),
        ("Lautta kulkee jälleen saaristossa.", 6),  # four words, of thirty letters
        ("渡轮又开始运行了", 5),
        ("フェリーがはしる", 2),
        ("เรือข้ามฟากกลับมาแล้ว", 5),
        ("Ferry 渡轮又开始", 4),
    ],
)
def test_a_text_is_as_long_as_its_letters_say(text: str, words: int) -> None:
    assert length_of(text) == words


@given(st.text(), st.text())
def test_a_longer_text_is_no_shorter(text: str, more: str) -> None:
    assert length_of(f"{text} {more}") >= length_of(text)


@pytest.mark.parametrize(
    ("content", "is_more"),
    [
        ("", False),
        ("<img src=a>", False),
        ("<img src=a width=40 height=40>", False),
        ("<img src=a width=640 height=480>", True),
        ("<figure><img src=a></figure>", True),
        ("<figure><img src=a width=16></figure>", False),
        ("<video src=a></video>", True),
        ("<iframe src=a width=1 height=1></iframe>", False),
        ("<svg><path d=M0/></svg>", False),
        ("<pre>make run</pre>", True),
        ("<pre> </pre>", False),
    ],
)
def test_a_picture_a_player_and_code_are_more_than_words(content: str, is_more: bool) -> None:
    document = Document.from_html(f"<p>Look:{content}")
    assert holds_more(document, Extraction("x", (Span(0, len(document.text)),))) == is_more
    assert not holds_more(document, Extraction("x", ()))


@pytest.mark.parametrize(
    ("text", "is_shown"),
    [
        ("渡轮又开始运行了，每二十分钟一班。", False),  # 15 letters, 15 words elsewhere
        ("渡轮又开始运行了，每二十分钟一班。" * 2, False),
        ("渡轮又开始运行了，每二十分钟一班。" * 3, True),
        (WORDS, False),
        (WORDS * 5, True),
        (f"{WORDS}<figure><img src=/f.jpg></figure>", True),
    ],
)
def test_a_short_page_is_an_article_if_it_says_or_holds_enough(text: str, is_shown: bool) -> None:
    document = Document.from_html(f"<nav>{'Home and News ' * 9}</nav><p>{text}</p>")
    begins = document.text.index(text[:3])
    found = Extraction("x", (Span(begins, len(document.text)),), purpose=Purpose.ARTICLE)
    page = PageTreatment(
        document, Recipe(), lambda each: ReaderRenderer().render(document, each), QualityLimits()
    )
    assert page(found).poor == ("" if is_shown else "few-words")


@pytest.mark.parametrize(("letters", "poor"), [(390, "few-words"), (410, "")])
def test_letters_are_counted_however_many_words_are_asked_for(letters: int, poor: str) -> None:
    document = Document.from_html(f"<p>{'渡' * letters}</p>")
    found = Extraction("x", (Span(0, len(document.text)),), purpose=Purpose.ARTICLE)
    limits = replace(QualityLimits(), min_words=250)
    page = PageTreatment(
        document, Recipe(), lambda each: ReaderRenderer().render(document, each), limits
    )
    assert page(found).poor == poor
