"""Saved pages as files: Winnow's own JSON, which an import reads back, and Markdown. Pure."""

from __future__ import annotations

import io
import json
import zipfile
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Final

from winnow.features.saved.stores.saved_page import SavedPage
from winnow.proxy.own.downloads import file_name

FORMAT: Final = "winnow-saved-pages"
VERSION: Final = 1
_MOMENT: Final = (1980, 1, 1, 0, 0, 0)
Images = Mapping[str, tuple[bytes, str]]


def json_of(pages: Iterable[tuple[SavedPage, Images]]) -> bytes:
    """All that is stored of pages; ``saved_import`` is the inverse."""
    listed = [{**asdict(page), "images": _images(images)} for page, images in pages]
    whole = {"format": FORMAT, "version": VERSION, "pages": listed}
    return json.dumps(whole, ensure_ascii=False, indent=1).encode()


def _images(images: Images) -> list[dict[str, str]]:
    return [
        {"url": url, "type": media_type, "data": b64encode(body).decode()}
        for url, (body, media_type) in images.items()
    ]


def markdown_file(page: SavedPage, body: str) -> str:
    """A page's Markdown with its facts in front (YAML), and its notes behind."""
    facts = {
        "title": page.title,
        "url": page.url,
        "author": page.byline,
        "site": page.site,
        "published": page.published,
        "saved": page.saved,
        "tags": list(page.tags),
    }
    head = "".join(
        f"{name}: {json.dumps(value, ensure_ascii=False)}\n"
        for name, value in facts.items()
        if value
    )
    notes = "".join(
        "\n".join(filter(None, (_quoted(note.quote), note.remark))) + "\n\n" for note in page.notes
    )
    behind = f"\n## Highlights and notes\n\n{notes}" if notes else ""
    return f"---\n{head}---\n\n{body}{behind}"


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines()) + "\n" * bool(text)


def zipped(files: Iterable[tuple[str, str]]) -> bytes:
    """Texts as a ZIP archive, by title; two of one title are numbered."""
    out, seen = io.BytesIO(), set[str]()
    with zipfile.ZipFile(out, "w") as archive:
        for title, text in files:
            name = _name(title, seen)
            entry = zipfile.ZipInfo(f"saved/{name}.md", _MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, text)
    return out.getvalue()


def _name(title: str, seen: set[str]) -> str:
    """A file's name that no other has."""
    plain = file_name(title)
    name, number = plain, 1
    while name in seen:
        number += 1
        name = f"{plain}-{number}"
    seen.add(name)
    return name
