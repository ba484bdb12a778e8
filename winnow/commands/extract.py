"""``winnow extract``: prints the articles of files, addresses or the standard input.

One source gives the article itself; several give one JSON object a line, failures included, or
one book. ``--batch`` is for corpora (winnow.commands.extract_batch).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from winnow.command_errors import CommandError, UsageError, one_of
from winnow.commands import extract_batch
from winnow.commands.config import add_config_flag, load_settings
from winnow.config.settings import Settings
from winnow.document.render.epub import write_book
from winnow.document.values import BAR_MARK, BodyKind, Format, Page, Recipe, Rendered, RenderMode
from winnow.engine.books import chapter
from winnow.engine.named_extractor import identify
from winnow.engine.pipeline import transform
from winnow.engine.script_shell import SCRIPT_SHELL
from winnow.evaluation.progress import watched
from winnow.jobs.job_types import PipelineError
from winnow.page_rendering import alternate, drawn
from winnow.site_knowledge import site_knowledge
from winnow.sources import read

FORMATS: Final = tuple(Format)


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sources", nargs="+", metavar="SOURCE", help="a file, an address or -")
    parser.add_argument(
        "--extractor", default="auto", metavar="NAME", help="see `winnow extractors`"
    )
    parser.add_argument(
        "--format",
        type=one_of("format", FORMATS),
        choices=FORMATS,
        default=Format.TEXT,
        metavar="|".join(FORMATS),
        help="the format of the output (text)",
    )
    parser.add_argument(
        "--records",
        action="store_true",
        help="plain text says who wrote each post of a thread, and when",
    )
    parser.add_argument(
        "--render",
        nargs="?",
        const=RenderMode.ALWAYS,
        default=RenderMode.NO,
        type=one_of("render", tuple(RenderMode)),
        choices=tuple(RenderMode),
        metavar="when-empty|always",
        help="run the scripts of pages at an address in a headless Chromium: where there is no "
        "text without, or (without a value) always",
    )
    parser.add_argument("--url", help="the address that a file or the standard input came from")
    parser.add_argument(
        "--untaught",
        action="store_true",
        help="without what the proxy learned of the page's site",
    )
    add_config_flag(parser)
    extract_batch.declare(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    settings = load_settings(arguments.config, {}).settings
    recipe = Recipe(
        arguments.extractor,
        Format(arguments.format),
        records=arguments.records,
        render=RenderMode(arguments.render),
    )
    if arguments.batch:
        return extract_batch.run(arguments, recipe, settings)
    if arguments.untaught:
        settings = replace(settings, learning=replace(settings.learning, enabled=False))
    if len(arguments.sources) == 1:
        return _one(arguments.sources[0], arguments.url, recipe, settings)
    if arguments.url:
        raise UsageError("--url can only stand with one SOURCE")
    if recipe.format is Format.EPUB:
        return _book(arguments.sources, recipe, settings)
    return _several(arguments.sources, recipe, settings)


def _one(source: str, url: str | None, recipe: Recipe, settings: Settings) -> int:
    page = read(source, url, settings)
    sys.stdout.buffer.write(extracted(source, page, recipe, settings).body)
    return 0


def _several(sources: Iterable[str], recipe: Recipe, settings: Settings) -> int:
    failures = 0
    listed = list(sources)
    for source in watched(listed, len(listed), "extract"):
        try:
            rendered = extracted(source, read(source, None, settings), recipe, settings)
            line = as_object(source, rendered, recipe.format)
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
            page = read(source, None, settings)
            found = chapter(page, taught(recipe, page, settings))
            if not found.content.strip():
                raise no_article(source)
            chapters.append(found)
        except (CommandError, PipelineError) as error:
            failures += 1
            sys.stderr.write(f"winnow: {source}: {error}\n")
    if not chapters:
        raise CommandError("none of the sources has an article that could be read")
    sys.stdout.buffer.write(write_book(chapters))
    return 1 if failures else 0


def no_article(source: str) -> CommandError:
    """Return the error for a page in which the extractor found no text."""
    return CommandError(f"no article was found in {source}; try another --extractor")


def extracted(source: str, page: Page, recipe: Recipe, settings: Settings) -> Rendered:
    """Return the article of a page. Raises CommandError with the reason why there is none."""
    if recipe.render is RenderMode.ALWAYS and page.url:
        page = drawn(page.url, settings)
    try:
        rendered = transform(page, taught(recipe, page, settings))
    except PipelineError as error:
        if page.url and _needs_scripts(error) and recipe.render is RenderMode.WHEN_EMPTY:
            return _by_its_scripts(source, page, recipe, settings)
        wrong_use = error.failure.reason in ("unknown-extractor", "bad-parameter")
        raise (UsageError if wrong_use else CommandError)(str(error)) from error
    if not rendered.words_kept:
        raise no_article(source)
    return replace(rendered, body=rendered.body.replace(BAR_MARK, b"", 1))


def _by_its_scripts(source: str, page: Page, recipe: Recipe, settings: Settings) -> Rendered:
    """By another form of the page if that has its text, else as a browser draws it."""
    with suppress(CommandError):
        other = alternate(page, settings)
        if other is not None:
            return extracted(source, other, replace(recipe, render=RenderMode.NO), settings)
    return extracted(source, page, replace(recipe, render=RenderMode.ALWAYS), settings)


def taught(recipe: Recipe, page: Page, settings: Settings) -> Recipe:
    """The recipe with what the page's site taught, where its method reads that."""
    if not identify(recipe).reads_memory:
        return recipe
    return replace(recipe, knowledge=site_knowledge(page.url, settings))


def _needs_scripts(error: PipelineError) -> bool:
    return error.failure.reason == SCRIPT_SHELL


def as_object(source: str, rendered: Rendered, shown: Format) -> Mapping[str, Any]:
    """Return one line of the output for several sources: the format's own object, or its text."""
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
