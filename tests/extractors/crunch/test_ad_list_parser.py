"""Which addresses a list of ads means, and which of its lines are no use."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.extractors.crunch.ad_list_parser import parse
from winnow.extractors.crunch.ad_matching import ad_list, host_of, suffixes

PAGE = "https://www.news.example/story"


def matches(rules: str, address: str, element: str = "img", page: str = PAGE) -> bool:
    return ad_list(rules).of(page).matches(address, element)


@pytest.mark.parametrize(
    ("rule", "address", "is_ad"),
    [
        ("0.0.0.0 ads.example", "http://ads.example/x", True),
        ("127.0.0.1 localhost ads.example # both", "https://ADS.example/x", True),
        ("0.0.0.0 ads.example", "http://sub.ads.example/x", False),
        ("ads.example", "//ads.example:8080/x", True),
        ("ads.example", "/ads.example/x", False),
        ("ads.example", "http://[broken", False),
        ("||ads.example^", "http://sub.ads.example/x", True),
        ("||ads.example^", "http://bads.example/x", False),
        ("||ads.example/banner", "http://sub.ads.example/banner/1.png", True),
        ("||ads.example/banner", "http://other.example/ads.example/banner", False),
        ("/adserver/*", "http://cdn.example/adserver/1.png", True),
        ("/adserver/*", "http://cdn.example/badserver/1.png", False),
        ("|http://ad.", "http://ad.example/", True),
        ("|http://ad.", "http://example/?u=http://ad.", False),
        (".swf|", "http://a.example/film.swf", True),
        (".swf|", "http://a.example/film.swf?x", False),
        ("^banner^", "http://a.example/banner/1", True),
        ("^banner^", "http://a.example/banners/1", False),
        ("banner*.gif", "http://a.example/bannersize/x.gif", True),
        (r"/ba+nner[0-9]/", "http://a.example/baaanner1", True),
        ("||ads.example^\n@@||ads.example/good^", "http://ads.example/good/1", False),
        ("||ads.example^\n@@||ads.example/good^", "http://ads.example/bad/1", True),
        ("/banner/*\n@@||cdn.example^", "http://cdn.example/banner/1", False),
    ],
)
def test_what_a_rule_means(rule: str, address: str, is_ad: bool) -> None:
    assert matches(rule, address) is is_ad


@pytest.mark.parametrize(
    ("rule", "element", "page", "is_ad"),
    [
        ("/ad.js$script", "script", PAGE, True),
        ("/ad.js$script", "img", PAGE, False),
        ("/ad.js$~script", "script", PAGE, False),
        ("/ad.js$~script", "img", PAGE, True),
        ("/ad.js$script", "a", PAGE, False),
        ("/ad.js", "a", PAGE, True),
        ("/ad.js$third-party", "img", PAGE, True),
        ("/ad.js$third-party", "img", "http://cdn.example/", False),
        ("/ad.js$~third-party", "img", "http://www.cdn.example/", True),
        ("/ad.js$domain=news.example", "img", PAGE, True),
        ("/ad.js$domain=other.example|~news.example", "img", PAGE, False),
        ("/ad.js$domain=~news.example", "img", "http://other.example/", True),
    ],
)
def test_options_narrow_a_rule(rule: str, element: str, page: str, is_ad: bool) -> None:
    assert matches(rule, "http://cdn.example/ad.js", element, page) is is_ad


def test_bad_lines_are_reported_and_comments_and_hiding_rules_are_not() -> None:
    rules = parse(
        "! comment\n# comment\n[Adblock Plus 2.0]\nexample.com##.banner\n##.ad\n*\n"
        "/ad$nonsense=1\n/(/\n0.0.0.0 not_a_host!\n||ads.example^$csp=x\nads.example\n"
    )
    assert [(bad.number, bad.why) for bad in rules.bad] == [
        (6, "it would match every address"),
        (7, "option 'nonsense' is unknown"),
        (8, "its expression is wrong: missing ), unterminated subpattern at position 0"),
        (9, "'not_a_host!' is no host"),
    ]
    assert rules.hosts == ["ads.example"]
    assert (rules.used, rules.ignored) == (1, 3)


WORD = st.sampled_from(["ad", "ads", "banner", "news", "img", "x"])
PATTERNS = st.lists(
    st.tuples(
        st.sampled_from(["||", "", "|http://", "/", "^"]),
        st.lists(WORD, min_size=1, max_size=3).map("*".join),
        st.sampled_from(["", "^", "|", "/", "*", ".gif"]),
    ).map("".join),
    max_size=12,
)
ADDRESSES = st.tuples(
    st.lists(WORD, min_size=2, max_size=3).map(".".join),
    st.lists(WORD, max_size=3).map("/".join),
    st.sampled_from(["", ".gif", "?ad=1"]),
).map(lambda parts: f"http://{parts[0]}/{parts[1]}{parts[2]}")


@given(rules=PATTERNS, exceptions=PATTERNS, address=ADDRESSES)
def test_the_index_finds_what_trying_every_rule_finds(
    rules: list[str], exceptions: list[str], address: str
) -> None:
    text = "\n".join([*rules, *(f"@@{rule}" for rule in exceptions)])
    found, host = parse(text), host_of(address)
    asked = (address, host, "news.example", "image")
    above = set(suffixes(host))
    listed = bool(above & set(found.domains)) or host in found.hosts
    listed = listed or any(rule.matches(*asked) for rule in found.patterns)
    spares = bool(above & set(found.exception_domains))
    spares = spares or any(rule.matches(*asked) for rule in found.exceptions)
    page = ad_list(text).of("http://news.example/")
    assert page.matches(address, "img") is (listed and not spares)
    assert page.matches(address, "img") is (listed and not spares)
