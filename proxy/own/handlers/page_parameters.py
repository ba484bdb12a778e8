"""What the query and the fields of a request to an own page say: address, recipe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from winnow.document.values import Recipe
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.preferences import from_query
from winnow.proxy.decisions.recipe_choice import recipe_for
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.request_target import completed
from winnow.proxy.http.sentences import says
from winnow.proxy.own.router import OwnRequest

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


def every(request: OwnRequest, name: str) -> tuple[str, ...]:
    """All values of a repeated parameter."""
    query = urlsplit(request.head.target).query
    return tuple(value for key, value in parse_qsl(query) if key == name)


def scheme_of(request: OwnRequest) -> str:
    """The scheme by which a request came through the proxy; "" if it came directly."""
    if request.head.inside:
        return request.head.inside.scheme
    return "" if request.head.target.startswith("/") else "http"
