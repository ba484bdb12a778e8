"""The settings page lists everything remembered, each with its undoing, and is sound."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from proxy.access.tokens import Tokens
from proxy.pages.certificates import Certificates
from proxy.pages.choosing import ChoiceError
from proxy.pages.settings import Change, Request, read_request, settings_page
from proxy.stores.choices import UNTIL_RESTART
from proxy.stores.remembered import Choice, Mode, PassThrough, Remembered
from tests.proxy.pages.support import assert_sound, parsed, text

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
TOKENS = Tokens()
NONE = Certificates()
HELD = Certificates("Winnow local CA (desk)", "AA:BB", NOW, leaves=2)
FULL = (
    Remembered(paused_until=NOW + timedelta(minutes=5))
    .with_choice("example.com", Choice(Mode.NEVER, "bte", 3))
    .with_passed(PassThrough("app.example", "closed-twice", NOW))
)


@pytest.mark.parametrize("remembered", [Remembered(), FULL])
@pytest.mark.parametrize("held", [NONE, HELD, Certificates(fault="The file is damaged.")])
def test_it_is_sound(remembered: Remembered, held: Certificates) -> None:
    assert_sound(settings_page(remembered, held, TOKENS, NOW))


def test_everything_is_listed_with_its_undoing() -> None:
    page = settings_page(FULL, NONE, TOKENS, NOW)
    said = text(page)
    assert "Winnow is paused until" in said
    assert "example.com never changed, method bte, level 3 Forget" in said
    assert "an app broke off twice Open it again" in said
    assert "for 7 days. Open all hosts again" in said
    assert len(parsed(page).css("form")) == 6


def test_the_authority_is_told_with_its_fingerprint_and_how_to_get_it() -> None:
    page = settings_page(Remembered(), HELD, TOKENS, NOW)
    said = text(page)
    assert "“Winnow local CA (desk)” was made on this computer and is good until 2026-11-21" in said
    assert "fingerprint: AA:BB Certificates of 2 sites are held" in said
    assert parsed(page).css_matches("a[href='/-/ca.crt'][download]")


@pytest.mark.parametrize(
    ("held", "told"),
    [(NONE, "There is no authority yet"), (Certificates(fault="It is damaged."), "It is damaged.")],
)
def test_without_an_authority_there_is_nothing_to_download(held: Certificates, told: str) -> None:
    page = settings_page(Remembered(), held, TOKENS, NOW)
    assert told in text(page)
    assert not parsed(page).css_matches("a[href='/-/ca.crt']")


def test_the_slider_of_a_site_stands_at_its_level() -> None:
    slider = parsed(settings_page(FULL, NONE, TOKENS, NOW)).css_first("input[type=range]")
    assert slider is not None
    assert slider.attributes["value"] == "3"


@pytest.mark.parametrize("value", ["0", "13", "high", "²", ""])
def test_a_level_that_there_is_not_is_refused(value: str) -> None:
    token = TOKENS.make("settings", NOW)
    fields = {"change": "level", "site": "example.com", "value": value, "token": token}
    with pytest.raises(ChoiceError):
        read_request(fields, TOKENS, NOW)
    assert read_request({**fields, "value": "12"}, TOKENS, NOW).value == "12"


def test_a_pause_until_restart_says_so() -> None:
    page = settings_page(Remembered(paused_until=UNTIL_RESTART), NONE, TOKENS, NOW)
    assert "paused until it is restarted" in text(page)


def test_names_that_others_chose_cannot_break_out() -> None:
    attack = Remembered().with_passed(PassThrough("<script>x</script>", "<b>", NOW))
    assert not parsed(settings_page(attack, NONE, TOKENS, NOW)).css("script, b")


def test_only_the_offered_pauses_are_granted() -> None:
    assert Request(Change.PAUSE, "60").pauses_until(NOW) == NOW + timedelta(hours=1)
    with pytest.raises(ChoiceError):
        Request(Change.PAUSE, "61").pauses_until(NOW)
