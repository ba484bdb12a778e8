"""The toolbar of an article in a page of ours: the same things in the same order. Pure."""

from __future__ import annotations

from typing import NamedTuple

from winnow.proxy.own.checked_values import Address, own_address, web_address
from winnow.proxy.own.templates.navigation import is_gone
from winnow.proxy.own.translation import _


class Tool(NamedTuple):
    """A link; ``target`` is None for what is shown, and for a menu of ``more``. ``apart``: a site
    is not told whence."""

    text: str
    target: Address | None
    title: str = ""
    apart: bool = False
    more: tuple[Tool, ...] = ()


def tools_of(
    url: str, looks: Address, save: Tool, listen: Tool | None, *more: Tool
) -> tuple[Tool, ...]:
    """The five of every article, as the bar of a reader page has them: the way to the page at
    ``url``, text and colours, saving, listening, and a menu. What is not there is left out."""
    page = web_address(url)
    original = Tool(_("Original"), page, _("Original page"), apart=True) if page else None
    aa = Tool("Aa", looks, _("Text and colours"))
    menu = Tool(_("More"), None, more=tuple(filter(_is_there, more)))
    found = filter(None, (original, aa, save, listen))
    return (*filter(_is_there, found), *((menu,) if menu.more else ()))


def tool(text: str, target: str, title: str = "") -> Tool:
    """A link to an address of ours."""
    return Tool(text, own_address(target), title)


def _is_there(each: Tool) -> bool:
    return not (each.target and is_gone(each.target))
