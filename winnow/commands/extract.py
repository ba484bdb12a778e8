"""``winnow extract``: prints the articles of files, addresses or the standard input.

One source gives the article itself; several give one JSON object a line, failures included, or
one book. Features add options, such as ``--batch`` for corpora (Feature.options).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from winnow.command_errors import CommandError, UsageError, one_of
from winnow.command_settings import add_config_flag, load_settings
from winnow.commands.page_rendering import rendered as rendered_first
from winnow.commands.site_knowledge import site_knowledge
from winnow.commands.sources import read
from winnow.config.settings import Settings
from winnow.document.purposes import treatments_of
from winnow.document.render.book.epub import Chapter, chapter_of, write_book
from winnow.document.render.installed_formats import installed_formats
from winnow.document.render.render_context import RenderContext
from winnow.document.values import (
    BAR_MARK,
    BodyKind,
    Detail,
    Format,
    Page,
    Recipe,
    Rendered,
    RenderMode,
)
from winnow.engine import pipeline, script_shell
from winnow.engine.named_extractor import identify
from winnow.engine.page_answer import answer, bare_answer
from winnow.evaluation.running.progress import watched
from winnow.feature import loaded
from winnow.feature_list import FEATURES
from winnow.jobs.answers import (
    NOTHING_TO_GIVE,
    WITHOUT_ARTICLE,
    Fallback,
    status_of,
)
from winnow.jobs.job_types import PipelineError

FORMATS: Final = tuple(Format)
_USUAL: Final = "auto"
"""The method of who names none: pages that are not for reading have no article then."""


def declare(parser: argparse.ArgumentParser) -> None:
    formats = (*FORMATS, *(name for name, _ in installed_formats()))
    parser.add_argument("sources", nargs="+", metavar="SOURCE", help="a file, an address or -")
    parser.add_argument(
        "--extractor", default=_USUAL, metavar="NAME", help="see `winnow extractors`"
    )
    parser.add_argument(
        "--format",
        type=one_of("format", formats),
        choices=formats,
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
        "--details",
        action="append",
        default=[],
        type=one_of("detail", tuple(Detail)),
        choices=tuple(Detail),
        metavar="|".join(Detail),
        help="what is given besides: front matter of Markdown; in JSON the places of the text's "
        "blocks, or how much other methods agree",
    )
    parser.add_argument(
        "--bare",
        action="store_true",
        help="the method alone on all text of one SOURCE, hidden or not, as papers read a page",
    )
    _declare_sources(parser)
    add_config_flag(parser)
    for feature in FEATURES:
        if feature.options:
            loaded(feature.options)(parser)
    parser.set_defaults(run=run, instead=None, render=RenderMode.NO)


def _declare_sources(parser: argparse.ArgumentParser) -> None:
    """What is known of the pages, and what stands for an article where there is none."""
    parser.add_argument("--url", help="the address that a file or the standard input came from")
    parser.add_argument(
        "--untaught",
        action="store_true",
        help="without what the proxy learned of the page's site",
    )
    parser.add_argument(
        "--fallback",
        default=Fallback.NONE,
        type=one_of("fallback", tuple(Fallback)),
        choices=tuple(Fallback),
        metavar="|".join(Fallback),
        help="what stands for an article where there is none: an error (none), the original page, "
        "or all its text",
    )


def run(arguments: argparse.Namespace) -> int:
    settings = load_settings(arguments.config, {}).settings
    recipe = Recipe(
        arguments.extractor,
        Format(arguments.format),
        records=arguments.records,
        details=tuple(each for each in Detail if each in arguments.details),
        render=RenderMode(arguments.render),
    )
    if recipe.extractor == _USUAL and recipe.format.is_data:
        recipe = replace(recipe, treatments=treatments_of(settings.purposes))
    fallback = Fallback(arguments.fallback)
    if arguments.bare and (arguments.instead or len(arguments.sources) > 1):
        raise UsageError("--bare can only stand with one SOURCE")
    if arguments.instead:
        code: int = arguments.instead(arguments, recipe, settings)
        return code
    if arguments.untaught:
        settings = replace(settings, learning=replace(settings.learning, enabled=False))
    if len(arguments.sources) == 1:
        source = arguments.sources[0]
        page = read(source, arguments.url, settings)
        found = (
            _bare(source, page, recipe)
            if arguments.bare
            else extracted(source, page, recipe, settings, fallback)
        )
        sys.stdout.buffer.write(found.body)
        return 0
    if fallback is Fallback.ORIGINAL:
        raise UsageError("--fallback original can only stand with one SOURCE")
    if arguments.url:
        raise UsageError("--url can only stand with one SOURCE")
    if recipe.format is Format.EPUB:
        return _book(arguments.sources, recipe, settings)
    return _several(arguments.sources, recipe, settings, fallback)


def _several(sources: Iterable[str], recipe: Recipe, settings: Settings, fallback: Fallback) -> int:
    failures = 0
    listed = list(sources)
    for source in watched(listed, len(listed), "extract"):
        try:
            page = read(source, None, settings)
            rendered = extracted(source, page, recipe, settings, fallback)
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
            found = _chapter(page, taught(recipe, page, settings))
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


def _chapter(page: Page, recipe: Recipe) -> Chapter:
    document, _ = script_shell.read(page, recipe.blocked)
    _, extraction = pipeline.extracted(document, recipe)
    return chapter_of(RenderContext.of(document, extraction))


def no_article(source: str) -> CommandError:
    """Return the error for a page in which the extractor found no text."""
    return CommandError(f"no article was found in {source}; try another --extractor")


def extracted(
    source: str,
    page: Page,
    recipe: Recipe,
    settings: Settings,
    fallback: Fallback = Fallback.NONE,
) -> Rendered:
    """Return the article of a page. Raises CommandError with the reason why there is none."""
    asked = taught(recipe, page, settings)
    try:
        if recipe.render is RenderMode.NO:
            rendered = answer(page, asked, fallback)
        else:
            rendered = rendered_first(page, asked, settings, fallback)
    except PipelineError as error:
        if fallback is Fallback.ORIGINAL and status_of(error.failure.reason) == NOTHING_TO_GIVE:
            return Rendered(page.body, "text/html", "")
        if error.failure.reason == "no-article":
            raise no_article(source) from error
        if error.failure.reason in WITHOUT_ARTICLE:
            raise CommandError(f"{source}: {error} --fallback text prints all text") from error
        wrong_use = error.failure.reason in ("unknown-extractor", "bad-parameter")
        raise (UsageError if wrong_use else CommandError)(str(error)) from error
    if not rendered.words_kept:
        raise no_article(source)
    return replace(rendered, body=rendered.body.replace(BAR_MARK, b"", 1))


def _bare(source: str, page: Page, recipe: Recipe) -> Rendered:
    """What the method alone keeps of all text. Raises CommandError where that is nothing."""
    try:
        rendered = bare_answer(page, recipe)
    except PipelineError as error:
        raise UsageError(str(error)) from error
    if not rendered.words_kept:
        raise no_article(source)
    return replace(rendered, body=rendered.body.replace(BAR_MARK, b"", 1))


def taught(recipe: Recipe, page: Page, settings: Settings) -> Recipe:
    """The recipe with what the page's site taught, where its method reads that."""
    if not identify(recipe).reads_memory:
        return recipe
    return replace(recipe, knowledge=site_knowledge(page.url, settings))


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
