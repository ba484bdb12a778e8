"""What an own address does for programs: its parameters and replies, for /-/openapi.json.

Light: each feature names those of its pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from winnow.document.values import Format, Profile
from winnow.jobs.answers import Fallback

Schema = Mapping[str, Any]
TEXT: Final[Schema] = {"type": "string"}
SWITCH: Final[Schema] = {"type": "string", "enum": ["on", "off"]}
HTML: Final = ("text/html",)
JSON: Final = ("application/json",)
PLAIN: Final = ("text/plain",)
BOOK: Final = "application/epub+zip"


@dataclass(frozen=True, slots=True)
class QueryParameter:
    """One of the query; ``schema`` is JSON Schema."""

    name: str
    description: str
    schema: Any = None
    required: bool = False


@dataclass(frozen=True, slots=True)
class PageOperation:
    """``media_types``: those of success; errors are problem documents.

    ``takes_a_page``: POST with a page as its body, otherwise GET. ``is_ours``: its JSON is no
    extraction.
    """

    summary: str
    media_types: tuple[str, ...]
    parameters: tuple[QueryParameter, ...] = ()
    takes_a_page: bool = False
    is_ours: bool = False


ADDRESS: Final = QueryParameter("url", "Address of the page.", required=True)
EXTRACTOR: Final = QueryParameter("extractor", "Method, as listed by `winnow extractors`.")
OPTIONS: Final = (
    EXTRACTOR,
    QueryParameter("format", "Output format.", {"type": "string", "enum": [*Format]}),
    QueryParameter("profile", "Profile of HTML output.", {"type": "string", "enum": [*Profile]}),
    QueryParameter("level", "Crunch's level.", {"type": "integer", "minimum": 1, "maximum": 12}),
    QueryParameter(
        "records",
        "Whether plain text says who wrote each post, and when.",
        {"type": "string", "enum": ["yes", "no"]},
    ),
    QueryParameter(
        "fallback",
        "What stands for an article where there is none: an error, the original, or all text.",
        {"type": "string", "enum": [*Fallback]},
    ),
)
EXTRACTED: Final = ("application/json", "text/html", "text/plain", "text/markdown", BOOK)
