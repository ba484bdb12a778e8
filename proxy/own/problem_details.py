"""Errors as pages for people and as ``application/problem+json`` for programs (RFC 9457)."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Final

from winnow.proxy.access.requester import REQUESTER, RequestHead
from winnow.proxy.decisions.eligibility import navigation
from winnow.proxy.decisions.response_headers import outcome_fields
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.proxy_errors import ProxyError
from winnow.proxy.http.reasons import WinnowAction
from winnow.proxy.http.request_target import BAD_ADDRESS
from winnow.proxy.own.templates.base_page import HtmlPage
from winnow.proxy.own.templates.errors.error_pages import error_page, proxy_status
from winnow.proxy.own.templates.errors.failures import FailedRequest
from winnow.proxy.own.templates.errors.words_page import words_page

PROBLEM: Final = "application/problem+json"


def title_of(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return f"Error {status}"


def problem_json(status: int, reason: str, message: str) -> bytes:
    """A problem document; ``type`` is the reason token as a relative reference."""
    fields = {"type": reason, "title": title_of(status), "status": status, "detail": message}
    return json.dumps(fields, ensure_ascii=False).encode()


def problem_document(error: ProxyError) -> tuple[Headers, bytes]:
    """The fields and the body instead of data that cannot be given; the origin's say nothing of it.

    It depends on Accept whether there is an error at all: an original may be sent instead.
    """
    fields = (
        ("Content-Type", PROBLEM),
        ("Cache-Control", "no-store"),
        ("Vary", "Accept"),
        *outcome_fields(WinnowAction.ORIGINAL, error.reason),
    )
    return Headers(fields), problem_json(error.status, error.reason, str(error))


def problem_of(
    error: ProxyError, request: Headers, failed: FailedRequest | None = None
) -> tuple[Headers, bytes]:
    """The fields and the body that tell ``error``: a page for a browser, else one line of text.

    ``failed``: what was asked for, None for who may not see our menu.
    """
    if not asks_for_page(request):
        return _line(error.reason, str(error))
    return _page(error.reason, error_page(error, failed))


def words_page_of(head: RequestHead, path: str, typed: str, token: str) -> tuple[Headers, bytes]:
    """The page for what is no address, with its form; for who accepts HTML.

    ``token`` is for what a reader types: another site may have filled the form.
    """
    proof = "" if REQUESTER.get().is_sent else token
    return _page(BAD_ADDRESS, words_page(typed, path, proof, gateway=head.is_straight))


def asks_for_page(request: Headers) -> bool:
    """Whether a person opened the address in a browser."""
    return navigation(request) is None and "text/html" in request.joined("accept")


def _page(reason: str, page: HtmlPage) -> tuple[Headers, bytes]:
    return Headers(
        (*page.headers.items(), *outcome_fields(WinnowAction.ORIGINAL, reason))
    ), page.body


def _line(reason: str, message: str) -> tuple[Headers, bytes]:
    content = ("Content-Type", "text/plain; charset=utf-8")
    common = (("Cache-Control", "no-store"), *outcome_fields(WinnowAction.ORIGINAL, reason))
    return Headers((content, *common, *proxy_status(reason).items())), f"{message}\n".encode()
