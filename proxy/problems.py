"""Errors as pages for people and as ``application/problem+json`` for programs (RFC 9457)."""

from __future__ import annotations

import json
from html import escape
from http import HTTPStatus

from proxy.headers import Headers
from proxy.incoming import said
from proxy.reasons import Action
from proxy.verdicts import navigation

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<style>body{{font:1.1rem/1.6 system-ui,sans-serif;max-width:38rem;margin:3rem auto;padding:0 1rem}}
small{{opacity:.7}}</style></head>
<body><main><h1>{title}</h1><p>{message}</p>
<p><small>Winnow: {reason}</small></p></main></body></html>
"""


def title_of(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return f"Error {status}"


def problem_json(status: int, reason: str, message: str) -> bytes:
    """A problem document; ``type`` is the reason token as a relative reference."""
    fields = {"type": reason, "title": title_of(status), "status": status, "detail": message}
    return json.dumps(fields, ensure_ascii=False).encode()


def problem_page(status: int, reason: str, message: str) -> bytes:
    page = _PAGE.format(title=escape(title_of(status)), message=escape(message), reason=reason)
    return page.encode()


def problem(status: int, reason: str, message: str, request: Headers) -> tuple[Headers, bytes]:
    """The fields and the body of an error: a page where a person asked, else one line of text."""
    common = (("Cache-Control", "no-store"), *said(Action.ORIGINAL, reason))
    if navigation(request) is None and "text/html" in request.joined("accept"):
        content = ("Content-Type", "text/html; charset=utf-8")
        return Headers((content, *common)), problem_page(status, reason, message)
    content = ("Content-Type", "text/plain; charset=utf-8")
    return Headers((content, *common)), f"{message}\n".encode()
