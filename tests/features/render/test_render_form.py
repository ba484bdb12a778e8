"""The form that has scripts run is sound, and an address cannot break out of it."""

from __future__ import annotations

from tests.proxy.own.templates.support import assert_sound, parsed
from winnow.features.render.pages import form_page

EVIL = 'https://a.test/?"><script>x</script>'


def test_the_form_has_the_address_the_wish_and_the_token() -> None:
    page = form_page("https://a.test/", "t.1")
    assert_sound(page)
    fields = {
        at.attributes["name"]: at.attributes["value"] for at in parsed(page).css("form input")
    }
    assert fields == {"url": "https://a.test/", "render": "always", "token": "t.1"}


def test_an_address_stays_an_address() -> None:
    assert not parsed(form_page(EVIL, "")).css("main script")
