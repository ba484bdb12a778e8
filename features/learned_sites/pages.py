"""The pages of this feature, by path."""

from __future__ import annotations

from collections.abc import Mapping

from winnow.engine.site_summaries import about, as_json
from winnow.feature import Context
from winnow.features.learned_sites.learned_sites import Learned, LearnedSites
from winnow.proxy.learning.service import LearningService
from winnow.proxy.own.handlers.html_errors import people_pages
from winnow.proxy.own.router import OwnPage
from winnow.proxy.own.templates.navigation import LEARNED


def pages(context: Context) -> Mapping[str, OwnPage]:
    learning, tokens = context.find(LearningService), context.tokens
    page = LearnedSites(learning, _learned, as_json, tokens, context.administers)
    return people_pages({LEARNED: page})


def _learned(memory: bytes) -> Learned:
    found = about(memory)
    return Learned(max(found.pages.values(), default=0), found.lines)
