"""The pages of this feature, by path."""

from __future__ import annotations

from collections.abc import Mapping

from winnow.extractors import registry
from winnow.feature import Context
from winnow.features.extension.extension_api import ExtensionApi
from winnow.features.extension.extensions_page import ExtensionsPage
from winnow.features.extension.extract_api import ExtractApi
from winnow.features.extension.save_sent import SaveSent
from winnow.features.saved.save_page import PageSaver
from winnow.features.saved.settings import SavedSettings
from winnow.features.saved.stores.saved_page_store import SavedPageStore
from winnow.proxy.decisions.policy import Transform
from winnow.proxy.own.handlers.html_errors import people_pages
from winnow.proxy.own.router import OwnPage
from winnow.proxy.own.templates.navigation import EXTENSIONS
from winnow.proxy.own.view_choices import RequestedViews


def pages(context: Context) -> Mapping[str, OwnPage]:
    library, tokens = context.library, context.tokens
    space = context.settings.of(SavedSettings).images
    saver = PageSaver(context.articles(), context.of(SavedPageStore), space)
    api = ExtensionApi(
        library,
        context.choices,
        context.of(RequestedViews),
        tokens,
        registry.USUAL,
        frozenset(context.extractors),
        _extract(context, context.transform),
        _extract(context, context.unlearning),
        SaveSent(saver, context.unlearning, context.policy),
    )
    return {**api.pages(), **people_pages({EXTENSIONS: ExtensionsPage(library, tokens)})}


def _extract(context: Context, transform: Transform) -> ExtractApi:
    redirects, library = context.settings.gateway.max_redirects, context.library
    paired = lambda: library.now.extensions  # noqa: E731 - as the stores are now
    earlier = context.of(SavedPageStore).earlier
    return ExtractApi(context.sender, transform, context.policy, redirects, paired, earlier)
