"""Which renderer serves which format. Knows all renderers; no extraction method."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from document.errors import UnsupportedFormatError
from document.render.live import LiveRenderer
from document.render.plain import SpansRenderer, TextRenderer
from document.render.protocol import Renderer
from document.render.pruned import PrunedRenderer
from document.render.reader import ReaderRenderer
from document.render.record import JsonRenderer
from document.values import Format, Recipe


def renderer_for(recipe: Recipe) -> Renderer:
    """The renderer that a recipe asks for; raises UnsupportedFormatError if there is none yet."""
    prefix = recipe.link_prefix
    makers: Mapping[Format, Callable[[], Renderer]] = {
        Format.HTML: lambda: ReaderRenderer(prefix, recipe.profile),
        Format.PRUNED: lambda: PrunedRenderer(prefix),
        Format.MARKDOWN: lambda: _markdown(prefix),
        Format.JSON: lambda: JsonRenderer(prefix),
        Format.TEXT: TextRenderer,
        Format.SPANS: SpansRenderer,
        Format.EPUB: _epub,
    }
    if recipe.scripts:
        return LiveRenderer()
    if recipe.format not in makers:
        raise UnsupportedFormatError(f"no renderer writes {recipe.format}")
    return makers[recipe.format]()


def _markdown(prefix: str) -> Renderer:
    """Brings Beautiful Soup with it: a sixth of the start's time, for a format asked for rarely."""
    from document.render.markdown import MarkdownRenderer  # noqa: PLC0415 - see above

    return MarkdownRenderer(prefix)


def _epub() -> Renderer:
    from document.render.epub import EpubRenderer  # noqa: PLC0415 - as Markdown's

    return EpubRenderer()
