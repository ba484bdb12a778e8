"""A callout has the word of its kind above it where it begins with no title of its own."""

from __future__ import annotations

import pytest

from winnow.document.render.article.callouts import with_words
from winnow.document.texts.page_words import PageWords

TEXT = "Mind the gap between the train and the <b>platform</b>."
WORD = "<p><strong>Warnung</strong></p>"


def written(inside: str, kind: str = "warning") -> str:
    return f'<p>a</p><blockquote class="{kind}">{inside}</blockquote><p>b</p>'


@pytest.mark.parametrize(
    "inside",
    [f"<p>{TEXT}</p>", f"{TEXT}<br>More.", "<ul><li>one</li></ul>", "<p>Mind it.</p>", "No."],
)
def test_it_is_said_what_it_is(inside: str) -> None:
    assert with_words(written(inside), PageWords("de")) == written(WORD + inside)


@pytest.mark.parametrize("title", ["<p>Achtung</p>", "<h3>Gut zu <i>wissen</i></h3>", "Tipp:<p>"])
def test_a_title_of_its_own_is_enough(title: str) -> None:
    page = written(f"{title}<p>{TEXT}</p>")
    assert with_words(page, PageWords("de")) == page


def test_a_quotation_is_no_callout() -> None:
    page = f"<blockquote><p>{TEXT}</p></blockquote>"
    assert with_words(page, PageWords("en")) == page


def test_a_page_of_another_language_gets_an_english_word_that_is_marked() -> None:
    page = with_words(written(TEXT), PageWords("fi"))
    assert '<p><strong><span lang="en" dir="ltr">Warning</span></strong></p>' in page
