"""What a renderer is, and which one writes which format.

A renderer is made from a recipe, its parameters are its fields, and ``render`` may be called from
any process in any order. It is a pure function: the same document and extraction give the same
bytes. Third parties' come by the entry-point group ``winnow.renderers``: a callable that takes a
recipe. It shows nothing outside the spans but the page's own metadata and, in a browser, its forms.
It raises nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from typing import Protocol

from winnow.document.document import Document
from winnow.document.errors import UnsupportedFormatError
from winnow.document.render.installed_formats import RENDERERS
from winnow.document.render.original.live_page import LiveRenderer
from winnow.document.render.original.pruned import PrunedRenderer
from winnow.document.render.reader.reader_page import ReaderRenderer
from winnow.document.render.text.text_renderers import JsonRenderer, SpansRenderer, TextRenderer
from winnow.document.values import Detail, Extraction, Format, ImageSize, Recipe, Rendered


class Renderer(Protocol):
    """An Extraction shown (ARCHITECTURE.md)."""

    def render(self, document: Document, extraction: Extraction) -> Rendered:
        """The bytes to send, UTF-8, with their facts."""
        ...


def renderer_for(recipe: Recipe) -> Renderer:
    """The renderer that a recipe asks for; raises UnsupportedFormatError if there is none yet."""
    prefix = recipe.link_prefix
    makers: Mapping[Format, Callable[[], Renderer]] = {
        Format.HTML: lambda: ReaderRenderer(
            prefix,
            recipe.profile,
            forms=recipe.live or bool(prefix),
            lean=recipe.images is ImageSize.SAVING,
            turning=recipe.pages == 1,
        ),
        Format.PRUNED: lambda: PrunedRenderer(prefix),
        Format.MARKDOWN: lambda: _markdown(prefix, front=Detail.FRONT_MATTER in recipe.details),
        Format.JSON: lambda: JsonRenderer(prefix, Detail.BLOCKS in recipe.details),
        Format.TEXT: lambda: TextRenderer(recipe.records),
        Format.SPANS: SpansRenderer,
        Format.EPUB: _epub,
    }
    if recipe.scripts:
        return LiveRenderer()
    if recipe.format in makers:
        return makers[recipe.format]()
    return _of_others(recipe)


def _of_others(recipe: Recipe) -> Renderer:
    """A third party's: what its entry point makes of the recipe. Raises UnsupportedFormatError."""
    for point in entry_points(group=RENDERERS, name=recipe.format.value):
        made: Renderer = point.load()(recipe)
        return made
    raise UnsupportedFormatError(f"no renderer writes {recipe.format}")


def _markdown(prefix: str, *, front: bool) -> Renderer:
    """Brings Beautiful Soup with it: a sixth of the start's time, for a rare format."""
    from winnow.document.render.text.markdown import MarkdownRenderer  # noqa: PLC0415 - see above

    return MarkdownRenderer(prefix, front)


def _epub() -> Renderer:
    from winnow.document.render.book.epub import EpubRenderer  # noqa: PLC0415 - as Markdown's

    return EpubRenderer()
