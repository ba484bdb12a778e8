"""A line of ours stands at the end of an original's body, or nowhere where that is not sure."""

from __future__ import annotations

from dataclasses import replace

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.proxy.origins import Origin, ask, get, html
from tests.proxy.proxies import FakeTransform, Proxy, proxying
from winnow.document.values import Purpose, Treatment
from winnow.proxy.decisions.policy import SiteRule
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.forwarding.notice import allows_style, with_line
from winnow.proxy.http.headers import Headers
from winnow.proxy.stores.site_choice import SiteMode

LINE = b'<aside id="winnow-notice">Line</aside>'
HTML = Headers((("Content-Type", "text/html"),))
XHTML = Headers((("Content-Type", "application/xhtml+xml"),))
PAGE = b"<html><body><p>A page that somebody wrote.</p></body></html>"
BROWSER = "Accept: text/html,application/xhtml+xml,*/*;q=0.8"
FAILED = FakeTransform(failure="deadline")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"<body>x</body>", b"<body>x" + LINE + b"</body>"),
        (b"<BODY>x</BODY></HTML>\n", b"<BODY>x" + LINE + b"</BODY></HTML>\n"),
        (b"<html>x</body > <!-- a - b --> </html>\n", b"<html>x" + LINE),
        (b"<!doctype html><p>x", b"<!doctype html><p>x" + LINE),
        (b"<body>x</body></html> late", b"<body>x</body></html> late" + LINE),
        (b"<body><!-- </body></html> -->x", b"<body><!-- </body></html> -->x" + LINE),
        (b"<body><script>'<textarea>'</script></body>", b"</script>" + LINE + b"</body>"),
        (b"<body><p>y</p></body>" + b" " * 100_000, b" " * 100_000 + LINE),
    ],
)
def test_the_line_stands_at_the_end_of_the_body(body: bytes, expected: bytes) -> None:
    changed = with_line(body, LINE, HTML)
    assert changed is not None
    assert expected in changed
    assert changed.replace(LINE, b"", 1) == body
    shown = LexborHTMLParser(changed).css_first("body > aside#winnow-notice, p > aside")
    assert shown is not None
    assert shown.text() == "Line"


@pytest.mark.parametrize(
    "body",
    [
        b"<p>a fragment</p>",
        b"<\x00b\x00o\x00d\x00y\x00>\x00x\x00",
        b"<body><script>x = '</body>'",
        b"<body><!-- </body>",
        b"<body><textarea></body></html>",
        b"<body><script>a</script><select><option></body>",
        b"<body><noscript><p></body>",
        b"<html><frameset><frame src=a></frameset></html>",
        b"<body><plaintext></body>",
    ],
)
def test_where_it_would_not_be_shown_there_is_none(body: bytes) -> None:
    assert with_line(body, LINE, HTML) is None


def test_xhtml_stays_well_formed() -> None:
    assert with_line(b"<html><body>x</body></html>", LINE, XHTML) is not None
    assert with_line(b"<html><body>x</html>", LINE, XHTML) is None


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("img-src 'self'", True),
        ("default-src 'self'", False),
        ("default-src 'self' 'unsafe-inline'", True),
        ("default-src 'none'; style-src 'unsafe-inline'", True),
        ("style-src 'unsafe-inline' 'nonce-abc'", False),
        ("style-src 'unsafe-inline' 'sha256-abc='", False),
        ("style-src 'self'; style-src-attr 'unsafe-inline'", False),
        ("style-src 'none'; style-src-attr 'unsafe-inline'; style-src-elem 'unsafe-inline'", True),
        ("style-src-attr 'none'; style-src 'unsafe-inline'", False),
        ("img-src 'self', style-src 'self'", False),
    ],
)
@pytest.mark.parametrize("name", ["", "-Report-Only"])
def test_it_has_a_style_where_every_policy_allows_one(
    policy: str, expected: bool, name: str
) -> None:
    assert allows_style(Headers(((f"Content-Security-Policy{name}", policy),)), PAGE) is expected


def test_a_policy_in_the_page_is_taken_for_one_that_forbids_styles() -> None:
    assert allows_style(HTML, PAGE)
    assert not allows_style(HTML, b'<meta http-equiv="Content-Security-Policy" content="">' + PAGE)


async def shown(proxy: Proxy, origin: Origin, *fields: str) -> bytes:
    return (await ask(proxy.port, get(origin.url("/a"), *fields))).body


async def test_only_a_whole_page_that_a_person_opens_has_a_line(origin: Origin) -> None:
    async with proxying(FAILED) as proxy:
        origin.replies["/a"] = html(PAGE)
        assert b"winnow-notice" in await shown(proxy, origin, BROWSER)
        assert b"winnow-notice" in await shown(proxy, origin, BROWSER, "Sec-Fetch-Dest: document")
        for fields in (
            ("Accept: */*",),
            (BROWSER, "Sec-Fetch-Dest: iframe"),
            (BROWSER, "Winnow-Mode: extract", "Sec-Fetch-Dest: empty"),
            (BROWSER, "Winnow-Bar: off"),
            (BROWSER, "Winnow-Format: text"),
            (BROWSER, "Cache-Control: no-transform"),
        ):
            assert await shown(proxy, origin, *fields) == PAGE, fields


async def test_no_rule_has_a_line_put_into_a_page_that_forbids_changes(origin: Origin) -> None:
    origin.replies["/a"] = html(PAGE, "Cache-Control: no-transform")
    async with proxying(FAILED) as proxy:
        anyway = SiteRule(transform_anyway=True)
        proxy.policy = replace(proxy.policy, rule_for=lambda _origin, _owner: anyway)
        assert await shown(proxy, origin, BROWSER) == PAGE


POLICY = "Content-Security-Policy: default-src 'self'"


async def test_the_policy_of_the_page_is_its_own(origin: Origin) -> None:
    origin.replies["/a"] = html(PAGE, POLICY, "Digest: sha-256=abc", "Vary: Cookie")
    async with proxying(FAILED) as proxy:
        answer = await ask(proxy.port, get(origin.url("/a"), BROWSER))
    assert answer.field("content-security-policy") == "default-src 'self'"
    assert b"style" not in answer.body
    assert answer.field("digest") == ""
    assert answer.field("vary").startswith("Cookie, Accept")


@pytest.mark.parametrize("page", [PAGE, PAGE * 3000])
async def test_the_original_that_was_requested_for_has_a_line_and_a_validator(
    origin: Origin, page: bytes
) -> None:
    origin.replies["/a"] = html(page, 'ETag: "theirs"', "Cache-Control: max-age=600")
    async with proxying() as proxy:
        view = RequestMode.ORIGINAL
        proxy.policy = replace(proxy.policy, view_of=lambda _owner, _url: view)
        first = await ask(proxy.port, get(origin.url("/a"), BROWSER, 'If-None-Match: "theirs"'))
        tag = first.field("etag")
        again = await ask(proxy.port, get(origin.url("/a"), BROWSER, f"If-None-Match: {tag}"))
        view = RequestMode.AUTO
        read = await ask(proxy.port, get(origin.url("/a"), BROWSER, f"If-None-Match: {tag}"))
    assert b"Winnow is off for this page for up to an hour." in first.body
    assert first.field("cache-control") == "max-age=600, no-cache"
    assert (again.status, again.field("etag")) == (304, tag)
    assert (read.status, read.field("winnow-action")) == (200, "extracted")


async def test_what_a_person_chose_is_shown_though_it_is_poor(origin: Origin) -> None:
    origin.replies["/a"] = html(PAGE)
    transform = FakeTransform(poor="low-confidence", words_kept=5)
    async with proxying(transform) as proxy:
        assert b"Reader view" in await shown(proxy, origin, BROWSER)
        extract = RequestMode.EXTRACT
        proxy.policy = replace(proxy.policy, view_of=lambda _owner, _url: extract)
        assert b"extracted" in await shown(proxy, origin, BROWSER)
        always = SiteRule(SiteMode.ALWAYS)
        usual = replace(proxy.policy, view_of=lambda _owner, _url: RequestMode.AUTO)
        proxy.policy = replace(usual, rule_for=lambda _origin, _owner: always)
        assert b"extracted" in await shown(proxy, origin, BROWSER)
        transform.words_kept = 0
        assert b"Winnow shows the original page" in await shown(proxy, origin, BROWSER)


async def test_a_page_that_is_not_for_reading_has_none(origin: Origin) -> None:
    origin.replies["/a"] = html(PAGE)
    for transform in (
        FakeTransform(poor="not-for-reading", treatment=Treatment.ORIGINAL),
        FakeTransform(poor="few-words", purpose=Purpose.FORM),
        FakeTransform(poor="no-article", purpose=Purpose.APPLICATION),
    ):
        async with proxying(transform) as proxy:
            assert await shown(proxy, origin, BROWSER) == PAGE
