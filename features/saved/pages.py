"""The pages of this feature, by path."""

from __future__ import annotations

from collections.abc import Mapping

from winnow.feature import Context
from winnow.features.listen.pages import spoken_articles
from winnow.features.saved.save_page import PageSaver, SavePage
from winnow.features.saved.saved_export_page import SavedExport
from winnow.features.saved.saved_feeds import OpdsCatalogue, SavedPodcast, SavedRss
from winnow.features.saved.saved_files import SavedImport
from winnow.features.saved.saved_page_list import SAVE
from winnow.features.saved.saved_pages import SavedPages
from winnow.features.saved.settings import SavedSettings
from winnow.features.saved.stores.saved_page_store import SavedPageStore
from winnow.features.saved.templates.feed_markup import OPDS, PODCAST, RSS
from winnow.features.saved.templates.saved_file_pages import EXPORT, IMPORT
from winnow.proxy.own.handlers.html_errors import people_pages
from winnow.proxy.own.router import OwnPage
from winnow.proxy.own.templates.navigation import SAVED_PAGES


def pages(context: Context) -> Mapping[str, OwnPage]:
    store, tokens, workers = context.of(SavedPageStore), context.tokens, context.workers
    space, spoken = context.settings.of(SavedSettings).images, context.once(spoken_articles)
    listed, catalogue = SavedPages(store, tokens, workers, spoken), OpdsCatalogue(store)
    return people_pages(
        {
            SAVE: SavePage(PageSaver(context.articles(), store, space), tokens),
            SAVED_PAGES: listed,
            f"{SAVED_PAGES}/": listed,
            EXPORT: SavedExport(store, workers),
            IMPORT: SavedImport(store, workers, tokens, space),
            RSS: SavedRss(store),
            PODCAST: SavedPodcast(store, spoken.jobs.formats),
            OPDS: catalogue,
            f"{OPDS}/": catalogue,
        }
    )
