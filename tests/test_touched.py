"""Which tests ``make check`` runs."""

from __future__ import annotations

import pytest

from tests.touched import touched

TESTS = {
    "tests/proxy/http/test_headers.py": "from winnow.proxy.http.headers import Headers",
    "tests/proxy/caching/test_freshness.py": "from winnow.proxy.http.headers import Headers",
    "tests/browser/test_bar.py": "from tests.browser.browsers import chromium",
    "tests/winnow/test_start.py": "from winnow.proxy.own.languages import Language",
    "tests/docs/test_documents.py": "",
}


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("tests/browser/test_bar.py", "tests/browser/test_bar.py"),
        ("proxy/http/headers.py", "tests/proxy/http/test_headers.py"),
        ("proxy/own/languages.py", "tests/winnow/test_start.py"),
        ("tests/browser/browsers.py", "tests/browser/test_bar.py"),
        ("proxy/http/named_by_none.py", "tests/proxy/http/test_headers.py"),
        ("README.md", "tests/docs/test_documents.py"),
    ],
)
def test_a_change_has_its_tests(changed: str, expected: str) -> None:
    assert touched([changed], TESTS) == [expected]


def test_what_no_test_names_has_none() -> None:
    assert touched(["NOTICE"], TESTS) == []
