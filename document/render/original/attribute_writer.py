"""Attributes and stylesheets of a pruned page: addresses resolved, active content removed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Final

from winnow.document.render.addresses import Addresses, clean

_NAME: Final = re.compile(r"[a-z][a-z0-9_.:-]*")
_REMOVED: Final = frozenset(
    "srcdoc formaction formtarget ping nonce integrity autofocus hidden manifest profile "
    "http-equiv xmlns is data codebase archive classid code imagesizes imagesrcset "
    "crossorigin attributionsrc popovertarget commandfor command xlink:href xml:base".split()
)
_LINKS: Final = frozenset({"href", "action", "cite", "longdesc"})
_RESOURCES: Final = frozenset({"src", "poster", "background", "lowsrc", "dynsrc"})
_HIDING_STYLE: Final = re.compile(
    r"(?:display\s*:\s*none|visibility\s*:\s*hidden)\s*(?:!important)?;?", re.I
)
_ACTIVE: Final = re.compile(r"(?:javascript:|vbscript:|data:(?!image/))", re.IGNORECASE)
_CSS_URL: Final = re.compile(r"url\(\s*+(\"[^\"]*+\"|'[^']*+'|[^\s()\"']*+)\s*+\)", re.IGNORECASE)
"""CSS Syntax 3, section 4.3.6; possessive, so that no author's blanks are read twice."""
_CSS_IMPORT: Final = re.compile(r"(@import\s+)(\"[^\"]*\"|'[^']*')", re.IGNORECASE)
_CSS_ACTIVE: Final = re.compile(
    r"(?:expression\s*\(|behaviou?r\s*:|-moz-binding|javascript\s*:|vbscript\s*:|\\0*(?:6[aA]|65|45|4[aA])\s?)",
    re.IGNORECASE,
)
_CSS_TAG: Final = re.compile(r"<(?=[A-Za-z/!?])")


@dataclass(frozen=True, slots=True)
class AttributeWriter:
    """Writes attributes with their addresses rewritten by ``addresses``."""

    addresses: Addresses

    def write(self, element: str, attributes: Mapping[str, str]) -> str:
        """The harmless ones of an element, each quoted and with a blank before it."""
        found = ((name, self._value(element, name, value)) for name, value in attributes.items())
        return "".join(
            f' {name}="{escape(value)}"'
            for name, value in found
            if value is not None and _NAME.fullmatch(name)
        )

    def stylesheet(self, css: str) -> str:
        """A stylesheet with its addresses resolved; it can neither run code nor end its element."""
        css = css.replace("<!--", "").replace("-->", "")
        css = self._resolved(css)
        return _CSS_TAG.sub(r"\\3c ", _CSS_ACTIVE.sub("-winnow-gone", css))

    def _value(self, element: str, name: str, value: str) -> str | None:
        if name.startswith("on") or name in _REMOVED or _ACTIVE.match(clean(value)):
            return None
        if name == "style":
            return self._resolved(_HIDING_STYLE.sub("", _CSS_ACTIVE.sub("-winnow-gone", value)))
        if name == "usemap":
            return _fragment(value)
        if name == "srcset":
            return self.addresses.resources(value) or None
        if name in _LINKS or name in _RESOURCES:
            is_resource = name in _RESOURCES or element == "link"
            find: Callable[[str], str] = (
                self.addresses.resource if is_resource else self.addresses.link
            )
            return find(value) or None
        return value

    def _resolved(self, css: str) -> str:
        css = _CSS_URL.sub(lambda found: f'url("{self._address(found[1])}")', css)
        return _CSS_IMPORT.sub(lambda found: f'{found[1]}"{self._address(found[2])}"', css)

    def _address(self, quoted: str) -> str:
        """An address in CSS, resolved; one within the page or of another kind stays or goes."""
        address = quoted.strip("\"' ")
        if address.startswith("#") or _is_font(address):
            return address.replace('"', "%22")
        found = self.addresses.resource(address)
        return found.replace('"', "%22").replace("\\", "%5C").replace("\n", "")


def _fragment(value: str) -> str | None:
    """A map is always one of the page's own (HTML, 4.8.13: a hash-name reference)."""
    name = value.partition("#")[2]
    return f"#{name}" if name else None


def _is_font(address: str) -> bool:
    found = re.match(r"data:(?:font|application/(?:x-)?font)[\w/+.-]*[;,]", address, re.I)
    return found is not None
