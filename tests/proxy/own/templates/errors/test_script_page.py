"""The pages about scripts are sound, and an address cannot break out of them."""

from __future__ import annotations

from tests.proxy.own.templates.support import assert_sound, parsed
from winnow.proxy.own.templates.errors.script_page import render_page, script_shell_page

EVIL = 'https://a.test/?"><script>x</script>'


def test_the_gateway_s_page_leads_to_the_form_and_to_the_page() -> None:
    page = script_shell_page("https://a.test/a?b=c&d")
    assert_sound(page)
    assert page.status == 422
    links = [link.attributes["href"] for link in parsed(page).css("main a")]
    assert links == ["/-/render?url=https%3A%2F%2Fa.test%2Fa%3Fb%3Dc%26d", "https://a.test/a?b=c&d"]


def test_the_form_has_the_address_the_wish_and_the_token() -> None:
    page = render_page("https://a.test/", "t.1")
    assert_sound(page)
    fields = {
        at.attributes["name"]: at.attributes["value"] for at in parsed(page).css("form input")
    }
    assert fields == {"url": "https://a.test/", "render": "always", "token": "t.1"}


def test_an_address_stays_an_address() -> None:
    for page in (script_shell_page(EVIL), render_page(EVIL, "")):
        assert not parsed(page).css("main script")
