"""Lists and reads the pages of a corpus: files, WARC records, addresses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from winnow.command_errors import CommandError, UsageError
from winnow.config.settings import Settings
from winnow.document.values import Page
from winnow.evaluation.crawled_pages import html_files, html_records, page_at, page_of_file
from winnow.evaluation.errors import PackageError
from winnow.page_fetch import fetch

_WEB: Final = ("http://", "https://")
_ARCHIVED: Final = (b"WARC/", b"\x1f\x8b")
"""First bytes of a WARC file, plain or compressed by gzip."""
_MARKUP: Final = {".html", ".htm", ".xhtml"}


@dataclass(frozen=True, slots=True)
class PageLocation:
    """One page of a corpus; ``source`` names it for people.

    ``folder`` is the corpus that a file belongs to, ``offset`` the first byte of a WARC record,
    ``fault`` the reason if there is no page.
    """

    source: str
    path: str = ""
    folder: str = ""
    offset: int = -1
    fault: str = ""


def page_locations(sources: Iterable[str]) -> Iterator[PageLocation]:
    """Return all pages of folders, WARC files, lists of addresses, HTML files and addresses.

    Raises UsageError for a source that is none of them.
    """
    for source in sources:
        yield from _of(source)


def read(location: PageLocation, settings: Settings) -> Page:
    """Return the page. Raises CommandError if there is none, PackageError with its address."""
    if location.fault:
        raise CommandError(location.fault)
    if not location.path:
        return fetch(location.source, settings)
    path, largest = Path(location.path), settings.extraction.max_page
    try:
        if location.offset >= 0:
            return page_at(path, location.offset, largest)
        return page_of_file(path, Path(location.folder), largest)
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror or error}") from error


def _of(source: str) -> Iterator[PageLocation]:
    if source.startswith(_WEB):
        return iter([PageLocation(source)])
    path = Path(source).absolute()
    if path.is_dir():
        return _of_folder(path)
    if not path.is_file():
        raise UsageError(f"{source} is no folder, WARC file or list of addresses")
    if path.suffix.lower() in _MARKUP:
        return iter([PageLocation(str(path), str(path), str(path.parent))])
    with path.open("rb") as stream:
        archived = stream.read(5).startswith(_ARCHIVED)
    return _of_archive(path) if archived else _of_list(path)


def _of_folder(folder: Path) -> Iterator[PageLocation]:
    for path in html_files(folder):
        yield PageLocation(str(path), str(path), str(folder))


def _of_archive(path: Path) -> Iterator[PageLocation]:
    offset = 0
    try:
        for offset, _ in html_records(path):  # used after the loop failed
            yield PageLocation(f"{path}@{offset}", str(path), offset=offset)
    except PackageError as error:
        yield PageLocation(
            f"{path}@{offset}", fault=f"the records after byte {offset} are lost: {error}"
        )


def _of_list(path: Path) -> Iterator[PageLocation]:
    """Read one address a line; blank lines and those that begin with ``#`` are skipped."""
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            address = line.strip()
            if address.startswith(_WEB):
                yield PageLocation(address)
            elif address and not address.startswith("#"):
                fault = f"line {number} of {path.name} is no http or https address"
                yield PageLocation(address[:200], fault=fault)
