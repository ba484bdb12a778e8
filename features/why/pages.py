"""The pages of this feature, by path."""

from __future__ import annotations

from collections.abc import Mapping

from winnow.feature import Context
from winnow.features.why.explained_pages import ExplainedPages
from winnow.features.why.templates.frame_marks import FRAME, PART
from winnow.features.why.why import KEEP, KeepPage, PartPage, WhyPage
from winnow.features.why.why_frame import WhyFrame, WhyImage
from winnow.proxy.access.credentials.image_signatures import FRAME_IMAGES, ImageSignatures
from winnow.proxy.observability.activity import Activities
from winnow.proxy.own.handlers.html_errors import people_pages
from winnow.proxy.own.router import OwnPage
from winnow.transforms.page_sheets import PageSheets


def pages(context: Context) -> Mapping[str, OwnPage]:
    fetcher, workers, tokens = context.fetcher(), context.workers, context.tokens
    choices, signatures = context.choices, ImageSignatures(tokens)
    opened = context.of(Activities).address
    explained = ExplainedPages(fetcher, context.policy, tokens)
    listed: dict[str, OwnPage] = {
        "/-/why": WhyPage(explained, workers, tokens, context.annotates, choices, opened),
        FRAME: WhyFrame(explained, workers, signatures, PageSheets(fetcher, workers)),
        PART: PartPage(explained, workers, tokens),
        KEEP: KeepPage(choices, tokens),
    }
    images = WhyImage(fetcher, workers, signatures, context.policy)
    return {**people_pages(listed), FRAME_IMAGES: images}
