"""The settings page lists everything remembered, each with its undoing, and is sound."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.proxy.own.templates.support import assert_sound, parsed, text
from winnow.document.values import Purpose, Treatment
from winnow.features.site.settings_page import Certificates, SettingsView, settings_page
from winnow.features.site.settings_request import (
    SettingsChange,
    SettingsRequest,
    read_request,
    settings_purpose,
)
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.own.page_templates import PROGRAM
from winnow.proxy.own.templates.choice_forms import ChoiceError
from winnow.proxy.stores.choices import EVERYBODY, UNTIL_RESTART, Choices, PassThrough, purpose_key
from winnow.proxy.stores.site_choice import Choice, SiteMode

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
TOKENS = FormTokens()
OWNER = "192.168.1.5"
NONE = Certificates()
HELD = Certificates("Winnow local CA (desk)", "AA:BB", NOW, leaves=2)
FULL = (
    Choices()
    .with_pause(OWNER, NOW + timedelta(minutes=5))
    .with_choice(OWNER, "example.com", Choice(SiteMode.NEVER, "bte", 3))
    .with_passed(PassThrough("app.example", "closed-twice", NOW, client=OWNER))
)


@pytest.mark.parametrize("remembered", [Choices(), FULL])
@pytest.mark.parametrize("held", [NONE, HELD, Certificates(fault="The file is damaged.")])
def test_it_is_sound(remembered: Choices, held: Certificates) -> None:
    assert_sound(settings_page(SettingsView(remembered, OWNER), held, TOKENS, NOW))


def test_everything_is_listed_with_its_undoing() -> None:
    page = settings_page(SettingsView(FULL, OWNER, OWNER), NONE, TOKENS, NOW)
    said = text(page)
    assert "Winnow is paused until" in said
    assert "example.com Never change pages · Method: bte · Level: 3 Remove choice" in said
    assert "an app closed the connection twice Intercept again" in said
    assert "for 7 days. Intercept all again" in said
    forms = parsed(page).css("form")
    about_pages = [form for form in forms if form.css_matches("input[value=treatment]")]
    assert len(forms) - len(about_pages) == 7
    seen, apart = about_pages
    assert len(apart.css("select")) == len(Purpose)
    rows = [row for row in parsed(page).css(".rows > div") if not row.css_first("details")]
    assert len(rows) == 10, "what a person sees; the rest is folded"
    assert len(seen.css("select")) == 6
    folded = parsed(page).css_first("details#more")
    assert folded is not None
    assert len(folded.css("select")) == len(Purpose)
    assert [each.attributes["action"] for each in folded.css("form[role=search]")] == [
        "/-/settings/all"
    ]


def test_each_kind_says_what_is_done_with_it_and_whether_that_was_chosen() -> None:
    chosen = (
        Choices()
        .with_choice(EVERYBODY, purpose_key(Purpose.INDEX), Choice(SiteMode.ALWAYS))
        .with_choice(OWNER, purpose_key(Purpose.PRODUCT), Choice(SiteMode.NEVER))
    )
    view = SettingsView(chosen, OWNER, treatments=tuple((kind, Treatment.TIDY) for kind in Purpose))
    page = settings_page(view, NONE, TOKENS, NOW)
    lists = {
        str(row.css_first("label").text()): [  # type: ignore[union-attr]
            (option.text(), "selected" in option.attributes) for option in row.css("option")
        ]
        for row in parsed(page).css("tr:has(select)")
    }
    others = [("Extract", False), ("Tidy", False), ("Original", False)]
    assert lists["Recipes"] == [("Default: Tidy", True), *others]
    assert lists["Front pages, lists, search results"][0] == ("Default: Extract", True)
    assert lists["Things for sale"][-1] == ("Original", True)
    assert "You have made no choices for any site." in text(page)
    assert_sound(page)


def test_kinds_that_are_chosen_for_as_one_say_what_they_have_in_common() -> None:
    chosen = Choices().with_choice(OWNER, purpose_key(Purpose.PRODUCT), Choice(SiteMode.NEVER))
    page = parsed(settings_page(SettingsView(chosen, OWNER), NONE, TOKENS, NOW))
    shown = {
        str(each.attributes["id"]): option.text()
        for each in page.css(".rows select")
        if (option := each.css_first("[selected]"))
    }
    assert shown["shops"] == "Each by itself"
    assert shown["articles"] == "Default: Extract"


def test_a_group_is_chosen_for_all_its_kinds_and_left_where_each_is_apart() -> None:
    token = TOKENS.make(settings_purpose(OWNER), NOW)
    fields = {"change": "treatment", "token": token, "shops": "never", "rest": "apart"}
    asked = read_request({**fields, "comments": "drop", "images": ""}, TOKENS, NOW, OWNER)
    assert asked.kinds == {
        purpose_key(Purpose.PRODUCT): SiteMode.NEVER,
        purpose_key(Purpose.INDEX): SiteMode.NEVER,
    }
    assert asked.words == {"comments": "drop", "images": ""}
    with pytest.raises(ChoiceError):
        read_request({**fields, "comments": "explode"}, TOKENS, NOW, OWNER)


@pytest.mark.parametrize("value", ["extract", "auto"])
def test_a_treatment_that_there_is_not_is_refused(value: str) -> None:
    token = TOKENS.make(f"settings {OWNER}", NOW)
    key = purpose_key(Purpose.INDEX)
    fields = {"change": "treatment", key: value, "token": token}
    with pytest.raises(ChoiceError):
        read_request(fields, TOKENS, NOW, OWNER)
    tidied = {**fields, key: "tidy", "example.com": "tidy"}
    assert read_request(tidied, TOKENS, NOW, OWNER).kinds == {key: SiteMode.TIDY}


def test_the_authority_is_told_with_its_fingerprint_and_how_to_get_it() -> None:
    page = settings_page(SettingsView(Choices(), OWNER), HELD, TOKENS, NOW)
    said = text(page)
    assert (
        "“Winnow local CA (desk)” was created on this computer and is valid until 2026-11-21"
        in said
    )
    assert f"fingerprint: AA: BB It must be the one that {PROGRAM} ca show prints" in said
    assert "Certificates of 2 sites are in memory" in said
    assert parsed(page).css_matches("a[href='/-/ca.crt'][download]")


@pytest.mark.parametrize(
    ("held", "told"),
    [
        (NONE, "There is no certificate yet"),
        (Certificates(fault="It is damaged."), "It is damaged."),
    ],
)
def test_without_an_authority_there_is_nothing_to_download(held: Certificates, told: str) -> None:
    page = settings_page(SettingsView(Choices(), OWNER), held, TOKENS, NOW)
    assert told in text(page)
    assert not parsed(page).css_matches("a[href='/-/ca.crt']")


def test_a_pause_until_restart_says_so() -> None:
    page = settings_page(
        SettingsView(Choices().with_pause(OWNER, UNTIL_RESTART), OWNER), NONE, TOKENS, NOW
    )
    assert "paused until it is restarted" in text(page)


def test_names_that_others_chose_cannot_break_out() -> None:
    attack = Choices().with_passed(PassThrough("<script>x</script>", "<b>", NOW, client=OWNER))
    page = parsed(settings_page(SettingsView(attack, OWNER, OWNER), NONE, TOKENS, NOW))
    assert page.css("td")
    assert not page.css("script, b")


ANNAS = FULL.with_passed(PassThrough("bank.example", "unknown-ca", NOW, client="192.168.1.6"))


def test_refusals_of_other_clients_are_shown_to_administrators_only() -> None:
    said = text(settings_page(SettingsView(ANNAS, OWNER, OWNER), NONE, TOKENS, NOW))
    assert "app.example" in said
    assert "bank.example" not in said
    assert "192.168.1" not in said
    view = SettingsView(ANNAS, OWNER, OWNER, administers=True)
    said = text(settings_page(view, NONE, TOKENS, NOW))
    assert "(unknown-ca) · 192.168.1.6" in said


@pytest.mark.parametrize("administers", [False, True])
def test_only_administrators_can_forget_the_certificates_of_sites(*, administers: bool) -> None:
    view = SettingsView(Choices(), OWNER, OWNER, administers=administers)
    assert ("Clear certificates" in text(settings_page(view, HELD, TOKENS, NOW))) is (administers)


def test_only_the_offered_pauses_are_granted() -> None:
    assert SettingsRequest(SettingsChange.PAUSE, "60").pauses_until(NOW) == NOW + timedelta(hours=1)
    with pytest.raises(ChoiceError):
        SettingsRequest(SettingsChange.PAUSE, "61").pauses_until(NOW)


OTHERS = (
    FULL.with_choice("user:anna", "secret.example", Choice(SiteMode.NEVER))
    .with_choice(EVERYBODY, "common.example", Choice(SiteMode.ALWAYS))
    .with_pause("user:anna", UNTIL_RESTART)
)


def test_a_user_sees_what_is_the_users_own() -> None:
    said = text(settings_page(SettingsView(OTHERS, OWNER), NONE, TOKENS, NOW))
    assert "example.com Never change pages" in said
    assert "secret.example" not in said
    assert "common.example" not in said
    assert "everybody" not in said


def test_who_administers_sees_what_counts_for_everybody_and_can_undo_it() -> None:
    page = settings_page(
        SettingsView(OTHERS, OWNER, administers=True, common=True), NONE, TOKENS, NOW
    )
    said = text(page)
    assert "common.example Always extract articles" in said
    assert "secret.example" not in said
    common = [
        {str(node.attributes["name"]): node.attributes.get("value") for node in form.css("input")}
        for form in parsed(page).css("form")
        if form.css_matches("input[name=for][value=everybody]")
    ]
    changes = [at for each in common if (at := each.get("change", "treatment")) != "treatment"]
    assert changes == ["pause", "pause", "pause", "forget", "forget-all"]
    assert_sound(page)


def test_who_administers_sees_each_setting_once_on_a_page() -> None:
    for common in (False, True):
        view = SettingsView(OTHERS, OWNER, administers=True, common=common)
        page = parsed(settings_page(view, NONE, TOKENS, NOW))
        heads = [node.text() for node in page.css("h2")]
        assert heads[:3] == ["Sites", "Kinds of pages", *heads[2:3]]
        assert len(heads) == len(set(heads))
    own = parsed(settings_page(SettingsView(OTHERS, OWNER, administers=True), NONE, TOKENS, NOW))
    assert own.css('main a[href="/-/settings?for=everybody"]')
    assert own.css('a[href="/-/settings/site?site=example.com"]')
    other = parsed(settings_page(SettingsView(OTHERS, OWNER, common=True), NONE, TOKENS, NOW))
    assert not other.css("input[name=for]")


def test_a_pause_for_everybody_is_told_to_all() -> None:
    paused = Choices().with_pause(EVERYBODY, UNTIL_RESTART)
    said = text(settings_page(SettingsView(paused, OWNER), NONE, TOKENS, NOW))
    assert "paused for everybody until it is restarted" in said


@pytest.mark.parametrize("other", ["user:anna", "192.168.1.6", ""])
def test_a_form_holds_for_who_opened_the_page_alone(other: str) -> None:
    fields = {"change": "resume", "token": TOKENS.make(f"settings {OWNER}", NOW)}
    assert read_request(fields, TOKENS, NOW, OWNER) == SettingsRequest(SettingsChange.RESUME)
    with pytest.raises(ChoiceError):
        read_request(fields, TOKENS, NOW, other)
