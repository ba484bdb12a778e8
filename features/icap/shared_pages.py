"""Pages that depend on no person: the other proxy may store them as their origin allows."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Final

from winnow.proxy.access.requester import RequestHead
from winnow.proxy.app.app import App
from winnow.proxy.caching.cache_entry import CacheEntry
from winnow.proxy.caching.directives import Directives
from winnow.proxy.caching.freshness import lifetime
from winnow.proxy.caching.storing import SET_COOKIE, StoreMode, may_store
from winnow.proxy.decisions.eligibility import HTML_TYPES
from winnow.proxy.decisions.request.routing import ForwardRoute
from winnow.proxy.http.headers import Headers, media_type
from winnow.proxy.http.messages import ResponseHead

_SHARED: Final = StoreMode()


async def is_everybodys(app: App, head: RequestHead, way: ForwardRoute) -> bool:
    """Whether it is no navigation, or planned as for a reader who has chosen nothing."""
    nobody = replace(head, headers=head.headers.without(("cookie",)), client="", user="")
    planner, policy = app.own.forward.planner, app.policy()
    plan, usual = await planner(head, way, policy), await planner(nobody, way, policy)
    is_same = replace(plan, head=nobody) == usual and app.language(head) == app.language(nobody)
    return plan.not_navigation is not None or is_same


def seconds_stored(request: Headers, reply: ResponseHead) -> int:
    """How long the origin lets a shared cache answer with its page; 0: not at all."""
    fields, now = reply.headers, time.time()
    is_page = reply.status == 200 and media_type(fields) in HTML_TYPES
    forbids = "no-cache" in Directives.of(fields) or fields.has_any(SET_COOKIE)
    if not is_page or forbids or not may_store(request, reply, _SHARED):
        return 0
    return int(lifetime(CacheEntry(200, "", fields, b"", now, now), _SHARED))
