"""Each problem is told in plain words, with the right status."""

from __future__ import annotations

import pytest

from tests.proxy.own.templates.support import assert_sound, text
from winnow.proxy.own.templates.errors.error_pages import problem_page


@pytest.mark.parametrize(
    ("reason", "title", "error"),
    [
        ("origin-unreachable", "The server cannot be reached", "destination_unavailable"),
        ("address-refused", "This address is private", "destination_ip_prohibited"),
        ("loop", "Proxy loop", "proxy_loop_detected"),
    ],
)
def test_each_problem_is_told_in_plain_words(reason: str, title: str, error: str) -> None:
    page = problem_page(502, reason, "Look at the address.")
    assert_sound(page)
    assert text(page) == f"{title} Look at the address. Winnow: {reason}"
    assert page.headers["Proxy-Status"] == f"winnow; error={error}"


@pytest.mark.parametrize(("status", "title"), [(404, "Not Found"), (599, "Error 599")])
def test_a_problem_that_nobody_named_has_its_status_for_a_title(status: int, title: str) -> None:
    page = problem_page(status, "odd", "It is odd.")
    assert page.status == status
    assert text(page).startswith(title)
    assert "Proxy-Status" not in page.headers
