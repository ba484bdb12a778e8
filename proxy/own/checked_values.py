"""Values that a template takes where a character could act: in addresses, styles and scripts.

Escaping keeps a value inside its attribute; it does not keep ``javascript:`` out of a link. So a
template refuses a plain ``str`` there (:mod:`winnow.proxy.own.markup_contexts`).
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

from markupsafe import Markup

_OWN: Final = re.compile(r"(?:/(?![/\\])|[#?])[^\\\s]*")


class Address(str):
    """An address that may stand in a link or form: of ours, or of the web."""

    __slots__ = ()


def own_address(path: str) -> Address:
    """A path, query or fragment of ours. Raises ValueError for what could lead elsewhere."""
    if not _OWN.fullmatch(path):
        raise ValueError(f"{path!r} is no address of ours.")
    return Address(path)


def web_address(url: str) -> Address | None:
    """An http or https address; None for any other."""
    return Address(url) if url.startswith(("http://", "https://")) else None


def address(value: object) -> Address:
    """What begins an address. Raises TypeError for what was not checked."""
    if not isinstance(value, Address):
        raise TypeError(f"{type(value).__name__} begins an address; web_address makes one.")
    return value


def component(value: object) -> str:
    """What stands within an address, percent-encoded (RFC 3986, section 2.1)."""
    return quote(str(value), safe="")


def attribute(value: object) -> object:
    """What stands in another attribute. Raises TypeError for markup that could end it."""
    if isinstance(value, Markup) and re.search('["<>]', value):
        raise TypeError("Markup stands in an attribute.")
    return value


def sheet(value: object) -> Markup:
    """A whole style sheet or script of ours. Raises TypeError for a plain string."""
    if not isinstance(value, Markup) or "</" in value:
        raise TypeError(f"{type(value).__name__} is no style sheet or script of ours.")
    return value
