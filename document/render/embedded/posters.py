"""Pictures that stand for a film before it is played: those that the page itself carries.

Nothing is fetched from a third party before a click: a poster is shown where it comes through the
gateway, without Referer, or from the page's own site.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final

from winnow.document.document import Document
from winnow.document.render.addresses import Addresses, host_of
from winnow.document.render.embedded.embeds import watch_page

_CARRIED: Final = ("data-poster", "data-thumbnail", "data-thumb", "data-thumbnail-src", "poster")
_FILMS: Final = ("embedUrl", "contentUrl", "url")


def is_of_site(address: str, addresses: Addresses) -> bool:
    """Whether an address is on the page's own host or below it."""
    here, there = host_of(addresses.page), host_of(address.removeprefix(addresses.prefix))
    return bool(here) and (there == here or there.endswith(f".{here}"))


def poster_markup(
    attributes: Mapping[str, str], film: str, stated: Mapping[str, str], addresses: Addresses
) -> str:
    """The picture of a frame that shows ``film``, "" if the page has none that may be shown.

    ``stated``: the posters of ``posters_of``.
    """
    carried = next((attributes[name] for name in _CARRIED if attributes.get(name)), "")
    address = addresses.resource(carried or stated.get(watch_page(film), ""))
    if not address or not (addresses.prefix or is_of_site(address, addresses)):
        return ""
    fetched = 'loading="lazy" referrerpolicy="no-referrer"'
    return f'<img src="{escape(address)}" alt="" {fetched}><br>'


def posters_of(document: Document) -> dict[str, str]:
    """The posters of films that JSON-LD names, by the address of the page that shows the film."""
    found: dict[str, str] = {}
    for node in document.linked_nodes:
        if node.get("@type") == "VideoObject" and (poster := _first(node.get("thumbnailUrl"))):
            for address in filter(None, (_first(node.get(name)) for name in _FILMS)):
                found.setdefault(watch_page(address), poster)
    return found


def _first(value: Any) -> str:
    return next(_texts(value), "")


def _texts(value: Any) -> Iterator[str]:
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, str) and one.strip():
            yield one.strip()
