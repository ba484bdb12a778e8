"""The pages of this feature, by path."""

from __future__ import annotations

from collections.abc import Mapping

from winnow.evaluation.gold.annotations import AnnotationFolders
from winnow.feature import Context
from winnow.features.annotate.annotate_page import ANNOTATE, AnnotatePage
from winnow.proxy.own.handlers.html_errors import people_pages
from winnow.proxy.own.router import OwnPage


def pages(context: Context) -> Mapping[str, OwnPage]:
    folder = context.settings.annotation.folder
    page = AnnotatePage(
        context.fetcher(),
        context.workers,
        context.policy,
        context.tokens,
        AnnotationFolders(folder) if folder else None,
        context.may_annotate,
    )
    return people_pages({ANNOTATE: page})
