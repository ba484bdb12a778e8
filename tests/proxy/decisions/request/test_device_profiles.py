"""Old and text browsers get the basic profile, others what the settings say."""

from __future__ import annotations

import pytest

from winnow.document.values import Format, ImageSize, Profile, Recipe
from winnow.proxy.decisions.request.device_profiles import BASIC_BROWSERS, for_device, image_size
from winnow.proxy.decisions.request.preferences import from_headers
from winnow.proxy.decisions.response_headers import varied
from winnow.proxy.http.headers import Headers

MODERN = (
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 "
    "Safari/537.36",
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
    "Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) "
    "SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko",
    "Mozilla/4.0 (compatible; MSIE 10.0; Windows NT 6.1)",
    "Opera/90.0",
    "curl/8.5.0",
    "",
)


def profile_of(agent: str, *fields: tuple[str, str], recipe: Recipe | None = None) -> Profile:
    headers = Headers((("User-Agent", agent), *fields))
    return from_headers(headers, recipe or Recipe("bte")).recipe.profile


@pytest.mark.parametrize("agent", [example for _, example in BASIC_BROWSERS])
def test_an_old_or_text_browser_gets_basic(agent: str) -> None:
    assert profile_of(agent) is Profile.BASIC


@pytest.mark.parametrize("agent", MODERN)
def test_other_programs_get_the_readers_page(agent: str) -> None:
    assert profile_of(agent) is Profile.READER


def test_a_wap_browser_says_so_in_accept() -> None:
    wap = ("Accept", "text/html, application/vnd.wap.xhtml+xml;q=0.9")
    assert profile_of("Unknown/1.0", wap) is Profile.BASIC


def test_who_names_a_profile_gets_it() -> None:
    assert profile_of("Lynx/2.9", ("Winnow-Profile", "reader")) is Profile.READER
    assert profile_of("Lynx/2.9", ("Winnow-Profile", "voice")) is Profile.VOICE


def test_the_settings_go_before_where_they_name_another() -> None:
    assert profile_of("Lynx/2.9", recipe=Recipe("bte", profile=Profile.VOICE)) is Profile.VOICE
    text = Recipe("bte", Format.TEXT)
    assert for_device(Headers((("User-Agent", "Lynx/2.9"),)), text) == text


def test_vary_names_what_was_read() -> None:
    assert "User-Agent" in varied(Headers()).split(", ")


SAVING, MOBILE, DESKTOP = (
    ("Save-Data", "on"),
    ("Sec-CH-UA-Mobile", "?1"),
    ("Sec-CH-UA-Mobile", "?0"),
)


@pytest.mark.parametrize(
    ("agent", "fields", "size"),
    [
        (MODERN[0], (), ImageSize.AS_SENT),
        (MODERN[0], (SAVING,), ImageSize.SAVING),
        (MODERN[0], (("Save-Data", "off"),), ImageSize.AS_SENT),
        (MODERN[0], (MOBILE,), ImageSize.PHONE),
        (MODERN[2], (), ImageSize.PHONE),
        (MODERN[3], (), ImageSize.PHONE),
        (MODERN[3], (DESKTOP,), ImageSize.AS_SENT),
        (MODERN[2], (SAVING, MOBILE), ImageSize.SAVING),
        ("Lynx/2.9", (SAVING,), ImageSize.AS_SENT),
        ("", (("Accept", "text/markdown"), SAVING), ImageSize.SAVING),
    ],
)
def test_images_are_as_large_as_the_device_and_its_owner_want(
    agent: str, fields: tuple[tuple[str, str], ...], size: ImageSize
) -> None:
    headers = Headers((("User-Agent", agent), *fields))
    assert from_headers(headers, Recipe("bte")).recipe.images is size
    if "lynx" not in agent.lower():
        assert image_size(headers) is size
