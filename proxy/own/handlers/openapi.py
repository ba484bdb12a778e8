"""``/-/openapi.json``: the addresses for programs as OpenAPI 3.1; a test compares responses."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, Final

from winnow.document.values import Format, Profile
from winnow.proxy.decisions.preferences import RequestMode
from winnow.proxy.own.router import PROBLEM, OwnRequest, OwnResponse, only

Schema = Mapping[str, Any]
_TEXT: Final[Schema] = {"type": "string"}
_SWITCH: Final[Schema] = {"type": "string", "enum": ["on", "off"]}
_PROBLEM: Final[Schema] = {
    "type": "object",
    "required": ["status", "title", "detail"],
    "properties": {
        "type": _TEXT,
        "title": _TEXT,
        "status": {"type": "integer"},
        "detail": _TEXT,
    },
}


def _parameter(name: str, schema: Schema, description: str, *, required: bool = False) -> Schema:
    return {
        "name": name,
        "in": "query",
        "required": required,
        "schema": schema,
        "description": description,
    }


_EXTRACTOR = _parameter("extractor", _TEXT, "Method, as listed by `winnow extractors`.")
_FORMAT = _parameter("format", {"type": "string", "enum": [*Format]}, "Output format.")
_PROFILE = _parameter("profile", {"type": "string", "enum": [*Profile]}, "Profile of HTML output.")
_RECORDS = _parameter(
    "records",
    {"type": "string", "enum": ["yes", "no"]},
    "Whether plain text says who wrote each post, and when.",
)
_LEVEL = _parameter("level", {"type": "integer", "minimum": 1, "maximum": 12}, "Crunch's level.")
_MODE = _parameter("mode", {"type": "string", "enum": [*RequestMode]}, "Extract, or original.")
_BAR = _parameter("bar", _SWITCH, "Whether the page carries Winnow's bar.")
_URLS: Final[Schema] = {"type": "array", "items": _TEXT, "minItems": 1, "maxItems": 20}


def _url(description: str, *, required: bool = True) -> Schema:
    return _parameter("url", _TEXT, description, required=required)


_ERRORS: Final = {
    PROBLEM: {"schema": _PROBLEM},
    "text/plain": {"schema": _TEXT},
    "text/html": {"schema": _TEXT},
}
"""By the request's Accept."""


def _get(summary: str, media_types: tuple[str, ...], *parameters: Schema) -> Mapping[str, Any]:
    """A GET operation: 200 with one of the media types; errors are problem documents."""
    content = {kind: {"schema": _schema_of(kind)} for kind in media_types}
    found: dict[str, Any] = {
        "summary": summary,
        "responses": {
            "200": {"description": "Success", "content": content},
            "default": {"description": "Error", "content": _ERRORS},
        },
    }
    return {**found, "parameters": list(parameters)} if parameters else found


def _schema_of(media_type: str) -> Schema:
    if media_type == "application/json":
        return {"type": "object"}
    return {} if media_type.endswith(("zip", "cert")) else _TEXT


_BOOK: Final = "application/epub+zip"
_EXTRACTED: Final = ("application/json", "text/html", "text/plain", "text/markdown", _BOOK)
_OPTIONS: Final = (_EXTRACTOR, _FORMAT, _PROFILE, _LEVEL, _RECORDS)
_BODY: Final[Schema] = {"required": True, "content": {"text/html": {"schema": _TEXT}}}
_POST = {
    **_get(
        "Extract the page in the request body",
        _EXTRACTED,
        _url("Address of the page, for its links.", required=False),
        *_OPTIONS,
    ),
    "requestBody": _BODY,
}
_ADDRESS = _url("Address of the page.")
_FEEDS: Final = ("application/rss+xml", "application/atom+xml", "application/feed+json")
PATHS: Final[Mapping[str, Mapping[str, Any]]] = {
    "/-/api/extract": {
        "get": _get("Fetch and extract a page", _EXTRACTED, _ADDRESS, *_OPTIONS),
        "post": _POST,
    },
    "/-/read": {
        "get": _get("Show a page through the gateway", _EXTRACTED, _ADDRESS, *_OPTIONS, _MODE, _BAR)
    },
    "/-/why": {
        "get": _get("What was removed from a page, and why", ("text/html",), _ADDRESS, _EXTRACTOR)
    },
    "/-/compare": {
        "get": _get(
            "Compare methods on a page",
            ("text/html",),
            _ADDRESS,
            _parameter("method", {"type": "array", "items": _TEXT}, "Methods, or `all`."),
        )
    },
    "/-/feed": {
        "get": _get("A feed with full articles", _FEEDS, _url("Address of a feed, or of a page."))
    },
    "/-/book": {
        "get": _get(
            "Pages as an EPUB book",
            (_BOOK,),
            _parameter("url", _URLS, "Addresses of the chapters.", required=True),
            _parameter("title", _TEXT, "Title of the book."),
            _parameter("images", _SWITCH, "Whether images are included."),
        )
    },
    "/-/health": {"get": _get("The process answers", ("text/plain",))},
    "/-/live": {"get": _get("The process answers", ("text/plain",))},
    "/-/ready": {"get": _get("A load balancer should send requests here", ("text/plain",))},
    "/-/metrics": {
        "get": _get("Metrics for Prometheus", ("text/plain", "application/openmetrics-text"))
    },
    "/-/status": {"get": _get("Status page", ("text/html",))},
    "/-/proxy.pac": {
        "get": _get("Proxy auto-configuration", ("application/x-ns-proxy-autoconfig",))
    },
    "/-/ca.crt": {
        "get": _get("Certificate of the local authority", ("application/x-x509-ca-cert",))
    },
    "/-/openapi.json": {"get": _get("This description", ("application/json",))},
}


def description() -> dict[str, Any]:
    """The whole document."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Winnow", "version": version("winnow-proxy")},
        "paths": PATHS,
        "components": {"schemas": {"Problem": _PROBLEM}},
    }


async def openapi(request: OwnRequest) -> OwnResponse:
    """``/-/openapi.json``."""
    only(request, "GET", "HEAD")
    return OwnResponse(json.dumps(description()).encode(), "application/json")
