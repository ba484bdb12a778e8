"""The formats that a page is shown in."""

from __future__ import annotations

from enum import StrEnum

from winnow.document.render.installed_formats import installed_formats


class BodyKind(StrEnum):
    """What a rendering's body is; a PAGE is HTML with a place for the bar, a RECORD one object."""

    PAGE = "page"
    TEXT = "text"
    RECORD = "record"
    BINARY = "binary"


class Format(StrEnum):
    """The names of the renderers (``winnow extract --format``), with media type and kind of body.

    In Accept a media type selects the first format that has it.
    """

    HTML = "html", "text/html", BodyKind.PAGE
    PRUNED = "pruned", "text/html", BodyKind.PAGE
    TEXT = "text", "text/plain", BodyKind.TEXT
    MARKDOWN = "markdown", "text/markdown", BodyKind.TEXT
    JSON = "json", "application/json", BodyKind.RECORD
    SPANS = "spans", "application/json", BodyKind.RECORD
    EPUB = "epub", "application/epub+zip", BodyKind.BINARY

    media_type: str
    kind: BodyKind
    is_data: bool
    """Whether it is for programs: no page that a browser shows."""

    def __new__(cls, name: str, media_type: str = "", kind: BodyKind = BodyKind.TEXT) -> Format:
        found = str.__new__(cls, name)
        found._value_, found.media_type, found.kind = name, media_type, kind
        found.is_data = kind is not BodyKind.PAGE
        return found

    @classmethod
    def _missing_(cls, value: object) -> Format | None:
        """A third party's renderer by its name, with its version: both count in cache keys."""
        for name, version in installed_formats():
            if name == value:
                found = str.__new__(cls, name)
                found._name_, found._value_ = f"{name} {version}", name
                found.media_type, found.kind = "application/octet-stream", BodyKind.BINARY
                found.is_data = True
                cls._value2member_map_[name] = found
                return found
        return None

    @property
    def keeps_styles(self) -> bool:
        """Whether it is the original page with its own styles, less what was removed."""
        return self is Format.PRUNED
