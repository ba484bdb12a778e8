"""A tidied page without a viewport flows at a phone's width, unless something holds it wider."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.document.values import BAR_MARK
from winnow.engine.purpose.phone_layout import VIEWPORT, with_viewport

BODY = b"<html><body>" + BAR_MARK + b"<p>Kettle"


def is_given(html: str) -> bool:
    """Whether the page gets a viewport, right before the bar."""
    shown = with_viewport(Document.from_html(html), BODY)
    assert shown in {BODY, BODY.replace(BAR_MARK, VIEWPORT + BAR_MARK)}
    return shown != BODY


@pytest.mark.parametrize(
    "html",
    [
        "<p>Kettle",
        "<table width=100%><tr><td width=150>Kettle</table>",
        "<style>p{max-width:700px;border-width:500px}div{width:20em}</style><p>Kettle",
        '<p style="width: 300px">Kettle',
    ],
)
def test_what_flows_gets_a_viewport(html: str) -> None:
    assert is_given(html)


@pytest.mark.parametrize(
    "html",
    [
        "<meta name=Viewport content='width=1024'><p>Kettle",
        "<table width=760><tr><td>Kettle</table>",
        "<img src=a.png WIDTH='640' height=40>",
        "<style>#all{width:960px}</style><p>Kettle",
        '<div style="min-width: 600px">Kettle</div>',
        "<link rel='StyleSheet alternate' href=a.css><p>Kettle",
        "<style>@import url(a.css)</style><p>Kettle",
        "<pre>A line that is as long as it is.</pre>",
        "<frameset cols='1,2'><frame src=a></frameset>",
    ],
)
def test_what_is_wide_or_may_be_stays(html: str) -> None:
    assert not is_given(html)
