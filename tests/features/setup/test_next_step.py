"""The start page says what is set already, and leads on to what is not."""

from __future__ import annotations

import pytest

from tests.proxy.own.templates.support import assert_sound, attribute, parsed, text
from winnow.features.setup.front import FRONT_STYLE, FrontView, front_page
from winnow.features.setup.next_step import step_page

SET = "Set 127.0.0.1:8080 as your browser"


def front(through: str, *, opened: bool) -> FrontView:
    return FrontView("token", "127.0.0.1:8080", through=through, opened=opened)


def test_it_is_sound() -> None:
    for through in ("", "http", "https"):
        assert_sound(front_page(front(through, opened=True)), style=FRONT_STYLE)


@pytest.mark.parametrize(
    ("through", "opened", "asked"),
    [
        ("", False, ["https://winnow.internal/-/check?next=1", "http://winnow.internal/-/check?next=1"]),
        ("", True, ["https://winnow.internal/-/check?next=1", "http://winnow.internal/-/check?next=1"]),
        ("http", True, ["https://winnow.internal/-/check?next=1"]),
        ("http", False, []),
        ("https", True, []),
        ("https", False, []),
    ],
)  # fmt: skip
def test_what_the_request_proves_is_not_asked(through: str, opened: bool, asked: list[str]) -> None:
    page = front_page(front(through, opened=opened))
    assert [attribute(node, "data") for node in parsed(page).css("object")] == asked
    policy = page.headers["Content-Security-Policy"]
    assert "object-src http://winnow.internal https://winnow.internal" in policy


@pytest.mark.parametrize(
    ("scheme", "opened", "words", "to"),
    [
        ("http", False, "Next step: Read HTTPS pages too", "/-/setup#https"),
        ("https", False, "Next step: Read HTTPS pages too", "/-/setup#https"),
        ("http", True, "Next step: Trust Winnow’s certificate", "/-/setup#trust"),
        ("https", True, "✓ This browser reads HTTP and HTTPS pages", "/-/activity"),
    ],
)
def test_what_is_set_is_said_and_leads_on(scheme: str, opened: bool, words: str, to: str) -> None:
    page = step_page(scheme, opened=opened)
    assert_sound(page)
    assert words in text(page)
    assert SET not in text(page)
    link = parsed(page).css_first("main a")
    assert (attribute(link, "href"), attribute(link, "target")) == (to, "_top")
    assert "frame-ancestors *" in page.headers["Content-Security-Policy"]


@pytest.mark.parametrize("opened", [True, False])
def test_a_start_page_through_the_proxy_does_not_ask_to_set_it(opened: bool) -> None:
    said = text(front_page(front("http", opened=opened)))
    assert SET not in said
    assert "✓ This browser uses Winnow as its proxy." in said


def test_where_no_frame_answers_the_proxy_is_not_set() -> None:
    """The innermost object's own content, which text browsers show too; no other state is there."""
    page = front_page(front("", opened=True))
    inner = parsed(page).css_first("object object")
    assert inner is not None
    assert inner.text().startswith(SET)
    assert "✓" not in text(page)
