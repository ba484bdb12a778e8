"""One page of an export as its fields say: bounded texts, dates and addresses. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final

from winnow.features.saved.stores.saved_page import (
    LONGEST_NOTE,
    MOST_NOTES,
    Note,
    SavedPage,
    tags_of,
)
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.request_target import parse_url

LARGEST_CONTENT: Final = 4 * 1024 * 1024
"""Characters of one article."""
_LONGEST: Final = 20_000
"""Characters of a title, an address or another field."""


@dataclass(frozen=True, slots=True)
class ImportedPage:
    """``page.content`` is as the file has it: it must be sanitised before it is stored."""

    page: SavedPage
    images: Mapping[str, tuple[bytes, str]] = field(default_factory=lambda: MappingProxyType({}))


def imported_page(
    url: Any,
    *,
    tags: Iterable[Any] | None = None,
    notes: Iterable[tuple[Any, Any, Any]] = (),
    content: Any = "",
    **fields: Any,
) -> ImportedPage | None:
    """A page; None where the address is none of the web. Dates are ``saved`` and ``published``."""
    address = text_of(url)
    if not address.lower().startswith(("http://", "https://")) or not _is_address(address):
        return None
    page = SavedPage(
        address,
        content=text_of(content, LARGEST_CONTENT),
        saved=_moment(fields.pop("saved", "")),
        published=_moment(fields.pop("published", "")),
        tags=tags_of(text_of(tag) for tag in tags or ()),
        notes=notes_of(notes),
        **{name: text_of(value) for name, value in fields.items()},
    )
    direction = page.direction if page.direction in ("ltr", "rtl") else ""
    return ImportedPage(replace(page, direction=direction))


def notes_of(notes: Iterable[tuple[Any, Any, Any]]) -> tuple[Note, ...]:
    made = (
        Note(text_of(quote, LONGEST_NOTE), text_of(remark, LONGEST_NOTE), _moment(when))
        for quote, remark, when in notes
    )
    kept = dict.fromkeys(note for note in made if note.quote or note.remark)
    return tuple(kept)[:MOST_NOTES]


def _is_address(text: str) -> bool:
    try:
        parse_url(text)
    except ClientFaultError:
        return False
    return True


def text_of(value: Any, longest: int = _LONGEST) -> str:
    """A value as text that UTF-8 can hold; "" for none."""
    text = str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else ""
    return text[:longest].encode("utf-8", "replace").decode()


def _moment(value: Any) -> str:
    """A date as ISO 8601: from that, or from seconds since 1970; "" for any other."""
    text = text_of(value).strip()
    if re.fullmatch(r"[0-9]{9,11}", text):
        return datetime.fromtimestamp(int(text), UTC).isoformat()
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return ""
    return text
