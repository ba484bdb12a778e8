"""Programs get what the origin sent, unless they ask to read; browsers and curl read as ever."""

from __future__ import annotations

import re

import pytest

from tests.proxy.decisions.request.test_device_profiles import MODERN
from winnow.proxy.decisions.eligibility import navigation
from winnow.proxy.decisions.request.device_profiles import BASIC_BROWSERS
from winnow.proxy.decisions.request.program_clients import PROGRAMS, gets_original, is_program
from winnow.proxy.http.headers import Field, Headers
from winnow.proxy.http.reasons import Reason

SENT = (
    # (User-Agent, Accept) as each sends them by default; read off the wire by the matrix of clients
    ("Wget/1.21.3", "*/*"),
    ("Wget2/2.2.0", "text/html, */*;q=0.8"),
    ("aria2/1.36.0", "*/*"),
    ("python-requests/2.32.3", "*/*"),
    ("python-urllib3/2.3.0", ""),
    ("Python-urllib/3.11", ""),
    ("python-httpx/0.28.1", "*/*"),
    ("Python/3.11 aiohttp/3.11.11", "*/*"),
    ("Go-http-client/1.1", ""),
    ("Go-http-client/2.0", ""),
    ("Java/17.0.13", "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2"),
    ("Java-http-client/17.0.13", ""),
    ("Apache-HttpClient/4.5.14 (Java/17.0.13)", ""),
    ("okhttp/4.12.0", ""),
    ("node", "*/*"),
    ("node-fetch/1.0 (+https://github.com/bitinn/node-fetch)", "*/*"),
    ("undici", "*/*"),
    ("axios/1.7.9", "application/json, text/plain, */*"),
    ("got (https://github.com/sindresorhus/got)", ""),
    ("libwww-perl/6.68", ""),
    ("lwp-request/6.68 libwww-perl/6.68", ""),
    ("HTTP-Tiny/0.082", ""),
    ("Scrapy/2.11.2 (+https://scrapy.org)", "text/html,application/xhtml+xml,*/*;q=0.8"),
    ("Debian APT-HTTP/1.3 (2.6.1)", "text/*"),
    ("git/2.39.5", "*/*"),
    ("npm/9.2.0 node/v18.20.4 linux x64 workspaces/false", "application/json"),
    ("Lavf/59.27.100", "*/*"),
    ("containers/5.23.1 (github.com/containers/image)", ""),
    ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "text/html"),
    ("Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "*/*"),
    ("CCBot/2.0 (https://commoncrawl.org/faq/)", "text/html"),
    ("Mozilla/5.0 (compatible; Baiduspider/2.0)", "*/*"),
)


def asking(agent: str, *fields: Field) -> Headers:
    return Headers((("User-Agent", agent), *fields))


@pytest.mark.parametrize(("agent", "accept"), SENT)
def test_a_program_gets_the_original_whatever_it_accepts(agent: str, accept: str) -> None:
    headers = asking(agent, *((("Accept", accept),) if accept else ()))
    spared = navigation(headers, spares_programs=True)
    assert spared is (navigation(headers) or Reason.PROGRAM)
    assert gets_original(headers)


@pytest.mark.parametrize(("pattern", "example"), PROGRAMS)
def test_each_row_names_its_example(pattern: str, example: str) -> None:
    assert re.search(pattern, example.lower())
    assert is_program(example)


@pytest.mark.parametrize("agent", [*MODERN, *(example for _, example in BASIC_BROWSERS)])
def test_no_browser_is_on_the_list(agent: str) -> None:
    assert not is_program(agent)
    assert navigation(asking(agent, ("Accept", "text/html")), spares_programs=True) is None


READERS = (
    "curl/8.5.0",
    "",
    "Mozilla/5.0 (Linux; Android 11; CUBOT KING KONG) AppleWebKit/537.36 Chrome/120.0",
    "Claude-User/1.0",
    "ChatGPT-User/1.0",
    "KOReader/2024.11",
    "newsboat/2.30.1 (Linux x86_64)",
)


@pytest.mark.parametrize("agent", READERS)
def test_who_is_not_on_the_list_reads_as_before(agent: str) -> None:
    assert navigation(asking(agent), spares_programs=True) is None


ASKED: tuple[Field, ...] = (
    ("Winnow-Mode", "extract"),
    ("Winnow-Format", "text"),
    ("Winnow-Profile", "basic"),
    ("Winnow-Bar", "off"),
    ("Accept", "text/markdown, text/html;q=0.9, */*;q=0.1"),
    ("Accept", "text/plain"),
)


@pytest.mark.parametrize("field", ASKED)
def test_a_program_that_asks_to_read_reads(field: Field) -> None:
    assert navigation(asking("python-requests/2.32.3", field), spares_programs=True) is None


def test_a_program_that_asks_for_json_means_the_origin_s() -> None:
    headers = asking("python-requests/2.32.3", ("Accept", "application/json"))
    assert navigation(headers, spares_programs=True) is Reason.PROGRAM


def test_a_browser_driven_by_a_program_is_a_browser() -> None:
    """Sec-Fetch-Dest is what a browser says of a page that it opens."""
    opened = ("Sec-Fetch-Dest", "document")
    assert (
        navigation(asking("Mozilla/5.0 HeadlessChrome/140.0", opened), spares_programs=True) is None
    )


def test_a_program_that_takes_a_browser_s_name_is_one() -> None:
    """yt-dlp's fields: a browser sends Sec-Fetch-Mode with two others, or none of them."""
    taken = (("Accept", "text/html,*/*;q=0.8"), ("Sec-Fetch-Mode", "navigate"))
    for more, reason in (((), Reason.PROGRAM), ((("Sec-Fetch-Site", "none"),), None)):
        headers = asking(MODERN[0], *taken, *more)
        assert navigation(headers) is None
        assert navigation(headers, spares_programs=True) is reason


def test_the_setting_treats_programs_as_persons() -> None:
    assert navigation(asking("Wget/1.21.3", ("Accept", "*/*"))) is None
