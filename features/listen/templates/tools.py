"""The toolbar of an article in a page of ours: the same things in the same order. Pure."""

from __future__ import annotations

from typing import NamedTuple

from winnow.proxy.own.checked_values import Address, own_address, web_address
from winnow.proxy.own.templates.navigation import is_gone
from winnow.proxy.own.translation import _


class Tool(NamedTuple):
    """A link; ``target`` is None for what is shown. ``apart``: a site is not told whence."""

    text: str
    target: Address | None
    title: str = ""
    apart: bool = False


def tools_of(url: str, looks: Address, *more: Tool) -> tuple[Tool, ...]:
    """The way to the page at ``url``, text and colours, and ``more`` that are there."""
    page = web_address(url)
    original = (Tool(_("Original"), page, _("Original page"), apart=True),) if page else ()
    there = (each for each in more if not (each.target and is_gone(each.target)))
    return (*original, Tool("Aa", looks, _("Text and colours")), *there)


def tool(text: str, target: str) -> Tool:
    """A link to an address of ours."""
    return Tool(text, own_address(target))
