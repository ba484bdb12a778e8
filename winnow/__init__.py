"""The public names of Winnow, each imported on its first use.

What is not listed in ``__all__`` may change from one version to the next.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from winnow.article import Article, extract
    from winnow.compose.running import serve
    from winnow.config.settings import Settings
    from winnow.document.document import Document
    from winnow.document.values import Extraction, Label, Span
    from winnow.extractors.extractor_protocol import Extractor

__all__ = [
    "Article",
    "Document",
    "Extraction",
    "Extractor",
    "Label",
    "Settings",
    "Span",
    "extract",
    "serve",
]

_MODULES: Final[Mapping[str, str]] = {
    "Article": "winnow.article",
    "Document": "winnow.document.document",
    "Extraction": "winnow.document.values",
    "Extractor": "winnow.extractors.extractor_protocol",
    "Label": "winnow.document.values",
    "Settings": "winnow.config.settings",
    "Span": "winnow.document.values",
    "extract": "winnow.article",
    "serve": "winnow.compose.running",
}


def __getattr__(name: str) -> Any:
    """Import a public name on its first use, so that ``import winnow`` stays cheap (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
