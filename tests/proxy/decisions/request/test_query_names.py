"""A parameter that nobody knows is an error that names the nearest one."""

from __future__ import annotations

import pytest

from winnow.proxy.decisions.request.query_names import check_parameters
from winnow.proxy.http.proxy_errors import ClientFaultError


def test_known_names_and_those_of_one_address_are_no_fault() -> None:
    check_parameters({"url": "http://a.example/", "format": "json", "since": "1"}, "since")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"formt": "json"}, "did you mean “format”?"),
        ({"since": "1"}, "choose from url, "),
        ({"xyzzy": "1"}, "choose from url, "),
    ],
)
def test_an_unknown_name_is_told_apart(query: dict[str, str], said: str) -> None:
    with pytest.raises(ClientFaultError) as raised:
        check_parameters(query)
    assert said in str(raised.value)
    assert (raised.value.status, raised.value.reason) == (400, "unknown-parameter")
    assert "%26" not in str(raised.value)


def test_what_may_belong_to_the_address_behind_url_is_explained() -> None:
    with pytest.raises(ClientFaultError, match="%26"):
        check_parameters({"url": "http://a.example/?a=1", "xyzzy": "2"})
