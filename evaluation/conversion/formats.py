"""Published gold standards as entries: how each is laid out on disk."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from winnow.document.values import Page
from winnow.evaluation.conversion.annotated import annotated_text
from winnow.evaluation.conversion.recent_formats import combined, fundus_evaluation, webmainbench
from winnow.evaluation.errors import PackageError
from winnow.evaluation.gold.packages import PackageEntry
from winnow.evaluation.subjects.subject import visible_text

_RENAMED = {"category": "collection"}  # WCXB's evaluation counts them as one, too
_MARK = re.compile(r"</?[hpl]\d*/?>", re.IGNORECASE)
_URL_LINE = re.compile(r"\A\s*URL:[ \t]*(\S*)[^\n]*\n?")
_COMMENTS = re.compile(r"^!@#\$%\^&\*\(\)\s+COMMENTS\s*$", re.MULTILINE)

Read = Callable[[Path], Iterator[PackageEntry]]


def wcxb(folder: Path) -> Iterator[PackageEntry]:
    """WCXB 2.0: ``ground-truth/ID.json`` beside ``html/ID.html.gz``."""
    for path in _sorted(folder / "ground-truth", "*.json"):
        record = _object(json.loads(path.read_bytes()))
        truth = _object(record.get("ground_truth"))
        kind = _object(_object(record.get("_internal")).get("page_type"))
        notes = {
            "url": record.get("url"),
            "page_type": _RENAMED.get(str(kind.get("primary")), kind.get("primary")),
            "title": truth.get("title"),
            "author": truth.get("author"),
            "date": truth.get("publish_date"),
            "with": truth.get("with") or [],
            "without": truth.get("without") or [],
        }
        body = _page(folder / "html", path.stem)
        yield PackageEntry(path.stem, body, str(truth.get("main_content") or ""), notes)


def cleaneval(folder: Path) -> Iterator[PackageEntry]:
    """CleanEval: ``orig/N.html`` and ``clean/N.txt`` (or ``N-cleaned.txt``).

    The gold's ``<h>``, ``<p>`` and ``<l>`` marks are taken out; the text with them is kept in the
    notes as ``marked``.
    """
    yield from _marked(folder / "orig", folder / "clean")


def cleanportaleval(folder: Path) -> Iterator[PackageEntry]:
    """CleanPortalEval: ``input/N.html`` and ``GoldStandard/N.txt``, marked as CleanEval's."""
    yield from _marked(folder / "input", folder / "GoldStandard")


def _marked(pages: Path, golds: Path) -> Iterator[PackageEntry]:
    for path in _sorted(pages, "*.html"):
        later = golds / f"{path.stem}-cleaned.txt"
        marked = _text(later if later.is_file() else golds / f"{path.stem}.txt")
        address = _URL_LINE.match(marked)
        marked = _URL_LINE.sub("", marked)
        notes = {"url": (address and address[1]) or None, "marked": marked.strip()}
        yield PackageEntry(path.stem, path.read_bytes(), _MARK.sub("", marked).strip(), notes)


def article_extraction_benchmark(folder: Path) -> Iterator[PackageEntry]:
    """article-extraction-benchmark: ``ground-truth.json`` and ``html/ID.html.gz``."""
    truths = _object(json.loads((folder / "ground-truth.json").read_bytes()))
    for name, record in sorted(truths.items()):
        truth = _object(record)
        notes = {"url": truth.get("url"), "page_type": "article"}
        yield PackageEntry(
            name, _page(folder / "html", name), truth.get("articleBody") or "", notes
        )


def l3s_gn1(folder: Path) -> Iterator[PackageEntry]:
    """L3S-GN1 (Kohlschütter et al. 2010): ``original/ID.html`` and ``annotated/ID.html``.

    Gold is what is annotated as headline, full text or supplemental (x-nc-sel1 to 3).
    """
    for path in _sorted(folder / "original", "*.html"):
        marked = (folder / "annotated" / path.name).read_bytes()
        notes = {"page_type": "article", "title": annotated_text(marked, "1")}
        yield PackageEntry(path.stem, path.read_bytes(), annotated_text(marked, "123"), notes)


def dragnet(folder: Path) -> Iterator[PackageEntry]:
    """Dragnet: ``HTML/ID.html``, ``Corrected/ID.html.corrected.txt``; comments into the notes."""
    for path in _sorted(folder / "HTML", "*.html"):
        corrected = _text(folder / "Corrected" / f"{path.name}.corrected.txt")
        gold, *comments = _COMMENTS.split(corrected, maxsplit=1)
        notes = {"page_type": "article", "comments": "".join(comments).strip()}
        yield PackageEntry(path.stem, path.read_bytes(), gold.strip(), notes)


def readability(folder: Path) -> Iterator[PackageEntry]:
    """Mozilla Readability's test pages: ``NAME/source.html``, ``expected.html``, metadata."""
    for path in _sorted(folder, "*/source.html"):
        expected = (path.parent / "expected.html").read_bytes()
        record = _object(json.loads((path.parent / "expected-metadata.json").read_bytes()))
        names = {"title": "title", "author": "byline", "language": "lang"}
        notes = {ours: record.get(theirs) for ours, theirs in names.items()}
        gold = visible_text(Page(expected, charset="utf-8"))
        yield PackageEntry(path.parent.name, path.read_bytes(), gold, notes)


FORMATS: Final[Mapping[str, Read]] = MappingProxyType(
    {
        "wcxb": wcxb,
        "cleaneval": cleaneval,
        "article-extraction-benchmark": article_extraction_benchmark,
        "l3s-gn1": l3s_gn1,
        "dragnet": dragnet,
        "readability": readability,
        "cleanportaleval": cleanportaleval,
        "fundus-evaluation": fundus_evaluation,
        "webmainbench": webmainbench,
        "combined": combined,
    }
)


def _sorted(folder: Path, pattern: str) -> list[Path]:
    found = sorted(folder.glob(pattern))
    if not found:
        raise PackageError(f"{folder} holds no {pattern}: name the folder as it was published.")
    return found


def _page(folder: Path, name: str) -> bytes:
    packed = folder / f"{name}.html.gz"
    if packed.is_file():
        return gzip.decompress(packed.read_bytes())
    return (folder / f"{name}.html").read_bytes()


def _text(path: Path) -> str:
    """Gold as UTF-8, or as windows-1252 where it is not: the old sets are mixed."""
    if not path.is_file():
        raise PackageError(f"{path} is missing: every page needs its gold text.")
    raw = path.read_bytes()
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
