"""``winnow extract``: the articles of files, addresses or the standard input. Knows no method.

One source gives the article itself; several give one JSON object a line, failures among them, or
one book. ``--batch`` is for whole corpora (winnow.commands.extract_batch).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from winnow.command_errors import CommandError, UsageError
from winnow.commands import extract_batch
from winnow.commands.config import add_config_flag, load_settings
from winnow.config.settings import Settings
from winnow.document.render.epub import write_book
from winnow.document.values import BAR_MARK, BodyKind, Format, Page, Recipe, Rendered
from winnow.engine.books import chapter
from winnow.engine.pipeline import transform
from winnow.evaluation.progress import watched
from winnow.jobs.quality import PipelineError
from winnow.sources import read

FORMATS: Final = tuple(Format)


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sources", nargs="+", metavar="SOURCE", help="a file, an address or -")
    parser.add_argument(
        "--extractor", default="auto", metavar="NAME", help="see `winnow extractors`"
    )
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default=Format.TEXT,
        metavar="|".join(FORMATS),
        help="how the article is shown (text)",
    )
    parser.add_argument("--url", help="the address that a file or the standard input came from")
    add_config_flag(parser)
    extract_batch.declare(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    settings = load_settings(arguments.config, {}).settings
    recipe = Recipe(arguments.extractor, Format(arguments.format))
    if arguments.batch:
        return extract_batch.run(arguments, recipe, settings)
    if len(arguments.sources) == 1:
        return _one(arguments.sources[0], arguments.url, recipe, settings)
    if arguments.url:
        raise UsageError("--url can only stand with one SOURCE")
    if recipe.format is Format.EPUB:
        return _book(arguments.sources, recipe, settings)
    return _several(arguments.sources, recipe, settings)


def _one(source: str, url: str | None, recipe: Recipe, settings: Settings) -> int:
    rendered = extracted(read(source, url, settings), recipe)
    sys.stdout.buffer.write(rendered.body)
    if not rendered.words_kept:
        sys.stderr.write(f"winnow: no article was found in {source}\n")
    return 0


def _several(sources: Iterable[str], recipe: Recipe, settings: Settings) -> int:
    failures = 0
    listed = list(sources)
    for source in watched(listed, len(listed), "extract"):
        try:
            page = read(source, None, settings)
            line = as_object(source, extracted(page, recipe), recipe.format)
        except CommandError as error:
            failures += 1
            line = {"source": source, "error": str(error)}
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    return 1 if failures else 0


def _book(sources: Iterable[str], recipe: Recipe, settings: Settings) -> int:
    """Several sources as one book; a source that cannot be read is named and left out."""
    chapters, failures = [], 0
    listed = list(sources)
    for source in watched(listed, len(listed), "extract"):
        try:
            chapters.append(chapter(read(source, None, settings), recipe))
        except (CommandError, PipelineError) as error:
            failures += 1
            sys.stderr.write(f"winnow: {source}: {error}\n")
    if not chapters:
        raise CommandError("none of the sources could be read")
    sys.stdout.buffer.write(write_book(chapters))
    return 1 if failures else 0


def extracted(page: Page, recipe: Recipe) -> Rendered:
    """Return the article of a page. Raises CommandError with the reason why there is none."""
    try:
        rendered = transform(page, recipe)
    except PipelineError as error:
        wrong_use = error.failure.reason == "unknown-extractor"
        raise (UsageError if wrong_use else CommandError)(str(error)) from error
    return replace(rendered, body=rendered.body.replace(BAR_MARK, b"", 1))


def as_object(source: str, rendered: Rendered, shown: Format) -> Mapping[str, Any]:
    """Return one line of the answer to several sources: the format's own object, or its text."""
    body = rendered.body.decode("utf-8")
    if shown.kind is BodyKind.RECORD:
        return {"source": source, **json.loads(body)}
    return {
        "source": source,
        "title": rendered.title,
        "extractor": rendered.extractor,
        "confidence": rendered.confidence,
        shown.value: body,
    }
