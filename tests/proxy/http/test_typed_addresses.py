"""An address as people type it: without a scheme, where it is https but for local servers."""

from __future__ import annotations

import pytest

from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.request_target import completed


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("example.com", "https://example.com/"),
        (" example.com/story?id=1 ", "https://example.com/story?id=1"),
        ("example.com:443/story", "https://example.com/story"),
        ("example.com/a:8080", "https://example.com/a:8080"),
        ("http://example.com/", "http://example.com/"),
        ("example.com:8080/story", "http://example.com:8080/story"),
        ("127.0.0.1:8955/recipe.html", "http://127.0.0.1:8955/recipe.html"),
        ("192.168.1.1", "http://192.168.1.1/"),
        ("[::1]/page", "http://[::1]/page"),
        ("[::1]:8000/page", "http://[::1]:8000/page"),
        ("localhost/page", "http://localhost/page"),
        ("nas", "http://nas/"),
        ("printer.local/status", "http://printer.local/status"),
        ("nas:443", "https://nas/"),
    ],
)
def test_what_is_typed_is_completed_by_its_scheme(typed: str, url: str) -> None:
    assert completed(typed) == url


@pytest.mark.parametrize("typed", ["", "::1", "no host/", "ftp://example.com/"])
def test_what_is_no_address_is_refused(typed: str) -> None:
    with pytest.raises(ClientFaultError):
        completed(typed)
