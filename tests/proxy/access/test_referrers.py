"""Which page a Referer names, as a table; what is written in an odd way names none."""

from __future__ import annotations

import pytest

from winnow.proxy.access.referrers import Referrer, origin_of, referrer_of

OWN = "http://reader:8080"
PAGE = Referrer(is_own_page=True)


def foreign(site: str) -> Referrer:
    return Referrer(is_foreign=True, site=site)


def hosted(origin: str, url: str) -> Referrer:
    return Referrer(hosted=origin, url=url)


@pytest.mark.parametrize(
    ("referer", "page"),
    [
        ("", Referrer()),
        (f"{OWN}/", Referrer()),
        (OWN, Referrer()),
        (f"{OWN}/style.css", Referrer()),
        ("http://evil.example/", foreign("http://evil.example")),
        ("https://reader:8080/-/settings", foreign("https://reader:8080")),
        (f"{OWN}8/-/settings", foreign(f"{OWN}8")),
        (f"{OWN}.evil.example/-/settings", foreign("")),
        (f"{OWN}@evil.example/-/settings", foreign("")),
        ("http://evil.example/http://a.example/", foreign("http://evil.example")),
        (f"{OWN}/-/settings", PAGE),
        (f"{OWN.upper()}/-/settings", PAGE),
        (f"{OWN}/-/why", PAGE),
        (f"{OWN}/-/small/", PAGE),
        (f"{OWN}/http://A.example/b?c", hosted("http://a.example", "http://A.example/b?c")),
        (f"{OWN}/https://a.example:443", hosted("https://a.example", "https://a.example:443")),
        (f"{OWN}/http:/a.example/", hosted("null", "http:/a.example/")),
        (f"{OWN}/http://x@a.example/", hosted("null", "http://x@a.example/")),
        (f"{OWN}/-/small/http://a.example/", hosted("http://a.example", "http://a.example/")),
        (f"{OWN}/-/small/w9.t2/http://a.example/", hosted("http://a.example", "http://a.example/")),
        (f"{OWN}/-/read?url=http%3A%2F%2Fa.example%2F", hosted("http://a.example", "http://a.example/")),
        (f"{OWN}/-/why?a=b&url=http://a.example/", hosted("http://a.example", "http://a.example/")),
        (f"{OWN}/-/why?url=a.example", hosted("null", "")),
        (
            f"{OWN}/-/why/page?url=http://a.example/",
            hosted("http://a.example", "http://a.example/"),
        ),
        (f"{OWN}/-/read?url=http://a.example/%0d%0aX:1", hosted("http://a.example", "")),
        (f"{OWN}/-/book?url=http://a.example/&url=http://b.example/", hosted("null", "")),
    ],
)  # fmt: skip
def test_a_referer_names_a_page(referer: str, page: Referrer) -> None:
    assert referrer_of(referer, OWN) == page


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("http://a.example", "http://a.example"),
        ("HTTPS://A.example:8443/x", "https://a.example:8443"),
        ("http://[::1]:80/", "http://[::1]"),
        ("http://a.example:80@b.example/", ""),
        ("http://a.example\\@b.example/", ""),
        ("ftp://a.example/", ""),
        ("a.example", ""),
    ],
)
def test_an_origin_is_read_strictly(url: str, origin: str) -> None:
    assert origin_of(url) == origin


def test_an_unknown_page_is_the_same_as_no_origin() -> None:
    assert hosted("null", "").same == frozenset()
    assert hosted("http://a.example", "").same == {"http://a.example"}
