"""The container of a book: a ZIP archive with the place of its package (EPUB 3.3, section 4.2)."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import Final

MEDIA_TYPE: Final = "application/epub+zip"
_MOMENT: Final = (1980, 1, 1, 0, 0, 0)
"""Of all files: the same book gives the same bytes."""
_CONTAINER: Final = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
    '<rootfiles><rootfile full-path="EPUB/book.opf" media-type="application/oebps-package+xml"/>'
    "</rootfiles></container>\n"
)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """The container: its media type first and not packed (EPUB 3.3, section 4.2.6.3)."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(zipfile.ZipInfo("mimetype", _MOMENT), MEDIA_TYPE)
        for name, body in {"META-INF/container.xml": _CONTAINER.encode(), **files}.items():
            entry = zipfile.ZipInfo(name, _MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, body)
    return out.getvalue()
