"""What Winnow takes for unseen beside what Chromium draws of the same pages.

    python -m tests.seen_words wcxb-dev docs-sites --half scored --limit 30

loads each page, with its own style sheets and no script, in a window of ``screens``' size and asks
for the box of each text. Sheets of other files are not there; the common frameworks' classes hide
as their sheets say, but with ``--bare``. It prints how many of the words that are drawn are taken
for unseen, and how many of those that are not drawn are taken for seen. With ``--shows`` it prints
the texts of pages on the half that may be read.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from playwright.async_api import Browser, Route

from tests.browser.browsers import chromium
from winnow.document.arrays import Mask
from winnow.document.document import Document
from winnow.document.errors import DocumentError
from winnow.document.parsing import tags
from winnow.document.values import Page
from winnow.document.visibility import sheet_rules
from winnow.document.visibility.screens import HEIGHT, WIDTH
from winnow.evaluation.gold.halves import Half, halved
from winnow.evaluation.gold.packages import found, load
from winnow.evaluation.running.task_runner import sample

_ADDRESS: Final = "http://page.test/"
_POLICY: Final = {"Content-Security-Policy": "script-src 'none'"}
_FRAMEWORKS: Final = f"<style>{','.join(sorted(sheet_rules._CLASSES))}{{display:none}}</style>"
_NO_MARK: Final = "title textarea style script noscript xmp iframe noembed noframes option select"
"""Elements that hold no comment, or whose texts have no boxes of their own."""
_ASK: Final = """() => {
  const seen = {}, pixel = 1.01;
  const alpha = colour => colour.startsWith('rgba') ? +colour.split(',')[3].slice(0, -1) : 1;
  const ground = element => {
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== 'none') return '';
      if (alpha(style.backgroundColor) > 0) return style.backgroundColor;
    }
    return 'rgb(255, 255, 255)';
  };
  const isCut = (element, box) => {
    let way = 'static';
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (+style.opacity < 0.02) return true;
      if (/^inset\\((50|100)%/.test(style.clipPath) || style.clip.startsWith('rect(')) return true;
      const holds = !['absolute', 'fixed'].includes(way) || style.position !== 'static';
      if (holds && at !== document.body && at !== document.documentElement) {
        const own = at.getBoundingClientRect();
        const cut = value => value === 'hidden' || value === 'clip';
        const isBeside = box.right <= own.left || box.left >= own.right;
        const isBelow = box.bottom <= own.top || box.top >= own.bottom;
        if (cut(style.overflowX) && (own.width <= pixel || isBeside)) return true;
        if (cut(style.overflowY) && (own.height <= pixel || isBelow)) return true;
        if (style.position !== 'static') way = style.position;
        else if (!['absolute', 'fixed'].includes(way)) way = style.position;
      }
    }
    return false;
  };
  const isSeen = text => {
    const element = text.parentElement, style = getComputedStyle(element);
    if (!element.checkVisibility({visibilityProperty: true})) return false;
    if (parseFloat(style.fontSize) <= pixel) return false;
    if (alpha(style.color) === 0 && style.webkitBackgroundClip !== 'text') return false;
    if (style.color === ground(element) && style.textShadow === 'none') return false;
    const range = document.createRange();
    range.selectNodeContents(text);
    return [...range.getClientRects()].some(box => box.width > pixel && box.height > pixel
      && box.right + scrollX > 0 && box.bottom + scrollY > 0 && !isCut(element, box));
  };
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_COMMENT);
  while (walker.nextNode()) {
    const name = walker.currentNode.data, text = walker.currentNode.nextSibling;
    const isAsked = /^piece \\d+$/.test(name) && text && text.nodeType === 3;
    if (isAsked) seen[name.slice(6)] = isSeen(text);
  }
  return seen;
}"""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A page and the pieces that were asked for; masks of the shape (pieces,)."""

    name: str
    document: Document
    is_drawn: Mask
    is_asked: Mask

    def words(self, *, drawn: bool) -> int:
        return int(self.document.piece_words[self.is_asked & (self.is_drawn == drawn)].sum())

    def wrong(self, *, drawn: bool) -> Mask:
        """The drawn pieces that are taken for unseen, or the others that are taken for seen."""
        found: Mask = self.is_asked & (self.is_drawn == drawn) & (self.document.hidden == drawn)
        return found


def marked(document: Document) -> tuple[str, Mask]:
    """The page's markup with a comment before each text that has words, and which those are."""
    pieces = document.pieces
    asked = (document.piece_words > 0) & ~document.media
    for name in _NO_MARK.split():
        if name in tags.CODES:
            asked &= ~document.inside_tags(name)
    parts, at = list[str](), 0
    for piece in np.flatnonzero(asked).tolist():
        start = int(pieces.source_start[piece])
        parts += (document.markup[at:start], f"<!--piece {piece}-->")
        at = start
    return "".join((*parts, document.markup[at:])), asked


async def seen(browser: Browser, name: str, document: Document, sheet: str = _FRAMEWORKS) -> Seen:
    """Which texts of a page Chromium draws with a sheet before its own."""
    markup, asked = marked(document)
    markup = markup.replace("<head>", f"<head>{sheet}", 1)

    async def answer(route: Route) -> None:
        if route.request.url == _ADDRESS:
            body = f"<!doctype html>{markup}" if _is_standard(document) else markup
            await route.fulfill(body=body, content_type="text/html; charset=utf-8", headers=_POLICY)
        else:
            await route.abort()

    page = await browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    try:
        await page.route("**/*", answer)
        await page.goto(_ADDRESS, wait_until="domcontentloaded")
        found = await page.evaluate(_ASK)
    finally:
        await page.close()
    is_drawn, is_asked = np.zeros_like(asked), np.zeros_like(asked)
    for piece, is_seen in found.items():
        is_asked[int(piece)], is_drawn[int(piece)] = True, is_seen
    return Seen(name, document, is_drawn, is_asked & asked)


def _is_standard(document: Document) -> bool:
    return document.page.body[:1000].lstrip(b"\xef\xbb\xbf \t\r\n")[:9].lower() == b"<!doctype"


def lines(page: Seen, *, drawn: bool) -> Iterator[str]:
    """The texts that are taken wrongly, one a line."""
    for piece in np.flatnonzero(page.wrong(drawn=drawn)).tolist():
        start, end = int(page.document.pieces.start[piece]), int(page.document.pieces.end[piece])
        yield f"  {'drawn' if drawn else 'not drawn'}: {page.document.plain(start, end)[:100]!r}"


async def measured(arguments: argparse.Namespace) -> None:
    """Print a line a package, and the sum of all."""
    sums = np.zeros(4, dtype=np.int64)
    async with chromium() as browser:
        for path in found(arguments.package):
            package = halved(load(path), arguments.half)
            own = np.zeros(4, dtype=np.int64)
            for name in sample(package.ids, 1, arguments.limit):
                entry = package.page(name)
                try:
                    document = Document.parse(Page(entry.body, entry.url))
                    sheet = "" if arguments.bare else _FRAMEWORKS
                    page = await seen(browser, name, document, sheet)
                except (DocumentError, TimeoutError) as error:
                    sys.stdout.write(f"{name}: {error}\n")
                    continue
                wrong = [
                    int(document.piece_words[page.wrong(drawn=way)].sum()) for way in (True, False)
                ]
                own += (page.words(drawn=True), wrong[0], page.words(drawn=False), wrong[1])
                if arguments.shows and any(wrong):
                    sys.stdout.write(f"{name}: {wrong}\n")
                    for way in (True, False):
                        sys.stdout.writelines(f"{line}\n" for line in lines(page, drawn=way))
            sums += own
            sys.stdout.write(f"{_line(package.name, own)}\n")
    sys.stdout.write(f"{_line('all', sums)}\n")


def _line(name: str, counts: np.ndarray) -> str:
    drawn, lost, unseen, kept = counts.tolist()
    return (
        f"{name}: {lost} of {drawn} words drawn are taken for unseen ({lost / max(drawn, 1):.2%}), "
        f"{kept} of {unseen} not drawn for seen ({kept / max(unseen, 1):.2%})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("package", nargs="+")
    parser.add_argument("--half", type=Half, default=Half.SCORED)
    parser.add_argument("--limit", type=int, default=sys.maxsize)
    parser.add_argument("--shows", action="store_true")
    parser.add_argument("--bare", action="store_true")
    arguments = parser.parse_args()
    if arguments.shows and arguments.half is Half.SCORED:
        parser.error("pages that are scored only are not shown")
    asyncio.run(measured(arguments))


if __name__ == "__main__":
    main()
