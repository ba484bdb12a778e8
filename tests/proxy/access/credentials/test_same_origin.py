"""Our own pages answer to our own names and change things for our own pages only."""

from __future__ import annotations

import pytest

from winnow.proxy.access.credentials.same_origin import host_is_ours, is_same_origin


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1:8080", "[::1]:8080", "localhost", "LOCALHOST:8080", "winnow.internal",
     "winnow.internal.:80", "winnow:8080", "my-desk", "192.168.1.5:8080", "reader.example"],
)  # fmt: skip
def test_our_names_are_ours(host: str) -> None:
    assert host_is_ours(host, ("reader.example",))


@pytest.mark.parametrize(
    "host", ["rebinding.example", "localhost.example", "", "winnow.internal.example", "127.1"]
)
def test_other_names_are_not(host: str) -> None:
    assert not host_is_ours(host, ("reader.example",))


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "localhost:8080"},
        {"Host": "localhost:8080", "Origin": "http://localhost:8080"},
        {"Host": "LocalHost:8080", "Origin": "http://localhost:8080", "Sec-Fetch-Site": "none"},
        {"Host": "localhost:8080", "Sec-Fetch-Site": "same-origin"},
    ],
)
def test_a_form_of_ours_may_change_things(headers: dict[str, str]) -> None:
    assert is_same_origin(headers, "http")


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "localhost:8080", "Origin": "http://evil.example"},
        {"Host": "localhost:8080", "Origin": "http://localhost:9999"},
        {"Host": "localhost:8080", "Origin": "https://localhost:8080"},
        {"Host": "localhost:8080", "Origin": "null"},
        {"Host": "localhost:8080", "Sec-Fetch-Site": "cross-site"},
        {"Host": "localhost:8080", "Sec-Fetch-Site": "same-site"},
        {"Origin": "http://localhost:8080"},
    ],
)
def test_a_form_of_another_site_may_not(headers: dict[str, str]) -> None:
    assert not is_same_origin(headers, "http")
