"""A page for who saves data has all rules that find something in it, and no others of a table."""

from __future__ import annotations

import re

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.pages.golden import FOLDER, names
from winnow.document.render.reader.style import STYLE
from winnow.document.render.reader.used_style import with_used_rules

_PSEUDO = re.compile(r"::?(?:focus-visible|focus|hover)\b|:lang\(\w+\)")


def rules(css: str) -> set[tuple[str, str]]:
    """Each selector with its declarations, whatever media they are for."""
    found = re.findall(r"([^{}@]+)\{([^{}]*)\}", re.sub(r"@media[^{]*\{", "", css))
    return {(one.strip(" }\n"), body) for selectors, body in found for one in selectors.split(",")}


def styled(page: str) -> set[tuple[str, str]]:
    return rules(page.partition("<style>")[2].partition("</style>")[0])


@pytest.mark.parametrize("name", names())
def test_no_rule_is_lost_that_finds_something(name: str) -> None:
    page = (FOLDER / name / "expected.html").read_text("utf-8")
    assert with_used_rules(page) == page, "it has no style sheet of ours"
    page = page.replace("<style></style>", f"<style>{STYLE}</style>", 1)
    lean = with_used_rules(page)
    assert len(lean) < len(page)
    assert lean.partition("</style>")[2] == page.partition("</style>")[2]
    tree, lost = LexborHTMLParser(lean), rules(STYLE) - styled(lean)
    assert styled(lean) <= rules(STYLE)
    for selector, _ in lost:
        if ":lang(" in selector:
            assert not tree.css(f'[lang|="{selector.partition(":lang(")[2][:2]}"]')
        else:
            assert not tree.css(_PSEUDO.sub("", selector)), selector


def test_what_a_page_lacks_costs_it_nothing() -> None:
    page = f"<!doctype html><style>{STYLE}</style><body><p>Text</p></body>"
    lean = with_used_rules(page)
    assert "table" not in lean
    assert "p{margin:0 0 1.1em" in lean
    assert "@media print{:root{" in lean
    assert len(lean) * 2 < len(page)
