"""Which renderer serves which format. Knows all renderers; no extraction method."""

from __future__ import annotations

from document.errors import UnsupportedFormatError
from document.render.markdown import MarkdownRenderer
from document.render.plain import SpansRenderer, TextRenderer
from document.render.protocol import Renderer
from document.render.pruned import PrunedRenderer
from document.render.reader import ReaderRenderer
from document.render.record import JsonRenderer
from document.values import Format, Recipe


def renderer_for(recipe: Recipe) -> Renderer:
    """The renderer that a recipe asks for; raises UnsupportedFormatError if there is none yet."""
    prefix = recipe.link_prefix
    match recipe.format:
        case Format.HTML:
            return ReaderRenderer(prefix)
        case Format.PRUNED:
            return PrunedRenderer(prefix)
        case Format.MARKDOWN:
            return MarkdownRenderer(prefix)
        case Format.JSON:
            return JsonRenderer(prefix)
        case Format.TEXT:
            return TextRenderer()
        case Format.SPANS:
            return SpansRenderer()
    raise UnsupportedFormatError(f"no renderer writes {recipe.format.value}")
