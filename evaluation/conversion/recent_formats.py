"""Published gold standards of 2016 and later as entries: how each is laid out on disk."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from winnow.document.values import Page
from winnow.evaluation.errors import PackageError
from winnow.evaluation.gold.packages import PackageEntry
from winnow.evaluation.subjects.subject import visible_text

_SELECTED: Final = re.compile(r'\s+cc-select="[^"]*"')
"""WebMainBench's annotation stands in the page itself, where every program could read it."""


def fundus_evaluation(folder: Path) -> Iterator[PackageEntry]:
    """fundus-evaluation (Dallabetta et al. 2024): ``ground_truth.json`` and ``html/NAME.html.gz``.

    A paragraph in brackets may be in an answer or not: the gold is without, a variant with them.
    """
    path = folder / "ground_truth.json"
    if not path.is_file():
        raise PackageError(f"{folder} holds no {path.name}: name the folder as it was published.")
    for name, record in sorted(json.loads(path.read_bytes()).items()):
        body = [str(paragraph) for paragraph in record["body"]]
        needed = [paragraph for paragraph in body if not _is_optional(paragraph)]
        every = "\n".join(text[1:-1] if _is_optional(text) else text for text in body)
        variants = [every] if len(needed) < len(body) else []
        notes = {"url": record.get("url"), "page_type": "article", "variants": variants}
        page = gzip.decompress((folder / "html" / name).read_bytes())
        yield PackageEntry(name.removesuffix(".html.gz"), page, "\n".join(needed), notes)


def webmainbench(folder: Path) -> Iterator[PackageEntry]:
    """WebMainBench (Liu et al. 2025): ``*.jsonl``, a page a line; gold: the text of ``main_html``.

    The pages' marks of what was selected are taken out.
    """
    for number, (_, record) in enumerate(_records(folder.glob("*.jsonl"), folder)):
        meta = record.get("meta") or {}
        notes = {
            "url": record.get("url"),
            "language": meta.get("language"),
            "page_type": str(meta.get("style") or "").lower() or None,
            "level": meta.get("level"),
        }
        page = _SELECTED.sub("", str(record["html"])).encode("utf-8", "replace")
        gold = visible_text(
            Page(str(record["main_html"]).encode("utf-8", "replace"), None, "utf-8")
        )
        name = str(record.get("track_id") or f"{number:05}")
        yield PackageEntry(name, page, gold, {**notes, "encoding_used": "utf-8"})


def combined(folder: Path) -> Iterator[PackageEntry]:
    """The eight sets of Bevendorff et al. (2023), ``combined.tar.xz`` unpacked:
    ``ground-truth/SET.jsonl`` and ``html/SET/ID.html`` in UTF-8."""
    for truth, record in _records((folder / "ground-truth").glob("*.jsonl"), folder):
        name = str(record["page_id"])
        page = (folder / "html" / truth.stem / f"{name}.html").read_bytes()
        notes = {"url": record.get("url"), "group": truth.stem}
        yield PackageEntry(f"{truth.stem}-{name}", page, str(record["plaintext"]), notes)


def _is_optional(paragraph: str) -> bool:
    return paragraph.startswith("[") and paragraph.endswith("]")


def _records(files: Iterable[Path], folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Each line of JSON Lines, with its file."""
    listed = sorted(files)
    if not listed:
        raise PackageError(f"{folder} holds no *.jsonl: name the folder as it was published.")
    for path in listed:
        with path.open(encoding="utf-8") as lines:
            yield from ((path, json.loads(line)) for line in lines)
