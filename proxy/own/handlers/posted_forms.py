"""Shared by the handlers: reading requests, showing errors, checking forms."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final, TypeVar
from urllib.parse import parse_qsl, urlsplit

from markupsafe import Markup

from winnow.document.values import Recipe
from winnow.proxy.access.same_origin import is_same_origin
from winnow.proxy.access.tokens import FormTokens
from winnow.proxy.decisions.eligibility import recipe_for
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.preferences import from_query
from winnow.proxy.http.proxy_errors import (
    AddressRefusedError,
    ClientFaultError,
    ProxyError,
    TransformError,
)
from winnow.proxy.http.request_target import completed
from winnow.proxy.own import router
from winnow.proxy.own.handlers.extract_api import as_answer
from winnow.proxy.own.router import OwnRequest, OwnResponse, shown
from winnow.proxy.own.templates.address_forms import entrance_page
from winnow.proxy.own.templates.base_page import HtmlPage, own_page, sentences
from winnow.proxy.own.templates.elements import form, hidden
from winnow.proxy.own.templates.languages import Language, choose_language

_LOG: Final = logging.getLogger("winnow.own")
Key = TypeVar("Key")
Value = TypeVar("Value")
LARGEST_FORM: Final = 64 * 1024
NO_ADDRESS: Final = "no-url"


def for_people(view: router.OwnPage) -> router.OwnPage:
    """The page with its errors shown in HTML where the client accepts that."""

    async def answered(request: OwnRequest) -> OwnResponse:
        try:
            return await view(request)
        except TransformError as error:
            return error_response(as_answer(error), request)
        except ProxyError as error:
            return error_response(error, request)

    return answered


def error_response(error: ProxyError, request: OwnRequest) -> OwnResponse:
    """An error as a page or a problem document; if the address is missing, a form for it."""
    if "text/html" not in request.head.headers.joined("accept"):
        return router.as_problem(error)
    if error.reason == NO_ADDRESS and (entrance := entrance_page(request.path, request.token)):
        return shown(entrance)
    form = _fetch_form(request) if isinstance(error, AddressRefusedError) else Markup("")
    return shown(error_page(error, request.query.get("url", ""), form))


def _fetch_form(request: OwnRequest) -> Markup:
    """Asks for confirmation where another site may have caused the request."""
    query = parse_qsl(urlsplit(request.head.target).query)
    fields = [hidden({name: value}) for name, value in query if name != "token"]
    fields.append(hidden({"token": request.token}))
    return Markup(
        "<p>This address is in your own network. Open it only if no other site sent you here:</p>"
        '<form method="get" action="{}">{}<p><button>Open it</button></p></form>'
    ).format(request.path, Markup("").join(fields))


def error_page(error: ProxyError, url: str, form: Markup) -> HtmlPage:
    """The error with a link to the original page, if any, and ``form``."""
    link = (
        Markup('<p><a href="{0}" rel="noreferrer">Open {0} directly</a></p>').format(url)
        if url.startswith(("http://", "https://"))
        else Markup("")
    )
    main = (
        sentences(str(error)) + link + form + Markup('<p class="quiet">{}</p>').format(error.reason)
    )
    return own_page("Something went wrong", main, status=error.status)


def address_of(request: OwnRequest) -> str:
    """The address in ``url``. Raises ClientFaultError if it is missing or invalid."""
    if not request.query.get("url"):
        raise ClientFaultError(
            f"Missing page address: {request.path}?url=https://...", 400, NO_ADDRESS
        )
    return completed(request.query["url"])


def recipe_at(query: Mapping[str, str], url: str, owner: str, policy: Policy) -> Recipe:
    """How a page is extracted, by its site's rules and parameters of a request.

    Links lead to the pages themselves. Raises ClientFaultError for an invalid parameter.
    """
    preferences = from_query(query, policy.recipe)
    recipe = recipe_for(preferences, policy.rule_at(url, owner), policy)
    return replace(recipe, link_prefix="")


async def results_within(jobs: Mapping[Key, Awaitable[Value]], seconds: float) -> dict[Key, Value]:
    """The results of jobs; those that are late are cancelled, those that fail are logged."""
    tasks = {key: asyncio.ensure_future(job) for key, job in jobs.items()}
    if tasks:
        await asyncio.wait(tasks.values(), timeout=seconds)
    for task in tasks.values():
        task.cancel()
    await asyncio.gather(*tasks.values(), return_exceptions=True)
    finished = {key: task for key, task in tasks.items() if not task.cancelled()}
    for task in finished.values():
        if error := task.exception():
            _LOG.error("a part of an own page failed", exc_info=error)
    return {key: task.result() for key, task in finished.items() if not task.exception()}


def every(request: OwnRequest, name: str) -> tuple[str, ...]:
    """All values of a repeated parameter."""
    query = urlsplit(request.head.target).query
    return tuple(value for key, value in parse_qsl(query) if key == name)


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
        message = "Only an administrator (access.admins) can change this for everybody."
        raise ClientFaultError(message, 403, "admin")


def refuse_strange_name(request: OwnRequest) -> None:
    """Raise ClientFaultError for a request under a foreign host name (DNS rebinding)."""
    if not request.head.client:
        raise ClientFaultError(
            "Open the settings under the name of this proxy.", 421, "misdirected"
        )


def scheme_of(request: OwnRequest) -> str:
    """The scheme by which a request came through the proxy; "" if it came directly."""
    if request.head.inside:
        return request.head.inside.scheme
    return "" if request.head.target.startswith("/") else "http"


def language_of(request: OwnRequest) -> Language:
    """The language for a reader."""
    return choose_language(request.head.headers.joined("accept-language"))


def refuse_cross_site(request: OwnRequest) -> None:
    """Raise ClientFaultError for a form that a page of another origin sent (``null`` is one)."""
    if not is_same_origin(dict(request.head.headers), urlsplit(request.base).scheme):
        raise ClientFaultError("This form was sent by another site.", 403, "cross-site")


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
    owner, token = request.head.owner, fields.get("token", "")
    if not owner or not tokens.holds(token, _bound(purpose, owner, fields), datetime.now(UTC)):
        raise ClientFaultError("This form has expired. Reload the page.", 403, "stale-form")
    return fields


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

    def button(self, fields: Mapping[str, str], text: str) -> Markup:
        """A form of one button."""
        token = form_token(self.tokens, self.owner, self.purpose, fields)
        return form(self.target, {**fields, "token": token}, text)


def _bound(purpose: str, owner: str, fields: Mapping[str, str]) -> str:
    """The text that a token signs: the purpose with the fields it names, and the owner."""
    return json.dumps(["form", owner, purpose.format_map(_Blank(fields))])


class _Blank(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return ""
