"""What a paired browser extension may ask: pairing, articles, the choice for a page.

Its requests come from another origin, so each answer names that origin alone (Fetch standard,
section 3.3). Who is let in was decided before: ``extension_pairing.is_let_in``.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, TypeVar

import msgspec

from winnow.proxy.access.credentials.extension_pairing import (
    EXTRACT_PATH,
    KEY_FIELD,
    PAGE_PATH,
    PAIR_PATH,
    SAVE_PATH,
    extension_origin,
    is_pairing_code,
)
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.http.headers import Field
from winnow.proxy.http.proxy_errors import ClientFaultError, ProxyError
from winnow.proxy.http.request_target import parse_url
from winnow.proxy.own.router import OwnPage, OwnRequest, OwnResponse, as_problem, only
from winnow.proxy.own.templates.navigation import SAVED_PAGES
from winnow.proxy.own.view_choices import RequestedViews
from winnow.proxy.stores.choice_store import ChoiceStore
from winnow.proxy.stores.library import LibraryStore
from winnow.proxy.stores.paired_extensions import (
    PairedExtension,
    digest_of,
    holder,
    with_extension,
)
from winnow.proxy.stores.site_choice import NO_CHOICE, SiteMode
from winnow.proxy.stores.site_keys import site_key

LARGEST_FORM: Final = 8 * 1024
_PREFLIGHT_SECONDS: Final = 600
_JSON: Final = "application/json"
Value = TypeVar("Value")


@dataclass(frozen=True)
class ExtensionApi:
    """``extract`` is for programs, ``extract_unkept`` for what an extension sends."""

    library: LibraryStore
    choices: ChoiceStore
    views: RequestedViews
    tokens: FormTokens
    methods: tuple[str, ...]
    names: frozenset[str]
    extract: OwnPage
    extract_unkept: OwnPage
    save_sent: Callable[[OwnRequest, str], Awaitable[int]]

    def pages(self) -> Mapping[str, OwnPage]:
        """The pages by path."""
        refused = _extensions_alone
        return {
            EXTRACT_PATH: _shared(self.extract, self.extract_unkept),
            PAIR_PATH: _shared(refused, self.pair),
            PAGE_PATH: _shared(refused, self.page),
            SAVE_PATH: _shared(refused, self.save),
        }

    async def pair(self, request: OwnRequest) -> OwnResponse:
        """``/-/api/pair``: a code, shown on a page of ours, for the key of this origin."""
        only(request, "POST")
        code = str((await _question(request)).get("code", ""))
        owner, now = request.head.owner, datetime.now(UTC)
        paired = self.library.now.extensions
        if not owner or not is_pairing_code(code, self.tokens, owner, paired, now):
            raise ClientFaultError("This code does not hold, or no longer.", 403, "stale-form")
        key = secrets.token_urlsafe(32)
        origin, day = extension_origin(request.head), now.date().isoformat()
        new = PairedExtension(origin, owner, digest_of(key), day)
        await self.library.change(
            lambda library: replace(library, extensions=with_extension(library.extensions, new))
        )
        return _answer({"key": key, "methods": list(self.methods)})

    async def page(self, request: OwnRequest) -> OwnResponse:
        """``/-/api/page``: how a page and its site are shown; changes what the question names."""
        only(request, "POST")
        owner, asked = self._owner(request), await _question(request)
        target = parse_url(str(asked.get("url", "")))
        site = site_key(target.origin)
        await self._change(owner, site, target.url, asked)
        chosen = self.choices.now.of(owner).choices.get(site, NO_CHOICE)
        view = self.views.of(owner, target.url)
        return _answer(
            {
                "site": site,
                "view": view.value,
                "mode": chosen.mode or "",
                "extractor": chosen.extractor or "",
            }
        )

    async def save(self, request: OwnRequest) -> OwnResponse:
        """``/-/api/save?url=``: stores the document in the body, or the page at the address."""
        only(request, "POST")
        number = await self.save_sent(request, self._owner(request))
        return _answer({"page": f"{SAVED_PAGES}/{number}"})

    def _owner(self, request: OwnRequest) -> str:
        """Whose extension asks. Raises ClientFaultError for one that is not paired."""
        head = request.head
        origin, key = extension_origin(head), head.headers.get(KEY_FIELD)
        known = holder(self.library.now.extensions, origin, key)
        if known is None:
            raise ClientFaultError("This extension is not paired.", 403, "not-paired")
        return known.owner

    async def _change(self, owner: str, site: str, url: str, asked: Mapping[str, Any]) -> None:
        if "view" in asked:
            await self.views.choose(owner, url, _one(RequestMode, asked["view"]))
        if "mode" not in asked and "extractor" not in asked:
            return
        chosen = self.choices.now.of(owner).choices.get(site, NO_CHOICE)
        if "mode" in asked:
            mode = _one(SiteMode, asked["mode"]) if asked["mode"] else None
            chosen = replace(chosen, mode=mode)
        if "extractor" in asked:
            offered = partial(self._method, chosen.extractor)
            method = _one(offered, asked["extractor"]) if asked["extractor"] else None
            chosen = replace(chosen, extractor=method, level=None)
        await self.choices.choose(owner, site, chosen)

    def _method(self, now: str | None, name: str) -> str:
        """A method by its name alone, or the one of now. Raises ValueError for any other."""
        if name != now and name not in self.names:
            raise ValueError(name)
        return name


def _one(kind: Callable[[str], Value], value: object) -> Value:
    try:
        return kind(str(value))
    except ValueError as error:
        raise ClientFaultError(f"“{str(value)[:60]}” cannot be chosen.", 400, "bad-form") from error


async def _question(request: OwnRequest) -> Mapping[str, Any]:
    """The JSON object of a request. Raises ClientFaultError for anything else."""
    body = await request.body(LARGEST_FORM)
    try:
        return msgspec.json.decode(body, type=dict[str, object])  # no surrogate alone, as json has
    except (ValueError, RecursionError) as error:
        raise ClientFaultError("Send a JSON object.", 400, "bad-form") from error


def _answer(values: Mapping[str, object]) -> OwnResponse:
    return OwnResponse(json.dumps(values).encode(), _JSON)


async def _extensions_alone(_request: OwnRequest) -> OwnResponse:
    raise ClientFaultError("Only a browser extension asks this.", 403, "not-paired")


def _shared(page: OwnPage, for_extension: OwnPage) -> OwnPage:
    """``page``, but ``for_extension`` where one asks, which may read the answer, errors too."""

    async def answered(request: OwnRequest) -> OwnResponse:
        origin = extension_origin(request.head)
        if not origin:
            return await page(request)
        if request.head.method == "OPTIONS":
            return _preflight(request, origin)
        try:
            response = await for_extension(request)
        except ProxyError as error:
            response = as_problem(error)
        return replace(response, fields=(*response.fields, *_cors(origin)))

    return answered


def _cors(origin: str) -> tuple[Field, ...]:
    exposed = "Winnow-Action, Winnow-Reason, Winnow-Extractor"
    return (
        ("Access-Control-Allow-Origin", origin),
        ("Access-Control-Expose-Headers", exposed),
        ("Vary", "Origin"),
    )


def _preflight(request: OwnRequest, origin: str) -> OwnResponse:
    fields: tuple[Field, ...] = (
        *_cors(origin),
        ("Access-Control-Allow-Methods", "POST"),
        ("Access-Control-Allow-Headers", f"content-type, {KEY_FIELD}"),
        ("Access-Control-Max-Age", str(_PREFLIGHT_SECONDS)),
    )
    if request.head.headers.get("access-control-request-private-network") == "true":
        fields += (("Access-Control-Allow-Private-Network", "true"),)
    return OwnResponse(b"", "text/plain; charset=utf-8", 204, fields)
