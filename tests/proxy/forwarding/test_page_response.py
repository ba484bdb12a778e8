"""What the bar may look like in a page that is the site's own but for what was removed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from winnow.document.values import Format, Recipe, Rendered, Treatment
from winnow.proxy.decisions.policy import BarLook
from winnow.proxy.forwarding.page_response import _look
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import ResponseHead

NO_STYLE = Headers((("Content-Security-Policy", "style-src 'none'"),))


@pytest.mark.parametrize(
    ("treatment", "recipe", "headers", "look"),
    [
        (Treatment.TIDY, Recipe(live=True), Headers(), BarLook.STYLED),
        (Treatment.TIDY, Recipe(live=True), NO_STYLE, BarLook.UNSTYLED),
        (Treatment.TIDY, Recipe(live=False), NO_STYLE, BarLook.STYLED),
        (Treatment.EXTRACT, Recipe(format=Format.PRUNED, live=True), NO_STYLE, BarLook.STYLED),
        (Treatment.EXTRACT, Recipe(live=True), NO_STYLE, BarLook.READER),
    ],
)
def test_a_sites_policy_decides_where_its_page_is_sent_on(
    treatment: Treatment, recipe: Recipe, headers: Headers, look: BarLook
) -> None:
    transaction: Any = SimpleNamespace(recipe=recipe)
    reply: Any = SimpleNamespace(head=ResponseHead(200, "OK", headers))
    rendered = Rendered(b"<p>x</p>", "text/html", "bte", treatment=treatment)
    assert _look(transaction, reply, rendered) is look
