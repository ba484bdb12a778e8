"""Attributes of a page whose look is kept."""

from __future__ import annotations

import pytest

from winnow.document.render.addresses import Addresses
from winnow.document.render.original.attribute_writer import AttributeWriter

ATTRIBUTES = AttributeWriter(Addresses("http://a.example/"))


@pytest.mark.parametrize(
    ("told", "written"),
    [
        ("#isles", ' usemap="#isles"'),
        ("http://b.example/page#isles", ' usemap="#isles"'),
        ('#a"b', ' usemap="#a&quot;b"'),
        ("isles", ""),
        ("#", ""),
        ("javascript:alert(1)#isles", ""),
    ],
)
def test_a_map_is_one_of_the_page_itself(told: str, written: str) -> None:
    assert ATTRIBUTES.write("img", {"usemap": told}) == written
