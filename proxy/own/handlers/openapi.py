"""``/-/openapi.json``: the addresses for programs as OpenAPI 3.1; a test compares responses."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Final

from msgspec.json import schema_components

from winnow.document.article_fields import VERSION, ArticleFields, SpanFields
from winnow.proxy.own.operations import TEXT, PageOperation, QueryParameter, Schema
from winnow.proxy.own.problem_details import PROBLEM
from winnow.proxy.own.router import OwnRequest, OwnResponse, only

_PROBLEM: Final[Schema] = {
    "type": "object",
    "required": ["status", "title", "detail"],
    "properties": {
        "type": TEXT,
        "title": TEXT,
        "status": {"type": "integer"},
        "detail": TEXT,
    },
}


_ERRORS: Final = {
    PROBLEM: {"schema": _PROBLEM},
    "text/plain": {"schema": TEXT},
    "text/html": {"schema": TEXT},
}
"""By the request's Accept."""


_ANSWERS, _SCHEMAS = schema_components(
    (ArticleFields, SpanFields), ref_template="#/components/schemas/{name}"
)
_ANSWER: Final[Schema] = {"anyOf": list(_ANSWERS)}
"""The JSON of an extraction, by ``format``: ``json`` or ``spans``."""
_OBJECT: Final[Schema] = {"type": "object"}


def _described(operation: PageOperation) -> Mapping[str, Any]:
    """200 with one of the media types; errors are problem documents."""
    answer = _OBJECT if operation.is_ours else _ANSWER
    content = {
        kind: {"schema": answer if kind == "application/json" else _schema_of(kind)}
        for kind in operation.media_types
    }
    found: dict[str, Any] = {
        "summary": operation.summary,
        "responses": {
            "200": {"description": "Success", "content": content},
            "default": {"description": "Error", "content": _ERRORS},
        },
    }
    if operation.parameters:
        found["parameters"] = [_parameter(each) for each in operation.parameters]
    return {**found, "requestBody": _BODY} if operation.takes_a_page else found


def _parameter(parameter: QueryParameter) -> Schema:
    return {
        "name": parameter.name,
        "in": "query",
        "required": parameter.required,
        "schema": parameter.schema or TEXT,
        "description": parameter.description,
    }


def _schema_of(media_type: str) -> Schema:
    return {} if media_type.endswith(("zip", "cert")) else TEXT


_BODY: Final[Schema] = {"required": True, "content": {"text/html": {"schema": TEXT}}}
Described = Mapping[str, Sequence[PageOperation]]
"""Operations by path."""


def paths_of(described: Described) -> Mapping[str, Mapping[str, Any]]:
    """The paths of the document."""
    return {
        path: {("post" if each.takes_a_page else "get"): _described(each) for each in operations}
        for path, operations in described.items()
        if operations
    }


def description(described: Described) -> dict[str, Any]:
    """The whole document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Winnow",
            "version": version("winnow-proxy"),
            "x-article-version": VERSION,
        },
        "paths": paths_of(described),
        "components": {"schemas": {"Problem": _PROBLEM, **_SCHEMAS}},
    }


@dataclass(frozen=True, slots=True)
class OpenApi:
    """``/-/openapi.json``."""

    described: Described

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD")
        document = json.dumps(description(self.described))
        return OwnResponse(document.encode(), "application/json")
