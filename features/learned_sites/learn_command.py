"""``winnow learn``: learns the layouts of sites from crawled or fetched pages."""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from winnow.command_errors import CommandError, UsageError, local_path
from winnow.command_settings import add_config_flag, load_settings
from winnow.config.settings import Settings
from winnow.data_folder import shares_sites, sites_of
from winnow.document.addresses import parts_of
from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.errors import EvaluationError
from winnow.evaluation.gold.crawled_pages import crawled
from winnow.evaluation.running.progress import watched
from winnow.extractors.layout.layout_files import LearnedLayout
from winnow.extractors.layout.layout_learner import LEARNER
from winnow.extractors.layout.pattern_files import pattern_file
from winnow.extractors.layout.pattern_learning import THRESHOLDS, Thresholds, links_of
from winnow.extractors.registry import make
from winnow.extractors.site_learners import pack
from winnow.page_fetch import fetch
from winnow.proxy.stores.site_keys import learned_key_of
from winnow.proxy.stores.site_store import KEY_SIZE

SOURCE: Final = "a folder of HTML files, a WARC file, or a text file with an address on each line"
DAY: Final = 86_400


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", type=Path, metavar="FOLDER|WARC|URL-LIST", help=SOURCE)
    add = parser.add_argument
    add("--site", metavar="NAME", help="the site of all pages, whatever their address")
    add(
        "--out",
        type=local_path,
        metavar="FILE",
        help="write to FILE, for layout:site=FILE, instead of the proxy's store",
    )
    add(
        "--webstemmer",
        "--strict",
        action="store_true",
        help="Webstemmer's formulas and pattern file, O(pages^2), for layout:mode=webstemmer; "
        "needs --out",
    )
    add(
        "-t",
        type=float,
        default=THRESHOLDS.cluster,
        metavar="SHARE",
        help="alike pages of a layout (0.97)",
    )
    add(
        "-T",
        type=float,
        default=THRESHOLDS.title,
        metavar="SHARE",
        help="of a title's likeness to links (0.6)",
    )
    add_config_flag(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    if arguments.webstemmer and arguments.out is None:
        raise UsageError("--webstemmer needs --out FILE, for layout:site=FILE,mode=webstemmer")
    settings = load_settings(arguments.config, {}).settings
    pages = watched(_pages(arguments.source, settings), 0, "learn", sys.stderr)
    try:
        report = _learned(arguments, settings, pages)
    except EvaluationError as error:
        raise UsageError(str(error)) from error
    sys.stdout.write(report)
    section = settings.learning
    if arguments.out is None and not (section.on_disk or shares_sites(settings)):
        sys.stderr.write("winnow: the proxy reads this only where learning.on_disk is set.\n")
    return 0


def _learned(arguments: argparse.Namespace, settings: Settings, pages: Iterator[Page]) -> str:
    if arguments.webstemmer:
        return _patterns(pages, arguments)
    if arguments.out is not None:
        return _into_file(pages, arguments.out)
    return asyncio.run(_into_store(pages, arguments.site, settings))


def _pages(source: Path, settings: Settings) -> Iterator[Page]:
    addresses = [] if source.is_dir() else _addresses(source)
    if not addresses:
        yield from crawled(source)
    for address in addresses:
        try:
            yield fetch(address, settings)
        except CommandError as error:
            sys.stderr.write(f"winnow: {error}\n")


def _addresses(source: Path) -> list[str]:
    """Return the lines of a file of addresses; empty for any other file."""
    try:
        lines = source.read_text("utf-8").split()
    except (OSError, UnicodeDecodeError):
        return []
    return (
        lines if lines and all(parts_of(line).scheme in ("http", "https") for line in lines) else []
    )


def _patterns(pages: Iterator[Page], arguments: argparse.Namespace) -> str:
    from winnow.extractors.layout.pattern_learning import learn, learned_pages  # noqa: PLC0415 - it is slow

    documents = [Document.parse(page) for page in pages]
    limits = Thresholds(arguments.t, arguments.T)
    found = learn(learned_pages(documents, links_of(documents)), limits)
    _write(arguments.out, pattern_file(found))
    count = sum(pattern.pages for pattern in found.patterns)
    return f"{len(found.patterns)} layouts of {count} of {len(documents)} pages.\n"


def _into_file(pages: Iterator[Page], out: Path) -> str:
    key, memory, count = secrets.token_bytes(KEY_SIZE), b"", 0
    for page in pages:
        memory = LEARNER.merge(memory, _lesson(page, key))
        count += 1
    _write(out, LearnedLayout(memory, key).to_json())
    return f"{count} pages read, {LEARNER.pages(memory)} stored in {out}.\n"


async def _into_store(pages: Iterator[Page], name: str | None, settings: Settings) -> str:
    store = await sites_of(settings)
    try:
        key, counts = await store.secret(), dict[str, int]()
        memories: dict[str, bytes] = {}
        for page in pages:
            site = learned_key_of(_address(name) if name else page.url)
            if site:
                memories[site] = LEARNER.merge(memories.get(site, b""), _lesson(page, key))
                counts[site] = counts.get(site, 0) + 1
        await store.fold({site: pack({LEARNER.name: known}) for site, known in memories.items()})
    finally:
        await store.aclose()
    return _summary(counts)


def _address(site: str) -> str:
    """The address of a site that a person names; a host alone is read by HTTPS."""
    return site if "://" in site else f"https://{site}"


def _summary(counts: Mapping[str, int]) -> str:
    if not counts:
        raise CommandError("no page has an address: name the site with --site")
    return "".join(f"{site}: {count} pages\n" for site, count in sorted(counts.items()))


def _lesson(page: Page, key: bytes) -> bytes:
    today = int(time.time() // DAY)
    return LEARNER.observe(Document.parse(page), make("layout"), key, today)


def _write(out: Path, learned: str) -> None:
    try:
        out.write_text(learned, "utf-8")
    except OSError as error:
        raise CommandError(f"cannot write {out}: {error.strerror}") from error
