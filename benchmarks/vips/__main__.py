"""``python -m benchmarks.vips draw PAGE | measure PACKAGE...``: blocks drawn, or measured."""

from __future__ import annotations

import argparse
import json
import sys
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from benchmarks.vips.best_block import Timed, measured, sample, table, timing
from benchmarks.vips.drawing import as_json, drawn, height_of, main_blocks
from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.errors import EvaluationError
from winnow.evaluation.packages import find, load
from winnow.extractors.errors import ExtractorError
from winnow.extractors.vips.browser_markup import numbered_markup
from winnow.extractors.vips.browser_pool import shared
from winnow.extractors.vips.content_structure import content_structure
from winnow.extractors.vips.snapshot import layout_of
from winnow.extractors.vips.visual_tree import VisualTree

_SECONDS = 30


def draw(arguments: argparse.Namespace) -> None:
    """Write ``blocks.json`` and ``blocks.png``."""
    document = Document.parse(_page(arguments.page))
    with shared.pages().tab() as tab:
        tree = VisualTree(document, layout_of(document, tab.snapshot(numbered_markup(document))))
        blocks = content_structure(tree, arguments.granularity)
        screenshot = tab.picture(height_of(blocks))
    main = main_blocks(tree, blocks).get(arguments.score)
    arguments.out.mkdir(parents=True, exist_ok=True)
    text = json.dumps(as_json(tree, blocks, arguments.granularity), ensure_ascii=False, indent=1)
    (arguments.out / "blocks.json").write_text(text + "\n", encoding="utf-8")
    (arguments.out / "blocks.png").write_bytes(drawn(screenshot, blocks, main))
    sys.stdout.write(f"{len(blocks)} blocks: {arguments.out}/blocks.json, blocks.png\n")


def measure(arguments: argparse.Namespace) -> None:
    """Print a table a package."""
    for name in arguments.package:
        package = load(find(name))
        pages, times, failed = [], list[Timed](), list[str]()
        entries = sample(package, arguments.pages, arguments.type)
        for page, found, timed in measured(entries, shared):
            times.append(timed)
            if found:
                pages.append(found)
            else:
                failed.append(page)
        sys.stdout.write(f"{package.name}: {len(pages)} pages, not laid out: {len(failed)}\n")
        if pages:
            sys.stdout.write(f"{table(pages)}\n{timing(times)}\n\n")


def main(given: Sequence[str] | None = None) -> int:
    """Run one command; 1 and one sentence where it could not."""
    arguments = _parser().parse_args(given)
    try:
        arguments.run(arguments)
    except (EvaluationError, ExtractorError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _page(name: str) -> Page:
    """A file, or what stands at an address (by the proxy of ``http_proxy``, where one is set)."""
    if not name.startswith(("http://", "https://")):
        return Page(Path(name).read_bytes())
    with urllib.request.urlopen(name, timeout=_SECONDS) as answer:  # noqa: S310 - checked above
        return Page(answer.read(), answer.url, answer.headers.get_content_charset())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.vips", description=__doc__)
    commands = parser.add_subparsers(required=True)
    drawing = commands.add_parser("draw", help="a page's block tree over a screenshot and in JSON")
    drawing.add_argument("page", help="a file or an address")
    drawing.add_argument("--granularity", type=int, choices=range(1, 11), default=8, metavar="1-10")
    drawing.add_argument("--score", choices=("words", "auto"), default="auto")
    drawing.add_argument("--out", type=Path, default=Path("vips"))
    drawing.set_defaults(run=draw)
    measuring = commands.add_parser("measure", help="F1 at granularities 1 to 10")
    measuring.add_argument("package", nargs="+", help="a folder, or a name in WINNOW_PACKAGES")
    measuring.add_argument("--pages", type=int, default=100)
    measuring.add_argument("--type", default="article", help="where a package tells page types")
    measuring.set_defaults(run=measure)
    return parser


if __name__ == "__main__":
    sys.exit(main())
