"""The pages by which a reader steers the proxy do what they say, and only for the reader."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.proxy.own.own_requests import asked
from tests.proxy.stores.memories import at
from winnow.document.values import Rendered
from winnow.features.site.controller import SettingsController
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.policy import BarLook
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.router import OwnRequest, OwnResponse
from winnow.proxy.own.templates.choice_forms import (
    ChoiceAction,
    ChoiceRequest,
    confirmed_fields,
    fields_of,
)
from winnow.proxy.own.templates.in_page.bar import PageBars
from winnow.proxy.own.translation import Language, speaking
from winnow.proxy.stores.choice_store import NotifyingChoices
from winnow.proxy.stores.choices import UNTIL_RESTART, PassThrough
from winnow.proxy.stores.site_choice import Choice, SiteMode
from winnow.proxy.tls.lazy_authority import LazyAuthority

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
PAGE = "https://www.example.com/story"


@pytest.fixture
def controller(tmp_path: Path) -> SettingsController:
    return SettingsController(
        NotifyingChoices(),
        LazyAuthority(tmp_path, "desk"),
        frozenset({"bte", "mss"}),
        now=lambda: NOW,
    )


def tree(shown: OwnResponse) -> LexborHTMLParser:
    return LexborHTMLParser(shown.body)


def location(shown: OwnResponse) -> str:
    assert shown.status == 303
    return dict(shown.fields)["Location"]


CLIENT = "127.0.0.1"


def form_of(
    controller: SettingsController,
    action: ChoiceAction = ChoiceAction.NEVER,
    value: str = "",
    owner: str = CLIENT,
) -> dict[str, str]:
    """The form of the confirmation page, as ``owner`` gets it."""
    return confirmed_fields(ChoiceRequest(action, PAGE, value), controller.tokens, NOW, owner)


@pytest.mark.parametrize("through", ["http", "https", ""])
async def test_asking_needs_no_secret_and_changes_nothing(
    controller: SettingsController, through: str
) -> None:
    query = fields_of(ChoiceRequest(ChoiceAction.NEVER, PAGE))
    answer = await controller.choose(asked("/-/choose", query=query, through=through))
    assert answer.status == 200
    form = tree(answer).css_first('form[method="post"]')
    assert form is not None
    fields = {str(at.attributes["name"]): str(at.attributes["value"]) for at in form.css("input")}
    assert fields == form_of(controller)
    assert not controller.store.now.of(CLIENT).choices


@pytest.mark.parametrize(("through", "back"), [("http", PAGE), ("https", PAGE), ("", f"/{PAGE}")])
async def test_a_choice_is_kept_and_leads_back(
    controller: SettingsController, through: str, back: str
) -> None:
    answer = await controller.choose(asked("/-/choose", form=form_of(controller), through=through))
    assert location(answer) == back
    assert controller.store.now.choice(CLIENT, at("example.com")) == Choice(SiteMode.NEVER)


CLICKED = (("Referer", "https://www.example.com/"), ("Sec-Fetch-Site", "cross-site"))
BY_PERSON = (*CLICKED, ("Sec-Fetch-User", "?1"))
IN_GATEWAY = (("Referer", f"http://127.0.0.1:8080/{PAGE}"),)


@pytest.mark.parametrize(
    ("fields", "through", "back"),
    [(BY_PERSON, "https", PAGE), (CLICKED[:1], "http", PAGE), (IN_GATEWAY, "", f"/{PAGE}")],
)
async def test_never_is_undone_by_one_click_on_the_page_where_it_was_chosen(
    controller: SettingsController,
    fields: tuple[tuple[str, str], ...],
    through: str,
    back: str,
) -> None:
    method = form_of(controller, ChoiceAction.EXTRACTOR, "bte")
    for form in (method, form_of(controller)):
        await controller.choose(asked("/-/choose", form=form, through=through))
    assert controller.views.of(CLIENT, PAGE) is RequestMode.ORIGINAL
    answer = await controller.undo(asked("/-/undo", *fields, query={"page": PAGE}, through=through))
    assert location(answer) == back
    assert controller.store.now.choice(CLIENT, at("example.com")) == Choice(extractor="bte")
    assert controller.views.of(CLIENT, PAGE) is RequestMode.AUTO


@pytest.mark.parametrize("action", [ChoiceAction.ALWAYS, ChoiceAction.NEVER])
@pytest.mark.parametrize(
    ("fields", "through", "back"), [(BY_PERSON, "https", PAGE), (IN_GATEWAY, "", f"/{PAGE}")]
)
async def test_one_click_in_the_page_chooses_for_its_site_and_another_takes_it_back(
    controller: SettingsController,
    fields: tuple[tuple[str, str], ...],
    through: str,
    back: str,
    action: ChoiceAction,
) -> None:
    query = fields_of(ChoiceRequest(action, PAGE))
    chosen = await controller.choose(asked("/-/choose", *fields, query=query, through=through))
    assert location(chosen) == back + "#winnow-always" * (action is ChoiceAction.ALWAYS)
    found = controller.store.now.choice(CLIENT, at("example.com"))
    assert found == Choice(SiteMode(action.value))
    undone = await controller.undo(asked("/-/undo", *fields, query={"page": PAGE}, through=through))
    assert location(undone) == back
    assert not controller.store.now.of(CLIENT).choices


@pytest.mark.parametrize(
    ("fields", "through", "action", "value"),
    [
        (CLICKED, "https", ChoiceAction.NEVER, ""),  # by a script
        (CLICKED[:1], "http", ChoiceAction.NEVER, ""),  # nobody says by whom
        (BY_PERSON[1:], "https", ChoiceAction.NEVER, ""),
        ((("Referer", "https://evil.example/"), *BY_PERSON[1:]), "https", ChoiceAction.NEVER, ""),
        ((("Referer", "http://evil.example/"),), "", ChoiceAction.ALWAYS, ""),
        (BY_PERSON, "https", ChoiceAction.LEVEL, "3"),
        (BY_PERSON, "https", ChoiceAction.FORGET, ""),
    ],
)
async def test_what_no_person_clicked_in_the_page_asks_and_so_does_all_else(
    controller: SettingsController,
    fields: tuple[tuple[str, str], ...],
    through: str,
    action: ChoiceAction,
    value: str,
) -> None:
    query = fields_of(ChoiceRequest(action, PAGE, value))
    answer = await controller.choose(asked("/-/choose", *fields, query=query, through=through))
    assert answer.status == 200
    assert not controller.store.now.of(CLIENT).choices


@pytest.mark.parametrize(
    ("fields", "page", "mode"),
    [
        (CLICKED, PAGE, SiteMode.NEVER),  # by a script
        (BY_PERSON[1:], PAGE, SiteMode.NEVER),  # from another site
        ((("Referer", "https://evil.example/"), *BY_PERSON[1:]), PAGE, SiteMode.NEVER),
        (BY_PERSON, f"{PAGE}?other", SiteMode.NEVER),  # not the page where it was chosen
        (CLICKED, PAGE, SiteMode.ALWAYS),
    ],
)
async def test_elsewhere_and_by_scripts_never_is_not_undone_without_asking(
    controller: SettingsController,
    fields: tuple[tuple[str, str], ...],
    page: str,
    mode: SiteMode,
) -> None:
    await controller.choose(
        asked("/-/choose", form=form_of(controller, ChoiceAction(mode.value)), through="https")
    )
    asks = await controller.undo(asked("/-/undo", *fields, query={"page": page}, through="https"))
    assert asks.status == 200
    assert tree(asks).css_matches('form[method="post"] input[value=forget]')
    assert controller.store.now.choice(CLIENT, at("example.com")) == Choice(mode)
    assert (await controller.undo(asked("/-/undo", query={"page": "no"}))).status == 403


async def test_choices_for_one_site_add_up(controller: SettingsController) -> None:
    await controller.choose(asked("/-/choose", form=form_of(controller, ChoiceAction.ALWAYS)))
    await controller.choose(
        asked("/-/choose", form=form_of(controller, ChoiceAction.EXTRACTOR, "bte"))
    )
    assert controller.store.now.choice(CLIENT, at("example.com")) == Choice(SiteMode.ALWAYS, "bte")


@pytest.mark.parametrize("break_", ["\r\nSet-Cookie: a=b", "\n", "\0", "\x7f"])
async def test_a_choice_for_a_page_with_line_ends_leads_nowhere(
    controller: SettingsController, break_: str
) -> None:
    page = f"http://example.com/{break_}"
    form = confirmed_fields(ChoiceRequest(ChoiceAction.NEVER, page), controller.tokens, NOW, CLIENT)
    for through in ("", "http", "https"):
        assert (
            await controller.choose(asked("/-/choose", form=form, through=through))
        ).status == 403
    assert not controller.store.now.of(CLIENT).choices


async def test_a_forged_choice_is_refused_in_the_readers_language(
    controller: SettingsController,
) -> None:
    forged = {**form_of(controller), "page": "https://bank.example/"}
    with speaking(Language.GERMAN):
        answer = await controller.choose(asked("/-/choose", form=forged))
    assert answer.status == 403
    assert "Dieses Formular ist abgelaufen" in answer.body.decode()
    assert not controller.store.now.of(CLIENT).choices


async def test_a_form_of_another_client_is_refused(controller: SettingsController) -> None:
    form = form_of(controller, owner="192.168.1.9")
    assert (await controller.choose(asked("/-/choose", form=form))).status == 403
    assert not controller.store.now.of(CLIENT).choices


@pytest.mark.parametrize(
    "fields",
    [
        (("Origin", "https://evil.example"),),
        (("Origin", "null"),),
        (("Origin", "https://www.example.com"), ("Sec-Fetch-Site", "cross-site")),
        (("Sec-Fetch-Site", "same-site"),),
    ],
)
@pytest.mark.parametrize("through", ["http", "https", ""])
async def test_no_other_origin_posts_the_form_even_with_its_token(
    controller: SettingsController, fields: tuple[tuple[str, str], ...], through: str
) -> None:
    with pytest.raises(ClientFaultError) as caught:
        await controller.choose(
            asked("/-/choose", *fields, form=form_of(controller), through=through)
        )
    assert caught.value.status == 403
    assert not controller.store.now.of(CLIENT).choices


async def test_a_stranger_chooses_nothing(controller: SettingsController) -> None:
    head = replace(asked("/-/choose", form=form_of(controller, owner="")).head, client="")
    request = replace(asked("/-/choose", form=form_of(controller, owner="")), head=head)
    for page in (controller.choose, controller.view):
        with pytest.raises(ClientFaultError) as caught:
            await page(request if page == controller.choose else replace(request, head=_got(head)))
        assert caught.value.status == 421


def _got(head: RequestHead) -> RequestHead:
    return replace(head, method="GET")


def of_original(*fields: tuple[str, str], through: str = "https") -> OwnRequest:
    return asked("/-/original", *fields, query={"page": PAGE}, through=through)


async def test_the_original_is_shown_to_who_asked_for_it_on_the_page(
    controller: SettingsController,
) -> None:
    request = of_original(("Referer", "https://www.example.com/"))
    assert location(await controller.view(request)) == PAGE
    assert controller.views.of(request.head.owner, PAGE) is RequestMode.ORIGINAL
    assert controller.views.of("192.168.1.9", PAGE) is RequestMode.AUTO
    assert (
        controller.views.of(request.head.owner, "https://www.example.com/other") is RequestMode.AUTO
    )


@pytest.mark.parametrize(
    "fields", [(), (("Referer", "https://evil.example/"),), (("Sec-Fetch-Mode", "no-cors"),)]
)
async def test_who_comes_from_elsewhere_is_asked_before_the_original_is_shown(
    controller: SettingsController, fields: tuple[tuple[str, str], ...]
) -> None:
    request = of_original(*fields)
    answer = await controller.view(request)
    assert answer.status == 200
    assert controller.views.of(request.head.owner, PAGE) is RequestMode.AUTO
    form = form_of(controller, ChoiceAction.ORIGINAL)
    confirmed = asked("/-/choose", form=form, through="https")
    assert location(await controller.choose(confirmed)) == PAGE
    assert controller.views.of(request.head.owner, PAGE) is RequestMode.ORIGINAL
    assert not controller.store.now.of(CLIENT).choices


async def test_in_the_gateway_the_original_has_an_address(controller: SettingsController) -> None:
    form = form_of(controller, ChoiceAction.ORIGINAL)
    there = urlsplit(location(await controller.choose(asked("/-/choose", form=form))))
    assert (there.path, dict(parse_qsl(there.query))) == (
        "/-/read",
        {"url": PAGE, "mode": "original"},
    )


@pytest.mark.parametrize("page", ["javascript:alert(1)", "", "http://a/\r\nSet-Cookie: x=y"])
async def test_what_is_no_page_has_no_original_and_no_choice(
    controller: SettingsController, page: str
) -> None:
    query = {"action": "never", "page": page}
    assert (await controller.view(asked("/-/original", query=query))).status == 403
    assert (await controller.choose(asked("/-/choose", query=query))).status == 403


async def settings_form(controller: SettingsController, change: str, value: str) -> dict[str, str]:
    """The fields of the form on the page that makes this change."""
    page = tree(await controller.settings(asked("/-/settings")))
    for form in page.css("form"):
        fields = {
            str(node.attributes["name"]): str(node.attributes["value"])
            for node in form.css("input")
        }
        if (fields.get("change"), fields.get("value")) == (change, value):
            return fields
    raise AssertionError(f"there is no button to {change} {value}")


@pytest.mark.parametrize(
    ("value", "until"), [("10", NOW + timedelta(minutes=10)), ("restart", UNTIL_RESTART)]
)
async def test_everything_can_be_paused_and_resumed(
    controller: SettingsController, value: str, until: datetime
) -> None:
    form = await settings_form(controller, "pause", value)
    assert location(await controller.settings(asked("/-/settings", form=form))) == "/-/settings"
    assert controller.store.now.of(CLIENT).paused_until == until
    await controller.settings(
        asked("/-/settings", form=await settings_form(controller, "resume", ""))
    )
    assert controller.store.now.of(CLIENT).paused_until is None


async def test_a_choice_can_be_forgotten(controller: SettingsController) -> None:
    await controller.store.choose(CLIENT, "example.com", Choice(SiteMode.NEVER))
    form = await settings_form(controller, "forget", "example.com")
    answer = await controller.settings(asked("/-/settings", form=form))
    assert location(answer) == "/-/settings#sites", "where the choice stood"
    assert not controller.store.now.of(CLIENT).choices


async def test_all_choices_can_be_forgotten_at_once(controller: SettingsController) -> None:
    await controller.store.choose(CLIENT, "example.com", Choice(SiteMode.NEVER))
    await controller.store.choose(CLIENT, "example.org", Choice(level=3))
    form = await settings_form(controller, "forget-all", "")
    await controller.settings(asked("/-/settings", form=form))
    assert not controller.store.now.of(CLIENT).choices


async def test_looking_at_the_settings_makes_no_authority(controller: SettingsController) -> None:
    assert b"There is no certificate yet" in (await controller.settings(asked("/-/settings"))).body
    assert await controller.keys.existing() is None
    fingerprint = (await controller.keys.authority()).fingerprint
    page = tree(await controller.settings(asked("/-/settings")))
    assert fingerprint in [each.text() for each in page.css("pre")]


async def test_an_authority_that_cannot_be_used_is_told(
    controller: SettingsController, tmp_path: Path
) -> None:
    await LazyAuthority(tmp_path, "desk").authority()
    (tmp_path / "authority.pem").chmod(0o644)
    shown = await controller.settings(asked("/-/settings"))
    assert shown.status == 200
    assert "authority.pem: run chmod 600" in shown.body.decode()
    assert str(tmp_path) not in shown.body.decode()


async def test_certificates_of_sites_can_be_forgotten_in_all_processes(
    controller: SettingsController,
) -> None:
    told = []

    async def others(change: object) -> None:
        told.append(change)

    controller.keys.notify = others
    before = await controller.keys.context_for("example.com")
    form = await settings_form(controller, "leaves", "")
    await controller.settings(asked("/-/settings", form=form))
    assert (controller.keys.leaves, told) == (0, [None])
    assert await controller.keys.context_for("example.com") is not before
    controller.keys.on_notify()
    assert controller.keys.leaves == 0
    controller.keys.close()


async def test_what_was_learned_is_listed_and_can_be_undone(controller: SettingsController) -> None:
    await controller.store.learn(PassThrough("app.example", "unknown-ca", NOW))
    page = tree(await controller.settings(asked("/-/settings")))
    assert page.body is not None
    assert "an app refused Winnow’s certificate (unknown-ca)" in page.body.text()
    form = await settings_form(controller, "reopen", "app.example")
    await controller.settings(asked("/-/settings", form=form))
    assert not controller.store.now.passed


async def test_one_button_opens_all_hosts_again(controller: SettingsController) -> None:
    for host, client in (("a.example", "::1"), ("a.example", "::2"), ("b.example", "::1")):
        await controller.store.learn(PassThrough(host, "unknown-ca", NOW, True, client, "abc"))
    one = await settings_form(controller, "reopen", "a.example")
    await controller.settings(asked("/-/settings", form=one))
    assert {entry.host for entry in controller.store.now.passed.values()} == {"b.example"}
    every = await settings_form(controller, "reopen-all", "")
    await controller.settings(asked("/-/settings", form=every))
    assert not controller.store.now.passed


@pytest.mark.parametrize(
    "fields",
    [
        (("Origin", "https://evil.example"),),
        (("Origin", "null"),),
        (("Sec-Fetch-Site", "cross-site"),),
    ],
)
async def test_another_site_cannot_change_settings(
    controller: SettingsController, fields: tuple[tuple[str, str], ...]
) -> None:
    form = await settings_form(controller, "pause", "10")
    with pytest.raises(ClientFaultError) as caught:
        await controller.settings(asked("/-/settings", *fields, form=form))
    assert caught.value.status == 403
    assert controller.store.now.of(CLIENT).paused_until is None


@pytest.mark.parametrize(
    "change", [{"token": ""}, {"change": "explode"}, {"value": "5000"}, {"value": "soon"}]
)
async def test_a_senseless_change_is_refused(
    controller: SettingsController, change: dict[str, str]
) -> None:
    form = {**await settings_form(controller, "pause", "10"), **change}
    assert (await controller.settings(asked("/-/settings", form=form))).status == 403
    assert controller.store.now.of(CLIENT).paused_until is None


async def test_a_stranger_does_not_see_the_settings(controller: SettingsController) -> None:
    head = RequestHead("GET", "/-/settings", Headers((("Host", "evil.example"),)), client="")
    with pytest.raises(ClientFaultError) as caught:
        await controller.settings(OwnRequest(head, "/-/settings", {}, "http://evil.example/"))
    assert caught.value.status == 421


@pytest.mark.parametrize(
    ("url", "prefix", "original"),
    [
        ("http://example.com/", "", "http://winnow.internal/-/original?"),
        ("https://example.com/", "", "https://winnow.internal/-/original?"),
        ("https://example.com/", "http://127.0.0.1:8080/", "http://127.0.0.1:8080/-/read?"),
    ],
)
def test_the_bar_leads_to_the_desk_by_the_way_the_page_came(
    url: str, prefix: str, original: str
) -> None:
    rendered = Rendered(b"", "text/html", "bte", words_kept=5, words_total=9)
    bars, head = PageBars(), asked("/").head
    markup = bars(head, url, rendered, prefix, look=BarLook.STYLED).decode()
    assert f'href="{original}' in markup
    assert "words" not in markup


def test_the_bar_changes_with_the_language() -> None:
    bars, head = PageBars(), asked("/").head
    english = bars.variant(head)
    with speaking(Language.GERMAN):
        assert bars.variant(head) != english


async def treatment_form(controller: SettingsController, label: str, value: str) -> OwnResponse:
    """Choose a treatment in the list of this label, as a person without scripts does."""
    page = tree(await controller.settings(asked("/-/settings")))
    form = next(form for form in page.css("#more form") if form.css("select"))
    (key,) = (node.attributes["for"] for node in form.css("label") if node.text() == label)
    fields = {
        str(node.attributes["name"]): node.attributes["value"] or "" for node in form.css("input")
    }
    chosen = form.css("select option[selected]")
    lists = {str(each.parent.attributes["name"]): each for each in chosen if each.parent}
    fields |= {name: option.attributes["value"] or "" for name, option in lists.items()}
    return await controller.settings(asked("/-/settings", form={**fields, str(key): value}))


async def test_what_is_done_with_a_kind_of_page_can_be_chosen_and_undone(
    controller: SettingsController,
) -> None:
    assert location(await treatment_form(controller, "Things for sale", "never")) == "/-/settings"
    assert controller.store.now.purposes(CLIENT) == {"product": SiteMode.NEVER}
    assert not controller.store.now.purposes("192.168.1.99")
    await treatment_form(controller, "Recipes", "tidy")
    assert controller.store.now.purposes(CLIENT)["product"] is SiteMode.NEVER, "one form for all"
    await treatment_form(controller, "Recipes", "")
    await treatment_form(controller, "Things for sale", "")
    assert not controller.store.now.of(CLIENT).choices


async def test_what_is_chosen_for_all_sites_gives_way_to_a_site(
    controller: SettingsController,
) -> None:
    page = tree(await controller.settings(asked("/-/settings")))
    form = next(form for form in page.css("form") if form.css_first("#comments"))
    fields = {
        str(node.attributes["name"]): node.attributes["value"] or "" for node in form.css("input")
    }
    sent = {**fields, "comments": "drop", "images": "phone", "render": ""}
    assert location(await controller.settings(asked("/-/settings", form=sent))) == "/-/settings"
    now = controller.store.now
    assert now.choice(CLIENT, at("example.com")) == Choice(comments="drop", images="phone")
    assert now.of(CLIENT).sites == {}
    own = now.with_choice(CLIENT, "example.com", Choice(comments="keep"))
    assert own.choice(CLIENT, at("www.example.com")) == Choice(comments="keep", images="phone")
    assert now.choice("192.168.1.99", at("example.com")) == Choice()
    sent |= {"comments": "", "images": ""}
    await controller.settings(asked("/-/settings", form=sent))
    assert not controller.store.now.of(CLIENT).choices
