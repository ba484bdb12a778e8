"""The slider is a form that needs no script and stands where the page was made."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.proxy.own.templates.in_page.test_bar import bar
from tests.proxy.own.templates.support import attribute
from winnow.proxy.own.templates.elements import level_of


@pytest.mark.parametrize(
    ("extractor", "level"),
    [
        ("auto", 5),
        ("lqf:0.25", 5),
        ("crunch", 2),
        ("crunch:7", 7),
        ("crunch:modern=True,check=True", 2),
        ("crunch:level=11,modern=True,check=True", 11),
        ("crunch:ratio=0.5,level=3", 3),
        ("crunch:99", 2),
        ("crunching:4", 5),
    ],
)
def test_the_level_is_read_from_the_extractors_name(extractor: str, level: int) -> None:
    assert level_of(extractor) == level


def test_the_bar_holds_a_slider_of_twelve_levels() -> None:
    form = LexborHTMLParser(bar()).css_first("form.winnow-slider")
    assert form is not None
    assert attribute(form, "method") == "get"
    slider = form.css_first("input[type=range]")
    assert [attribute(slider, name) for name in ("min", "max", "value")] == ["1", "12", "5"]
    fields = {attribute(node, "name") for node in form.css("input")}
    assert fields == {"action", "page", "value"}
    assert form.css_first("label") is not None
