"""Each error says what happened in a plain sentence and what can be done; technical words fold."""

from __future__ import annotations

import pytest

from tests.proxy.own.templates.support import assert_sound, attribute, parsed, text
from winnow.proxy.access.private_addresses import private_address_error
from winnow.proxy.http.proxy_errors import (
    ClientFaultError,
    MalformedResponseError,
    OriginCertificateError,
    OriginFaultError,
    OriginTimeoutError,
    OriginUnreachableError,
    PortRefusedError,
    ProxyError,
    TransformError,
)
from winnow.proxy.http.sentences import says
from winnow.proxy.own.languages import Language
from winnow.proxy.own.menus import MENUS, Menus
from winnow.proxy.own.templates.base_page import HtmlPage
from winnow.proxy.own.templates.errors.error_pages import error_page
from winnow.proxy.own.templates.errors.failures import FailedRequest
from winnow.proxy.own.translation import speaking

URL = "https://news.example/story?a=1"
ERRNO = says("{host} cannot be reached: {error}", host="news.example", error="[Errno 111] Connect")
REFUSED = OriginUnreachableError(ERRNO, "connection_refused")
BY_GATEWAY = FailedRequest.of_page(URL, f"/{URL}", "http://127.0.0.1:8080/")
BY_PROXY = FailedRequest.of_page(URL, URL, "")
ORIGINS = [
    (REFUSED, "news.example accepts no connections at this address: it may be down."),
    (OriginUnreachableError("x", "dns_error"), "There is no server named news.example."),
    (OriginUnreachableError("x"), "news.example cannot be reached now."),
    (OriginTimeoutError("x"), "news.example did not answer in time: it may be busy or down."),
    (OriginFaultError("x", "connection_terminated"), "news.example ended the connection before"),
    (MalformedResponseError("x"), "news.example sent an answer that is not valid."),
]
REFUSALS = [
    private_address_error("router"),
    PortRefusedError("Port 25 is closed."),
    OriginCertificateError("No trust.", "news.example", 18),
    ClientFaultError("Not yours.", 403, "admin"),
    ClientFaultError("Send it again.", 403, "stale-form"),
]


def buttons(page: HtmlPage) -> dict[str, str]:
    return {node.text(): attribute(node, "href") for node in parsed(page).css(".buttons a")}


@pytest.mark.parametrize(("error", "said"), ORIGINS)
def test_what_a_server_did_is_said_in_one_plain_sentence(error: ProxyError, said: str) -> None:
    page = error_page(error, BY_GATEWAY)
    assert_sound(page)
    lead = parsed(page).css_first(".lead")
    assert lead is not None
    assert lead.text().startswith(said)


def test_the_technical_words_are_folded() -> None:
    page = error_page(REFUSED, BY_GATEWAY)
    folded = parsed(page).css_first("details:not([open])")
    assert folded is not None
    assert "[Errno 111]" in folded.text()
    assert "Winnow: origin-unreachable" in folded.text()
    folded.decompose()
    assert "Errno" not in text(page).partition("Technical details")[0]
    assert page.headers["Proxy-Status"] == "winnow; error=destination_unavailable"


def test_in_the_gateway_the_page_can_be_tried_again_and_opened_without_winnow() -> None:
    page = error_page(REFUSED, BY_GATEWAY)
    assert buttons(page) == {
        "Try again": f"http://127.0.0.1:8080/{URL}",
        "Open without Winnow": URL,
        "Look for a saved copy": "/-/saved?url=https%3A%2F%2Fnews.example%2Fstory%3Fa%3D1",
    }
    archive = parsed(page).css_first("a[href^='https://web.archive.org/web/']")
    assert attribute(archive, "href").endswith(URL)


def test_by_proxy_nothing_is_promised_that_leads_through_winnow_again() -> None:
    found = buttons(error_page(REFUSED, BY_PROXY))
    assert found["Try again"] == URL
    assert "Open without Winnow" not in found
    assert found["Look for a saved copy"].startswith("https://winnow.internal/-/saved?url=")


@pytest.mark.parametrize("error", REFUSALS)
@pytest.mark.parametrize("failed", [BY_GATEWAY, BY_PROXY])
def test_nothing_leads_past_a_refusal(error: ProxyError, failed: FailedRequest) -> None:
    page = error_page(error, failed)
    assert_sound(page)
    assert buttons(page) == {}
    assert "archive.org" not in page.body.decode()


def test_a_page_that_scripts_write_leads_to_the_form_that_runs_them() -> None:
    page = error_page(TransformError("script-shell"), BY_GATEWAY)
    assert page.status == 422
    assert "This page is written by scripts The text" in text(page)
    found = buttons(page)
    assert found["Run them in Winnow’s browser"].startswith("/-/render?url=https%3A%2F%2Fnews.ex")
    assert found["Open without Winnow"] == URL


@pytest.mark.parametrize("attack", ['"><script>alert(1)</script>', "'&<b>", "</style><script>"])
def test_an_address_cannot_break_out(attack: str) -> None:
    url = f"https://a.example/{attack}"
    for failed in (FailedRequest.of_page(url, f"/{url}", "http://w/"), FailedRequest(url)):
        made = parsed(error_page(OriginFaultError(attack), failed))
        assert not made.css("main script, main b")


def test_an_address_of_a_local_network_is_told_to_no_archive() -> None:
    failed = FailedRequest.of_page("http://printer.local/", "/http://printer.local/", "http://w/")
    assert "archive.org" not in error_page(REFUSED, failed).body.decode()


def test_the_menu_stands_there_for_who_may_use_it() -> None:
    token = MENUS.set(Menus({"/": "Read a page", "/-/saved": "Saved pages"}))
    by_proxy, outside = error_page(REFUSED, BY_PROXY), error_page(REFUSED)
    MENUS.reset(token)
    links = [attribute(node, "href") for node in parsed(by_proxy).css("header nav a")]
    assert links[:2] == ["https://winnow.internal/", "https://winnow.internal/-/saved"]
    assert not parsed(outside).css("header")


@pytest.mark.parametrize(
    ("error", "title"),
    [
        (ClientFaultError("There is no such page.", 404, "not-found"), "Page not found"),
        (ClientFaultError("It is odd.", 418, "odd"), "Something went wrong"),
        (private_address_error("router"), "This address is private"),
        (OriginCertificateError("No trust.", "a.example", 10), "This connection is not secure"),
        (OriginFaultError("The origin answered with status 500."), "Something went wrong"),
    ],
)
def test_each_error_has_a_title(error: ProxyError, title: str) -> None:
    page = error_page(error, FailedRequest())
    assert page.status == error.status
    assert text(page).startswith(title) or f"{title} " in text(page)


def test_the_sentence_is_in_the_reader_s_language() -> None:
    with speaking(Language.GERMAN):
        page = error_page(REFUSED, BY_GATEWAY)
    assert_sound(page, "de")
    assert "Erneut versuchen" in buttons(page)
    assert 'lang="en"' not in str(parsed(page).css_first(".lead").html)  # type: ignore[union-attr]
