"""The set-up page tells each system what to do, and shows whether it worked without a script."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.proxy.own.templates.support import assert_sound, attribute, parsed, text
from winnow.features.setup.devices.network_switch import NetworkState
from winnow.features.setup.setup_check import CHECKS_PATH, check_page, checks_page
from winnow.features.setup.setup_guides import GUIDES, Guide, system_of
from winnow.features.setup.setup_page import _SCRIPT, _STYLE, SetupView, setup_page
from winnow.proxy.own.listening_place import ListeningAddress
from winnow.proxy.own.page_templates import PROGRAM
from winnow.proxy.own.templates.base_page import HtmlPage
from winnow.proxy.own.translation import Language, speaking
from winnow.proxy.tls.interception_policy import Hosts, InterceptionPolicy

ON = Hosts.of(["*"])
FINGERPRINT = ":".join(["AB"] * 32)


def view(through: str = "", hosts: tuple[str, ...] = (), tls: bool = False) -> SetupView:
    return SetupView(
        ListeningAddress("192.168.1.5", 8080, tls),
        InterceptionPolicy(Hosts.of(hosts)),
        "Winnow local CA (desk)",
        FINGERPRINT,
        through,
    )


def objects(through: str) -> list[str]:
    page = checks_page(through, ON)
    return [attribute(node, "data") for node in parsed(page).css("object")]


def sound(page: HtmlPage) -> None:
    assert_sound(page, style=_STYLE, script=_SCRIPT)


def test_it_is_sound() -> None:
    sound(setup_page(view()))


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.system)
def test_every_system_is_told_how_to_set_and_how_to_undo(guide: Guide) -> None:
    page = setup_page(view(hosts=("*",)))
    folds = [
        node
        for node in parsed(page).css("details")
        if node.css("summary")[0].text() == guide.system
    ]
    assert [len(node.css("ol > li")) for node in folds] == [
        len(guide.proxy),
        len(guide.trust) + 1,
    ]
    assert "To remove it:" in folds[1].text()


@pytest.mark.parametrize("language", Language)
def test_no_line_breaks_within_the_name_of_wireless_networks(language: Language) -> None:
    with speaking(language):
        said = text(setup_page(view(hosts=("*",))))
    assert "Wi-Fi" not in said
    assert "Wi\u2011Fi" in said or language in (Language.GERMAN, Language.CHINESE)


def test_no_brace_is_left_unfilled() -> None:
    page = parsed(setup_page(view()))
    page.strip_tags(["script", "style"])
    assert page.body is not None
    assert "{" not in page.body.text()


def test_it_names_what_must_be_typed_and_compared() -> None:
    page = setup_page(view(hosts=("*",)))
    said = text(page)
    assert FINGERPRINT in [node.text() for node in parsed(page).css("pre")]
    for told in ("http://192.168.1.5:8080/-/proxy.pac", "192.168.1.5", "8080",
                 "Winnow local CA (desk)"):  # fmt: skip
        assert told in said
    assert attribute(parsed(page).css_first("a[download]"), "href") == "/-/ca.crt"


def test_it_says_with_what_the_fingerprint_is_compared() -> None:
    said = text(setup_page(view(hosts=("*",))))
    assert f"AB: AB It must be the one that {PROGRAM} ca show prints" in said
    assert "Firefox shows it before it trusts the certificate" in said


def test_while_https_is_off_it_says_how_to_remove_the_certificate_and_not_to_trust_it() -> None:
    page = setup_page(view())
    assert "remove “Winnow local CA (desk)”" in text(page)
    assert parsed(page).css_first("a[download]") is None
    folds = parsed(page).css("#trust ~ details")
    assert [node.css("summary")[0].text() for node in folds] == [each.system for each in GUIDES]
    assert all("To remove it" not in node.text() for node in folds)


def test_behind_tls_its_own_addresses_are_https() -> None:
    assert "https://192.168.1.5:8080/-/proxy.pac" in text(setup_page(view(tls=True)))


@pytest.mark.parametrize(
    ("through", "asked"),
    [
        ("", ["http://winnow.internal/-/check", "https://winnow.internal/-/check"]),
        ("http", ["https://winnow.internal/-/check"]),
        ("https", []),
    ],
)
def test_what_the_request_proves_is_not_asked_again(through: str, asked: list[str]) -> None:
    assert objects(through) == asked


def test_what_is_asked_may_be_framed_and_answers_no_by_itself() -> None:
    page = checks_page("", ON)
    policy = page.headers["Content-Security-Policy"]
    assert "frame-ancestors 'self'" in policy
    assert int(page.headers["Refresh"]) < 10, "checks turn green by themselves"
    assert attribute(parsed(setup_page(view())).css_first("object"), "data") == CHECKS_PATH
    assert "frame-src http://winnow.internal https://winnow.internal" in policy
    assert all(node.text().startswith("No: ") for node in parsed(page).css("object"))


def test_the_answer_may_be_framed_and_is_sound() -> None:
    page = check_page("https", ON)
    assert_sound(page)
    assert "frame-ancestors *" in page.headers["Content-Security-Policy"]
    assert "✓ Yes, HTTPS goes through Winnow." in text(page)


def test_the_check_and_the_switch_say_one_truth() -> None:
    off = Hosts.of([])
    assert "trusts Winnow’s certificate, but HTTPS is off." in text(check_page("https", off))
    assert "✓ Yes, HTTP goes through Winnow." in text(check_page("http", off))
    assert "No: HTTPS is off (step 2)." in text(checks_page("", off))
    assert "not trusted yet" not in text(checks_page("", off))
    assert "not trusted yet" in text(checks_page("", ON))


def test_before_there_is_a_certificate_none_is_to_be_trusted_or_removed() -> None:
    page = setup_page(replace(view(), authority_name="", fingerprint=""))
    sound(page)
    assert "Before, there is none to trust." in text(page)
    assert not parsed(page).css("a[download]")
    assert "authority.pem" not in text(page)


@pytest.mark.parametrize(
    ("done", "said"),
    [("off", "HTTPS is off: "), ("undo", "Undone: HTTPS is off"), ("on", "HTTPS is on."),
     ("again", "opens all hosts again"), ("closed", "")],
)  # fmt: skip
def test_what_was_done_is_said_once(done: str, said: str) -> None:
    network = NetworkState("192.168.1.5", 8080, {"on": {}})
    page = setup_page(replace(view(), done=done, network=network))
    (told,) = parsed(page).css("[role=status]")
    assert said in told.text()
    targets = {attribute(node, "id") for node in parsed(page).css("[id]")}
    assert {attribute(node, "href")[1:] for node in told.css("a")} <= targets
    assert not parsed(setup_page(replace(view(), done="nonsense"))).css("[role=status]")


@pytest.mark.parametrize(
    ("hosts", "said"),
    [((), "interception is off"), (("*",), "on for all hosts but the exceptions"),
     (("example.com",), "on for the hosts that you listed")],
)  # fmt: skip
def test_it_says_whose_https_is_opened(hosts: tuple[str, ...], said: str) -> None:
    assert said in text(setup_page(view(hosts=hosts)))


def test_guides_of_devices_name_the_address_of_this_machine_in_its_network() -> None:
    listener = ListeningAddress("127.0.0.1", 8080)
    here = SetupView(listener, InterceptionPolicy(Hosts.of(())), "Winnow", FINGERPRINT)
    known = replace(here, network=NetworkState("192.168.1.5", 8080, {"on": {}}))
    for shown, address in ((here, "127.0.0.1"), (known, "192.168.1.5")):
        guides: dict[str, str] = {}
        for guide in parsed(setup_page(shown)).css("details"):
            system = guide.css("summary")[0].text()
            guides[system] = guides.get(system, "") + guide.text()
        assert address in guides["Android"]
        assert f"http://{address}:8080/-/proxy.pac" in guides["iPhone and iPad"]
        assert "127.0.0.1" in guides["Firefox"]


@pytest.mark.parametrize(
    ("agent", "system"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox"),
        ("Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1", "iPhone and iPad"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36", "Windows"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1", "macOS"),
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0", "Chrome, Chromium, Edge"),
        ("curl/8", ""),
    ],
)
def test_the_guide_of_the_browser_that_asks_stands_open_and_first(agent: str, system: str) -> None:
    assert system_of(agent) == system
    page = parsed(setup_page(replace(view(), system=system)))
    open_ones = {node.css_first("summary").text() for node in page.css("details[open]")}  # type: ignore[union-attr]
    assert open_ones == ({system} if system else set())
    first = page.css_first("details > summary")
    assert first is not None
    assert first.text() == (system or "Firefox")
    assert bool(page.css("details details")) is bool(system)
