"""Our own pages and what stands behind them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from winnow.compose.pooled import PooledPageWork, PooledTransform
from winnow.compose.site_rule_pages import RulesInForce, RuleTrial, rule_faults, rule_pages
from winnow.compose.small_screens import usual_screen
from winnow.config.settings import Settings
from winnow.config.settings_in_force import ListedSection
from winnow.config.speech_settings import SpeechSettings
from winnow.evaluation.annotations import AnnotationFolders
from winnow.extractors import registry
from winnow.jobs.small_gateway import SMALL_PATH
from winnow.proxy.access.address_kinds import is_local
from winnow.proxy.access.image_signatures import FRAME_IMAGES, ImageSignatures
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.access.terminal_codes import TerminalCodes
from winnow.proxy.access.tokens import FormTokens
from winnow.proxy.decisions.policy import Policy, Transform
from winnow.proxy.http.messages import Sender
from winnow.proxy.learning.service import LearningService
from winnow.proxy.own.audio_jobs import AudioJobs
from winnow.proxy.own.handlers.all_settings import AllSettings
from winnow.proxy.own.handlers.annotate import ANNOTATE, AnnotatePage
from winnow.proxy.own.handlers.appearance_page import AppearancePage
from winnow.proxy.own.handlers.article_fetch import ArticleFetch
from winnow.proxy.own.handlers.audio import AudioPage, SpokenArticles
from winnow.proxy.own.handlers.book import BookPage
from winnow.proxy.own.handlers.compare import ComparePage
from winnow.proxy.own.handlers.feed import FeedPage
from winnow.proxy.own.handlers.html_errors import for_people
from winnow.proxy.own.handlers.language_menu import LanguageMenu
from winnow.proxy.own.handlers.learned_sites import LearnedSites
from winnow.proxy.own.handlers.listen import ListenPage
from winnow.proxy.own.handlers.opml import opml_page
from winnow.proxy.own.handlers.page_options import PageOptions
from winnow.proxy.own.handlers.print_page import PrintPage
from winnow.proxy.own.handlers.rule_editor import RuleChanges
from winnow.proxy.own.handlers.save_page import PageSaver, SavePage
from winnow.proxy.own.handlers.saved_feeds import OpdsCatalogue, SavedPodcast, SavedRss
from winnow.proxy.own.handlers.saved_files import SavedExport, SavedImport
from winnow.proxy.own.handlers.saved_items import SavedItems
from winnow.proxy.own.handlers.saved_pages import SavedPages
from winnow.proxy.own.handlers.small import SmallGateway
from winnow.proxy.own.handlers.small_rendering import DrawnPages
from winnow.proxy.own.handlers.small_request import SmallSettings
from winnow.proxy.own.handlers.why import KEEP, ExplainedPages, KeepPage, PartPage, WhyPage
from winnow.proxy.own.handlers.why_frame import WhyFrame, WhyImage
from winnow.proxy.own.router import OwnPage, moved_to
from winnow.proxy.own.settings_editor import SettingsEditor
from winnow.proxy.own.templates.audio_links import AUDIO
from winnow.proxy.own.templates.listen_page import LISTEN
from winnow.proxy.own.templates.navigation import (
    ALL,
    LANGUAGES,
    LEARNED,
    OLD_SAVED,
    READING,
    SAVED,
    SAVED_PAGES,
)
from winnow.proxy.own.templates.options_page import OPTIONS_PATH
from winnow.proxy.own.templates.print_page import PRINT
from winnow.proxy.own.templates.saved_feeds import OPDS, PODCAST, RSS
from winnow.proxy.own.templates.saved_file_pages import EXPORT, IMPORT, OPML
from winnow.proxy.own.templates.saved_page_list import SAVE
from winnow.proxy.own.templates.why_frame import FRAME, PART
from winnow.proxy.own.view_choices import AppearanceChoices
from winnow.proxy.stores.library import LibraryStore
from winnow.proxy.stores.saved_page_store import SavedPageStore
from winnow.proxy.upstream.fetcher import Fetcher
from winnow.speech.speaker import Speaker, formats_of

USUAL_METHODS: Final = ("auto", "mss", "bte", "dsc", "lqf", "simple-mss", "largest-block", "crunch")


@dataclass(frozen=True, slots=True)
class SavedPageParts:
    """``image_space``: bytes of the images of one saved page."""

    store: SavedPageStore
    image_space: int


@dataclass(frozen=True)
class OwnPageFactory:
    """Makes the pages from what they need."""

    client: Sender
    page_work: PooledPageWork
    transform: Transform
    policy: Callable[[], Policy]
    library: LibraryStore = field(default_factory=LibraryStore)
    tokens: FormTokens = field(default_factory=FormTokens)
    max_redirects: int = 10
    listed: Callable[[], tuple[ListedSection, ...]] = tuple
    small: SmallSettings = field(default_factory=SmallSettings)
    annotations: AnnotationFolders | None = None
    may_annotate: Callable[[str], bool] = is_local
    administers: Callable[[RequestHead], bool] = lambda head: is_local(head.client)
    appearance: AppearanceChoices = field(default_factory=AppearanceChoices)
    learning: LearningService | None = None
    rules: RulesInForce = field(default_factory=RulesInForce)
    editor: SettingsEditor | None = None
    codes: TerminalCodes | None = None
    saved: SavedPageParts | None = None
    drawn: DrawnPages | None = None
    audio: AudioJobs = field(default_factory=lambda: audio_jobs(SpeechSettings(engine="")))

    def fetcher(self) -> Fetcher:
        """Fetches pages for all of them."""
        return Fetcher(self.client, self.policy, self.max_redirects)

    def articles(self) -> ArticleFetch:
        """Fetches articles with their images."""
        return ArticleFetch(self.fetcher(), self.transform, self.page_work, self.policy)

    def spoken(self) -> SpokenArticles:
        """Makes audio files of articles."""
        return SpokenArticles(self.page_work, self.audio)

    def annotates(self, client: str) -> bool:
        """Whether a client may mark pages here."""
        return self.annotations is not None and self.may_annotate(client)

    def subtrees(self) -> Mapping[str, OwnPage]:
        """The pages that answer for all paths below theirs."""
        gateway = SmallGateway(
            self.fetcher(),
            self.page_work,
            self.policy,
            self.library,
            self.tokens,
            self.small,
            self.drawn,
        )
        signatures = ImageSignatures(self.tokens)
        images = WhyImage(self.fetcher(), self.page_work, signatures, self.policy)
        found: dict[str, OwnPage] = {SMALL_PATH: gateway, FRAME_IMAGES: images}
        if self.saved:
            found[f"{SAVED_PAGES}/"] = for_people(self._saved_page_list(self.saved))
            found[f"{OPDS}/"] = for_people(OpdsCatalogue(self.saved.store))
        return found

    def pages(self) -> Mapping[str, OwnPage]:
        """The pages by path."""
        fetcher = self.fetcher()
        offered = tuple(registry.names())
        usual = tuple(name for name in USUAL_METHODS if name in offered)
        compare = ComparePage(fetcher, self.page_work, self.policy, offered, usual)
        found: dict[str, OwnPage] = {
            "/-/compare": compare,
            **self._why(fetcher),
            "/-/book": BookPage(self.articles(), self.page_work),
            LISTEN: ListenPage(self.articles(), self.spoken().kinds),
            AUDIO: AudioPage(self.articles(), self.spoken()),
            PRINT: PrintPage(self.articles()),
            **self._saved_pages(),
            ALL: AllSettings(self.listed, self.tokens, self.administers, self.editor, self.codes),
            SAVED: SavedItems(self.library, self.tokens, self.administers, self._trial(fetcher)),
            OLD_SAVED: moved_to(SAVED),
            LANGUAGES: LanguageMenu(self.library, self.tokens),
            READING: AppearancePage(self.appearance, self.tokens),
            LEARNED: LearnedSites(self.learning, _lines, _saved, self.tokens, self.administers),
            **self._rules(fetcher, offered),
            ANNOTATE: AnnotatePage(
                fetcher,
                self.page_work,
                self.policy,
                self.tokens,
                self.annotations,
                self.may_annotate,
            ),
            OPTIONS_PATH: PageOptions(offered, self.page_work.parameters),
            "/-/feed": FeedPage(fetcher, self.transform, self.page_work, self.policy),
        }
        return {path: for_people(page) for path, page in found.items()}

    def _why(self, fetcher: Fetcher) -> Mapping[str, OwnPage]:
        work, explained = self.page_work, ExplainedPages(fetcher, self.policy, self.tokens)
        return {
            "/-/why": WhyPage(explained, work, self.tokens, self.annotates, self.library),
            FRAME: WhyFrame(explained, work, ImageSignatures(self.tokens)),
            PART: PartPage(explained, work, self.tokens),
            KEEP: KeepPage(self.library, self.tokens),
        }

    def _saved_pages(self) -> Mapping[str, OwnPage]:
        if self.saved is None:
            return {}
        store, space = self.saved.store, self.saved.image_space
        return {
            SAVE: SavePage(self.saver(self.saved), self.tokens),
            SAVED_PAGES: self._saved_page_list(self.saved),
            EXPORT: SavedExport(store, self.page_work, self.page_work),
            IMPORT: SavedImport(store, self.page_work, self.tokens, space),
            RSS: SavedRss(store),
            PODCAST: SavedPodcast(store, self.audio.formats),
            OPDS: OpdsCatalogue(store),
            OPML: opml_page,
        }

    def saver(self, saved: SavedPageParts) -> PageSaver:
        """Stores pages."""
        return PageSaver(self.articles(), saved.store, saved.image_space)

    def _saved_page_list(self, saved: SavedPageParts) -> SavedPages:
        return SavedPages(saved.store, self.tokens, self.page_work, self.spoken())

    def _rules(self, fetcher: Fetcher, methods: tuple[str, ...]) -> Mapping[str, OwnPage]:
        changes = RuleChanges(self.editor, self.tokens, self.administers, rule_faults)
        return rule_pages(self.rules, self._trial(fetcher), methods, changes)

    def _trial(self, fetcher: Fetcher) -> RuleTrial:
        transform = PooledTransform(self.page_work.pool)
        return RuleTrial(fetcher, transform, self.rules.extractor)


def audio_jobs(settings: SpeechSettings) -> AudioJobs:
    """What makes audio files; it looks for the programs that can."""
    formats = formats_of(settings.engine)
    return AudioJobs(Speaker(), formats, settings.engine, settings.length)


def small_of(settings: Settings) -> SmallSettings:
    """The settings of the gateway for small screens."""
    gateway = settings.gateway
    budget = gateway.page_budget // 1000
    return SmallSettings(usual_screen(settings), gateway.search, budget, gateway.history)


def _lines(memory: bytes) -> tuple[str, ...]:
    """What was learned of a site, in words."""
    from winnow.engine.site_summaries import about  # noqa: PLC0415 - needs arrays, which starting does not

    return about(memory).lines


def _saved(memories: Mapping[str, bytes]) -> str:
    """What was learned of sites, as JSON."""
    from winnow.engine.site_summaries import as_json  # noqa: PLC0415 - the same

    return as_json(memories)


def annotations_of(settings: Settings) -> AnnotationFolders | None:
    """The folder of marked pages, if any."""
    folder = settings.annotation.folder
    return AnnotationFolders(folder) if folder else None
