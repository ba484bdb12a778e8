"""The pages of this feature, by path."""

from __future__ import annotations

from collections.abc import Mapping

from winnow.extractors import registry
from winnow.feature import Context
from winnow.features.compare.compare_page import ComparePage
from winnow.proxy.own.handlers.html_errors import people_pages
from winnow.proxy.own.router import OwnPage


def pages(context: Context) -> Mapping[str, OwnPage]:
    offered = tuple(registry.names())
    usual = tuple(name for name in registry.USUAL if name in offered)
    page = ComparePage(context.fetcher(), context.workers, context.policy, offered, usual)
    return people_pages({"/-/compare": page})
