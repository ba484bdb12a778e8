"""A choice is asked for once more, in the user's language, before it counts."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.proxy.own.templates.support import assert_sound, attribute, parsed, text
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.own.templates.choice_forms import ChoiceAction, ChoiceRequest, read_confirmed
from winnow.proxy.own.templates.confirmation import confirmation_page, stale_page
from winnow.proxy.own.translation import Language, speaking

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
TOKENS = FormTokens()
OWNER = "192.168.1.5"


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(
    ("action", "value"),
    [
        ("always", ""),
        ("never", ""),
        ("extractor", "bte"),
        ("level", "7"),
        ("forget", ""),
        ("original", ""),
    ],
)
def test_each_choice_is_named_and_its_form_holds(
    action: str, value: str, language: Language
) -> None:
    wish = ChoiceRequest(ChoiceAction(action), "https://www.example.com/a", value)
    with speaking(language):
        page = confirmation_page(wish, TOKENS, NOW, OWNER)
    assert_sound(page, language.value)
    assert "example.com" in text(page)
    assert value in text(page)
    form = parsed(page).css_first('form[method="post"][action="/-/choose"]')
    assert form is not None
    fields = {attribute(node, "name"): attribute(node, "value") for node in form.css("input")}
    assert read_confirmed(fields, frozenset({"bte"}), TOKENS, NOW, OWNER) == wish


def test_it_is_shown_in_no_frame_and_no_site_that_opened_it_keeps_its_window() -> None:
    wish = ChoiceRequest(ChoiceAction.NEVER, "https://www.example.com/a")
    headers = confirmation_page(wish, TOKENS, NOW, OWNER).headers
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Cache-Control"] == "no-store"


def test_the_way_back_is_the_page() -> None:
    wish = ChoiceRequest(ChoiceAction.NEVER, "https://www.example.com/a?b=1&c=2")
    page = confirmation_page(wish, TOKENS, NOW, OWNER)
    assert attribute(parsed(page).css_first("form + a"), "href") == wish.page


def test_the_answer_comes_before_the_link_to_the_settings() -> None:
    page = confirmation_page(
        ChoiceRequest(ChoiceAction.NEVER, "https://www.example.com/a"), TOKENS, NOW, OWNER
    )
    order = [node.tag for node in parsed(page).css("main button, main a")]
    assert order == ["button", "a", "a"]


@pytest.mark.parametrize("language", Language)
def test_a_stale_link_says_what_to_do(language: Language) -> None:
    with speaking(language):
        page = stale_page()
    assert page.status == 403
    assert_sound(page, language.value)
