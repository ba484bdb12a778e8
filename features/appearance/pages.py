"""The pages of this feature, by path."""

from __future__ import annotations

from collections.abc import Mapping

from winnow.feature import Context
from winnow.features.appearance.appearance_page import AppearancePage
from winnow.proxy.own.handlers.html_errors import people_pages
from winnow.proxy.own.router import OwnPage
from winnow.proxy.own.templates.navigation import READING
from winnow.proxy.own.view_choices import AppearanceChoices


def pages(context: Context) -> Mapping[str, OwnPage]:
    return people_pages({READING: AppearancePage(context.of(AppearanceChoices), context.tokens)})
