"""A device's screen is believed within bounds, budgets hold, and passwords are found by name."""

from __future__ import annotations

import pytest

from winnow.proxy.http.headers import Headers
from winnow.proxy.own.handlers.devices import (
    DEFAULT,
    SmallOptions,
    as_html,
    asks_for_secret,
    device,
    images_within,
    saved,
)
from winnow.proxy.stores.library import Library
from winnow.proxy.upstream.fetcher import FetchedResponse


@pytest.mark.parametrize(
    ("field", "options"),
    [
        (("Viewport-Width", "320"), SmallOptions(width=320)),
        (("Sec-CH-Viewport-Width", "99999"), SmallOptions(width=1600)),
        (("Viewport-Width", "wide"), DEFAULT),
        (("Accept-Charset", "iso-8859-1"), SmallOptions(text=1)),
        (("Accept", "*/*"), DEFAULT),
    ],
)
def test_a_device_says_what_it_is(field: tuple[str, str], options: SmallOptions) -> None:
    assert device(Headers((field,)), DEFAULT) == options


@pytest.mark.parametrize(
    ("options", "images"),
    [
        (SmallOptions(images=1), 0),
        (SmallOptions(images=2), 4),
        (SmallOptions(images=2, image_kilobytes=100), 0),
        (SmallOptions(images=2, kilobytes=500), 0),
    ],
)
def test_a_page_and_its_images_keep_to_the_budget(options: SmallOptions, images: int) -> None:
    assert images_within(options, 60) == images
    spent = options.kilobytes + images * options.image_kilobytes
    assert images == 0 or spent <= 60


@pytest.mark.parametrize(
    ("form", "secret"),
    [
        (b"user=a&password=b", True),
        (b"user%5Bpasswd%5D=b", True),
        (b"password=", False),
        (b"q=password", False),
        (b"\xff=\xfe", False),
    ],
)
def test_a_filled_in_password_is_found(form: bytes, secret: bool) -> None:
    assert asks_for_secret(form) is secret


def test_what_is_saved_is_never_less_than_nothing() -> None:
    assert saved(Library(fetched=3_400_000, sent=400_000)) == "3.0 MB saved so far."
    assert saved(Library(fetched=1, sent=9)) == "0 bytes saved so far."


def test_plain_text_becomes_paragraphs_in_any_charset() -> None:
    headers = Headers((("Content-Type", "text/plain; charset=koi8-r"),))
    body = "Река <b>\n\n\n\nконец".encode("koi8-r")
    page = as_html(FetchedResponse("http://a.example/t", 200, headers, body))
    assert page.body.decode() == "<p>Река &lt;b&gt;</p><p>конец</p>"
    unknown = Headers((("Content-Type", "text/plain; charset=nonsense"),))
    assert as_html(FetchedResponse("", 200, unknown, b"a")).body == b"<p>a</p>"
