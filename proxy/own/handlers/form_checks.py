"""Checks of posted forms: who sends them, from which page, and their tokens."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from markupsafe import Markup

from winnow.document.addresses import parts_of
from winnow.proxy.access.credentials.same_origin import is_same_origin
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.sentences import says
from winnow.proxy.own import router
from winnow.proxy.own.router import OwnRequest, OwnResponse, shown
from winnow.proxy.own.templates.base_page import HtmlPage
from winnow.proxy.own.templates.elements import form

LARGEST_FORM: Final = 64 * 1024


async def served(
    request: OwnRequest,
    tokens: FormTokens,
    purpose: str,
    page: Callable[[OwnRequest], HtmlPage],
    done: Callable[[OwnRequest, Mapping[str, str]], Awaitable[OwnResponse]],
) -> OwnResponse:
    """A settings page: GET shows ``page``, POST checks its form (``posted``) and calls ``done``."""
    router.only(request, "GET", "HEAD", "POST")
    refuse_strange_name(request)
    if request.head.method != "POST":
        return shown(page(request))
    return await done(request, await posted(request, tokens, purpose))


def refuse_unless_administrator(administers: bool) -> None:
    """Raise ClientFaultError 403 for changes that only an administrator may make."""
    if not administers:
        message = says("Only an administrator (access.admins) can change this for everybody.")
        raise ClientFaultError(message, 403, "admin")


def refuse_strange_name(request: OwnRequest) -> None:
    """Raise ClientFaultError for a request under a foreign host name (DNS rebinding)."""
    if not request.head.client:
        raise ClientFaultError(
            says("Open the settings under the name of this proxy."), 421, "misdirected"
        )


def refuse_cross_site(request: OwnRequest) -> None:
    """Raise ClientFaultError for a form that a page of another origin sent (``null`` is one)."""
    if not is_same_origin(dict(request.head.headers), parts_of(request.base).scheme):
        raise ClientFaultError(says("This form was sent by another site."), 403, "cross-site")


async def form_fields(request: OwnRequest) -> Mapping[str, str]:
    """The fields of a posted form. Raises ClientFaultError for one of another site."""
    refuse_cross_site(request)
    body = await request.body(LARGEST_FORM)
    return router.read_query(body.decode("utf-8", "replace"))


async def posted(request: OwnRequest, tokens: FormTokens, purpose: str) -> Mapping[str, str]:
    """The fields of a form with a valid token. Raises ClientFaultError for any other.

    ``purpose`` names, in braces, the fields that the token was made for.
    """
    fields = await form_fields(request)
    check_token(request, tokens, purpose, fields)
    return fields


def check_token(
    request: OwnRequest, tokens: FormTokens, purpose: str, fields: Mapping[str, str]
) -> None:
    """Raise ClientFaultError unless the fields have a token that was made for ``purpose``."""
    if not has_token(request, tokens, purpose, fields):
        raise ClientFaultError(says("This form has expired. Reload the page."), 403, "stale-form")


def has_token(
    request: OwnRequest, tokens: FormTokens, purpose: str, fields: Mapping[str, str]
) -> bool:
    """Whether the fields have a token that was made for ``purpose`` and who asks."""
    owner, token = request.head.owner, fields.get("token", "")
    return bool(owner) and tokens.holds(token, _bound(purpose, owner, fields), datetime.now(UTC))


def form_token(tokens: FormTokens, owner: str, purpose: str, fields: Mapping[str, str]) -> str:
    """A token that ``posted`` accepts from ``owner`` (RequestHead.owner) alone."""
    return tokens.make(_bound(purpose, owner, fields), datetime.now(UTC))


@dataclass(frozen=True)
class OwnForms:
    """The forms of one page for one owner, which ``posted`` accepts for ``purpose``."""

    tokens: FormTokens
    owner: str
    target: str
    purpose: str

    def button(self, fields: Mapping[str, str], text: str, kind: str = "") -> Markup:
        """A form of one button; ``kind`` is the button's class."""
        token = form_token(self.tokens, self.owner, self.purpose, fields)
        return form(self.target, {**fields, "token": token}, text, kind)


def proofs(
    tokens: FormTokens, owner: str, purpose: str, changes: Iterable[str]
) -> dict[str, dict[str, str]]:
    """The hidden fields of a form for each of ``changes``, which ``purpose`` names."""
    forms = ({"change": change} for change in changes)
    return {
        each["change"]: {**each, "token": form_token(tokens, owner, purpose, each)}
        for each in forms
    }


def _bound(purpose: str, owner: str, fields: Mapping[str, str]) -> str:
    """The text that a token signs: the purpose with the fields it names, and the owner."""
    return json.dumps(["form", owner, purpose.format_map(_Blank(fields))])


class _Blank(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return ""
