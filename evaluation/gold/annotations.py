"""Pages marked by people, stored as test packages: a folder for each annotator below one folder.

All annotators of an address get the bytes that the first of them got, so that their marks can be
compared.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from winnow.document.addresses import host_of
from winnow.document.values import Page
from winnow.evaluation.conversion.writing import write_entry, write_json
from winnow.evaluation.gold.packages import DESCRIPTION, PackageEntry

Spans = list[tuple[int, int, str]]
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")


@dataclass(frozen=True, slots=True)
class AnnotationFolders:
    """The entries below ``folder``. Every method does file work: call them beside the loop."""

    folder: Path

    def page(self, url: str) -> Page | None:
        """The page as it was first saved, by any annotator."""
        name = name_of(url)
        for path in sorted(self.folder.glob(f"*/{name}.html"), key=_age):
            encoding = _notes(path).get("encoding_used")
            return Page(path.read_bytes(), url, str(encoding or "") or None)
        return None

    def spans(self, annotator: str, url: str) -> Spans | None:
        """What this annotator marked on the page before: ranges of the page's text."""
        path = self._package(annotator) / f"{name_of(url)}.html"
        if not path.exists():
            return None
        found = _notes(path).get("page_spans")
        return [(int(a), int(b), str(label)) for a, b, label in _list(found)]

    def keep(self, annotator: str, page: Page, gold: str, notes: Mapping[str, object]) -> Path:
        """Write the entry, in place of the annotator's earlier one; OSError where it cannot be."""
        package, name = self._package(annotator), name_of(page.url or "")
        package.mkdir(parents=True, exist_ok=True)
        if not (package / DESCRIPTION).exists():
            write_json(package / DESCRIPTION, _description(annotator))
        day = datetime.now(UTC).date().isoformat()
        meta = {"url": page.url, **notes, "annotator": annotator, "annotated": day}
        write_entry(package, PackageEntry(name, page.body, gold, meta))
        return package / f"{name}.html"

    def is_name(self, annotator: str) -> bool:
        """Whether this may name an annotator, and so a folder: small letters, digits, hyphens."""
        return _NAME.fullmatch(annotator) is not None

    def _package(self, annotator: str) -> Path:
        if not self.is_name(annotator):
            raise ValueError(f"{annotator!r} names no annotator.")
        return self.folder / annotator


def name_of(url: str) -> str:
    """How the entry of an address is called: its host and a digest."""
    host = re.sub(r"[^a-z0-9.-]", "-", host_of(url) or "page").strip(".")
    return f"{host[:60]}-{sha256(url.encode('utf-8', 'replace')).hexdigest()[:10]}"


def _description(annotator: str) -> dict[str, object]:
    source = "marked in the browser (/-/annotate)"
    unknown = {"language": "", "licence": "", "ship": False}
    return {"name": annotator, **unknown, "source": source, "annotator": annotator}


def _notes(page: Path) -> Mapping[str, object]:
    notes = json.loads(page.with_suffix(".json").read_bytes())
    return notes if isinstance(notes, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _age(path: Path) -> float:
    return path.stat().st_mtime
