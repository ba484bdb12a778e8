"""``/-/mcp``: streamable HTTP with JSON answers (Model Context Protocol, "Transports").

No session is kept: each POST is answered by itself, in every version of the pinned types.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final

from winnow.feature import Context
from winnow.features.extension.extract_api import ExtractApi
from winnow.features.saved.stores.saved_page_store import SavedPageStore
from winnow.proxy.access.requester import LOOPBACK
from winnow.proxy.http.headers import media_type
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.handlers.form_checks import LARGEST_FORM
from winnow.proxy.own.router import OwnPage, OwnRequest, OwnResponse

TYPES: Final = "mcp_types"
_JSON: Final = "application/json"
_NO_STREAM: Final = OwnResponse(b"", "text/plain; charset=utf-8", 405, (("Allow", "POST"),))
"""A server may have no stream of its own; DELETE would end a session, and there are none."""


def pages(context: Context) -> Mapping[str, OwnPage]:
    if find_spec(TYPES) is None:
        return {"/-/mcp": _not_installed}
    redirects = context.settings.gateway.max_redirects
    api = ExtractApi(context.sender, context.transform, context.policy, redirects)
    saved = _owners(context.settings.access.saved_keys)
    return {"/-/mcp": McpPage(api, context.of(SavedPageStore), saved)}


def _owners(keys: tuple[str, ...]) -> Mapping[str, str]:
    """Whose saved pages a key reads, by the owner that it is itself."""
    pairs = (key.partition("=") for key in keys)
    return {f"user:{key}": f"user:{user}" if user else LOOPBACK for key, _, user in pairs}


@dataclass(frozen=True)
class McpPage:
    """``saved``: owners of saved pages, by the owners that their keys are."""

    api: ExtractApi
    store: SavedPageStore
    saved: Mapping[str, str]

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        from winnow.features.mcp.messages import answer  # noqa: PLC0415 - an extra has its types
        from winnow.features.mcp.tools import page_tools, saved_tools  # noqa: PLC0415 - as above

        if request.head.method != "POST":
            return _NO_STREAM
        if media_type(request.head.headers) != _JSON:
            raise ClientFaultError("Send a message as application/json.", 415, "bad-form")
        owner = self.saved.get(request.head.owner)
        offered = page_tools(self.api, request) if owner is None else saved_tools(self.store, owner)
        reply = await answer(await request.body(LARGEST_FORM), request.head.headers.get, offered)
        return OwnResponse(reply.body, _JSON, reply.status)


async def _not_installed(_request: OwnRequest) -> OwnResponse:
    raise ClientFaultError(
        "The Model Context Protocol needs an extra: pip install 'winnow-proxy[mcp]'.",
        501,
        "not-installed",
    )
