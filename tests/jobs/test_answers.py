"""What a page comes to for who asked for data: an answer, or a reason with its status."""

from __future__ import annotations

import pytest

from winnow.document.values import Format, Recipe, Rendered
from winnow.jobs.answers import WITHOUT_ARTICLE, status_of, unanswered, whole_text


def test_formats_that_a_browser_shows_are_no_data() -> None:
    assert {form for form in Format if not form.is_data} == {Format.HTML, Format.PRUNED}


@pytest.mark.parametrize("reason", ["", "few-words", *WITHOUT_ARTICLE])
def test_only_a_page_without_an_article_is_no_answer(reason: str) -> None:
    failure = unanswered(Rendered(b"", "text/plain", "auto", poor=reason))
    assert (failure is not None) is (reason in WITHOUT_ARTICLE)
    if failure:
        assert (failure.reason, failure.message) == (reason, WITHOUT_ARTICLE[reason])
        assert status_of(reason) == 422


def test_a_reason_without_a_status_of_its_own_is_ours() -> None:
    assert (status_of("too-large"), status_of("never-heard-of")) == (413, 500)


def test_all_text_is_asked_for_by_a_method_that_leaves_out_nothing() -> None:
    assert whole_text(Recipe("bte")).extractor == "plain"
