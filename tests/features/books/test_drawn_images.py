"""Drawings in books: what is drawn stays, what runs or leads elsewhere goes."""

from __future__ import annotations

import re

import pytest

from winnow.features.books.drawn_images import LARGEST, safe_drawing

XMLNS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
PROLOG = (
    '<?xml version="1.0"?>\n<!-- by hand -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" '
    '"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n'
)
HARMFUL = [
    "<script>alert(1)</script>", "<rect onload='alert(1)'/>",
    "<image href='http://evil.example/x.png'/>", "<image xlink:href='data:image/png;base64,AA'/>",
    "<a xlink:href='javascript:alert(1)'><rect/></a>", "<use href='http://evil.example/a#b'/>",
    "<foreignObject><p xmlns='http://www.w3.org/1999/xhtml'>evil</p></foreignObject>",
    "<animate attributeName='href' values='evil'/>", "<set attributeName='x' to='evil'/>",
    "<rect fill='url(http://evil.example/#a)'/>", "<rect mask='url(#a), url(http://evil/m)'/>",
    r"<rect clip-path='u\72l(evil.svg#a)'/>", "<rect style='fill:url(//evil/#a)'/>",
    "<rect style='background:url(evil)'/>", "<p xmlns='http://www.w3.org/1999/xhtml'>evil</p>",
]  # fmt: skip


def drawing(inside: str) -> bytes:
    return f'<svg {XMLNS} viewBox="0 0 9 9">{inside}</svg>'.encode()


def test_what_is_drawn_stays() -> None:
    inside = (
        '<defs><linearGradient id="a"><stop offset="0" stop-color="red"/></linearGradient>'
        '<path id="l" d="M0 0h9"/></defs><rect fill="url(#a)" width="9"/>'
        '<text x="1">A &amp; B<tspan>c</tspan> d</text>'
    )
    found = safe_drawing(PROLOG.encode() + drawing(inside)).decode()
    assert inside in found
    assert '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">' in found


def test_declarations_of_a_style_attribute_are_attributes() -> None:
    found = safe_drawing(drawing('<rect style="fill:#f00;stroke-width:2px;cursor:help"/>'))
    assert b'<rect fill="#f00" stroke-width="2px"/>' in found


def test_what_is_used_is_within_the_drawing() -> None:
    inside = '<path id="l" d="M0 0h9"/><use xlink:href="#l" x="2"/>'
    assert b'<use x="2" href="#l"/>' in safe_drawing(drawing(inside))


@pytest.mark.parametrize("inside", HARMFUL)
def test_nothing_runs_or_leads_elsewhere(inside: str) -> None:
    found = safe_drawing(drawing(f"{inside}<circle r='4'/>")).decode()
    assert '<circle r="4"/>' in found
    assert not re.search(r"evil|alert|script|href=\"[^#]|data:|onload|url\(|<a\b", found)


@pytest.mark.parametrize(
    "body",
    [
        b"", b"<html><svg></svg></html>", b"\x89PNG\r\n<svg>", drawing("<g>")[:-6],
        b'<!DOCTYPE svg [<!ENTITY a "evil">]><svg xmlns="http://www.w3.org/2000/svg"/>',
        drawing("<style>rect { fill: red }</style>"),
        drawing("<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>"),
        drawing("<g>" * 2000 + "</g>" * 2000), drawing(" " * LARGEST),
    ],
)  # fmt: skip
def test_what_cannot_be_shown_as_it_is_is_no_drawing(body: bytes) -> None:
    assert safe_drawing(body) == b""
