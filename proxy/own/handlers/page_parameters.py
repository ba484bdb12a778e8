"""What the query and the fields of a request to an own page say: address, recipe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final
from urllib.parse import parse_qsl, urlencode

from winnow.document.values import Format, Recipe
from winnow.proxy.access.referrers import origin_of, referrer_of
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.request.preferences import from_query
from winnow.proxy.decisions.request.recipe_choice import recipe_for
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.request_target import completed
from winnow.proxy.http.sentences import says
from winnow.proxy.own.checked_values import Address, own_address
from winnow.proxy.own.router import OwnRequest
from winnow.proxy.own.templates.choice_forms import is_from_page
from winnow.proxy.own.templates.navigation import READING

NO_ADDRESS: Final = "no-url"


def address_of(request: OwnRequest) -> str:
    """The address in ``url``. Raises ClientFaultError if it is missing or invalid."""
    if not request.query.get("url"):
        raise ClientFaultError(
            says("Missing page address: {path}?url=https://...", path=request.path), 400, NO_ADDRESS
        )
    return completed(request.query["url"])


def recipe_at(query: Mapping[str, str], url: str, owner: str, policy: Policy) -> Recipe:
    """How a page is extracted, by its site's rules and parameters of a request.

    Links lead to the pages themselves. Raises ClientFaultError for an invalid parameter.
    """
    preferences = from_query(query, policy.recipe)
    recipe = recipe_for(preferences, policy.rule_at(url, owner), policy)
    return replace(recipe, link_prefix="")


def article_recipe_at(query: Mapping[str, str], url: str, owner: str, policy: Policy) -> Recipe:
    """How the article of a page is extracted as JSON: the one that its reader view shows.

    By what the query names, else as the owner sees the page. Raises as ``recipe_at``.
    """
    named = {name: value for name, value in query.items() if name != "format"}
    preferences = from_query(named, policy.recipe)
    if preferences.mode is RequestMode.AUTO:
        preferences = replace(preferences, mode=policy.view_of(owner, url))
    recipe = recipe_for(preferences, policy.rule_at(url, owner), policy)
    return replace(recipe, format=Format.JSON, link_prefix="")


def looks_of(request: OwnRequest) -> Address:
    """The page where text and colours are chosen, with the way back to the one asked for."""
    query = request.head.target.partition("?")[2].partition("#")[0]
    back = f"{request.base}{request.path.lstrip('/')}{'?' if query else ''}{query}"
    return own_address(f"{READING}?{urlencode({'back': back})}")


def every(request: OwnRequest, name: str) -> tuple[str, ...]:
    """All values of a repeated parameter."""
    query = request.head.target.partition("?")[2].partition("#")[0]
    return tuple(value for key, value in parse_qsl(query) if key == name)


def is_on_page(request: OwnRequest, page: str) -> bool:
    """Whether a request was made on a page of the origin of ``page``, by Referer; in the gateway
    too."""
    if scheme_of(request):
        return is_from_page(request.head, page)
    headers = request.head.headers
    hosted = referrer_of(headers.get("referer"), request.base.rstrip("/")).hosted
    is_own = headers.get("sec-fetch-site", "same-origin") == "same-origin"
    return is_own and bool(origin_of(page)) and hosted == origin_of(page)


def is_clicked(request: OwnRequest, page: str) -> bool:
    """Whether a link of the page itself was followed; by a person, where a browser says so."""
    headers = request.head.headers
    by_person = "sec-fetch-site" not in headers or headers.get("sec-fetch-user") == "?1"
    return by_person and is_on_page(request, page)


def is_vouched(request: OwnRequest, page: str) -> bool:
    """Whether a person clicked in the page itself: the browser must say so, but in the gateway,
    where no script of a site runs."""
    by_person = "sec-fetch-user" in request.head.headers or not scheme_of(request)
    return request.head.method == "GET" and by_person and is_clicked(request, page)


def seen_at(request: OwnRequest, url: str) -> str:
    """The address of a page as its reader sees it."""
    return url if scheme_of(request) else f"/{url}"


def scheme_of(request: OwnRequest) -> str:
    """The scheme by which a request came through the proxy; "" if it came directly."""
    if request.head.inside:
        return request.head.inside.scheme
    return "" if request.head.target.startswith("/") else "http"
