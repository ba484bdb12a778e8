"""The page of components has every class of the style sheets, and is sound."""

from __future__ import annotations

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from docs.design_pictures import components
from winnow.config.appearance import Theme
from winnow.proxy.own.templates.base_page import READING

THEMES: Final = {"light", "dark", "sepia", "contrast"}
OF_ONE_PAGE: Final = {"about", "checks", "framed", "live", "next", "reading", "wide"}
"""Classes that lay out one kind of page: its own pictures show them."""


def test_every_class_is_on_the_page() -> None:
    page = LexborHTMLParser(components(Theme.SEPIA))
    shown = {
        word for node in page.css("[class]") for word in (node.attributes["class"] or "").split()
    }
    selectors = re.findall(r"([^{}]*)\{", re.sub(r"/\*.*?\*/", "", READING, flags=re.DOTALL))
    styled = {name for each in selectors for name in re.findall(r"\.([a-z][\w-]*)", each)}
    assert styled - shown - OF_ONE_PAGE - THEMES == set()
    assert "sepia" in shown


def test_each_theme_is_a_page_of_its_own() -> None:
    assert len({components(theme) for theme in Theme}) == len(Theme)
