"""Joins the proxy's views to what looks into pages, and to the shelf; part of composing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from winnow.compose.pooled import PooledPageWork, PooledTransform
from winnow.compose.rule_trials import RuleTrial
from winnow.config.settings import Settings
from winnow.config.settings_in_force import ListedSection
from winnow.config.site_rule_file import FileRule, load_rules
from winnow.evaluation.annotations import AnnotationFolders
from winnow.extractors import registry
from winnow.jobs.small_gateway import SMALL_PATH
from winnow.proxy.access.ip_addresses import is_local
from winnow.proxy.access.request_head import RequestHead
from winnow.proxy.access.tokens import FormTokens
from winnow.proxy.decisions.policy import Policy, RuleFor, SiteRule, Transform
from winnow.proxy.http.messages import Sender
from winnow.proxy.http.origins import Origin
from winnow.proxy.learning.service import LearningService
from winnow.proxy.own.handlers.all_settings import AllSettings, SavedItems
from winnow.proxy.own.handlers.annotate import ANNOTATE, AnnotatePage
from winnow.proxy.own.handlers.appearance_page import AppearanceChoices, AppearancePage
from winnow.proxy.own.handlers.book import BookPage
from winnow.proxy.own.handlers.compare_and_why import KEEP, ComparePage, KeepPage, WhyPage
from winnow.proxy.own.handlers.feed import FeedPage
from winnow.proxy.own.handlers.learned_sites import LearnedSites
from winnow.proxy.own.handlers.requests import for_people
from winnow.proxy.own.handlers.rules import RulesPage
from winnow.proxy.own.handlers.small import SmallGateway, SmallSettings
from winnow.proxy.own.handlers.small_options import SmallOptions
from winnow.proxy.own.router import OwnPage
from winnow.proxy.own.templates.navigation import ALL, KEPT, LEARNED, READING, RULES
from winnow.proxy.stores.choices import site_key
from winnow.proxy.stores.library import LibraryStore
from winnow.proxy.upstream.fetcher import Fetcher

_USUAL: Final = ("auto", "mss", "bte", "dsc", "lqf", "simple-mss", "largest-block", "crunch")


@dataclass(frozen=True)
class RulesInForce:
    """The rules of single sites, the file they are from, and the method where one names none."""

    file: Path | None = None
    rules: tuple[FileRule, ...] = ()
    extractor: str = "auto"

    @classmethod
    def of(cls, settings: Settings) -> RulesInForce:
        """Raises ``ConfigError`` if the file cannot be read."""
        file = settings.sites.rules
        rules = load_rules(file) if file else ()
        return cls(file, rules, settings.extraction.extractor)


@dataclass(frozen=True)
class OwnPageFactory:
    """What the views stand on."""

    client: Sender
    laboratory: PooledPageWork
    transform: Transform
    policy: Callable[[], Policy]
    shelf: LibraryStore = field(default_factory=LibraryStore)
    tokens: FormTokens = field(default_factory=FormTokens)
    max_redirects: int = 10
    listed: Callable[[], tuple[ListedSection, ...]] = tuple
    small: SmallSettings = field(default_factory=SmallSettings)
    annotations: AnnotationFolders | None = None
    may_annotate: Callable[[str], bool] = is_local
    administers: Callable[[RequestHead], bool] = lambda head: is_local(head.client)
    liking: AppearanceChoices = field(default_factory=AppearanceChoices)
    learning: LearningService | None = None
    ruled: RulesInForce = field(default_factory=RulesInForce)

    def fetcher(self) -> Fetcher:
        """What gets pages for all views."""
        return Fetcher(self.client, self.policy, self.max_redirects)

    def annotates(self, client: str) -> bool:
        """Whether a client may mark pages here."""
        return self.annotations is not None and self.may_annotate(client)

    def below(self) -> Mapping[str, OwnPage]:
        """The views that answer for all paths below theirs."""
        gateway = SmallGateway(
            self.fetcher(), self.laboratory, self.policy, self.shelf, self.tokens, self.small
        )
        return {SMALL_PATH: gateway}

    def pages(self) -> Mapping[str, OwnPage]:
        """The views by path."""
        fetcher = self.fetcher()
        offered = tuple(registry.names())
        usual = tuple(name for name in _USUAL if name in offered)
        compare = ComparePage(fetcher, self.laboratory, self.policy, offered, usual)
        found: dict[str, OwnPage] = {
            "/-/compare": compare,
            "/-/why": WhyPage(fetcher, self.laboratory, self.policy, self.tokens, self.annotates),
            KEEP: KeepPage(self.shelf, self.tokens),
            "/-/book": BookPage(
                fetcher, self.transform, self.laboratory, self.laboratory, self.policy
            ),
            ALL: AllSettings(self.listed),
            KEPT: SavedItems(self.shelf, self.tokens, self.administers),
            READING: AppearancePage(self.liking, self.tokens),
            LEARNED: LearnedSites(self.learning, _lines, _saved, self.tokens, self.administers),
            RULES: self._rules(fetcher),
            ANNOTATE: AnnotatePage(
                fetcher,
                self.laboratory,
                self.policy,
                self.tokens,
                self.annotations,
                self.may_annotate,
            ),
            "/-/feed": FeedPage(fetcher, self.transform, self.laboratory, self.policy),
        }
        return {path: for_people(page) for path, page in found.items()}

    def _rules(self, fetcher: Fetcher) -> RulesPage:
        ruled = self.ruled
        trial = RuleTrial(fetcher, PooledTransform(self.laboratory.pool), ruled.extractor)
        return RulesPage(ruled.file, ruled.rules, trial, self.policy, self.tokens)


def small_of(settings: Settings) -> SmallSettings:
    """What small screens get."""
    gateway = settings.gateway
    usual = SmallOptions(
        width=gateway.image_width,
        kilobytes=gateway.page_size // 1000,
        image_kilobytes=gateway.image_size // 1000,
    )
    return SmallSettings(usual, gateway.search, gateway.page_budget // 1000, gateway.history)


def _lines(memory: bytes) -> tuple[str, ...]:
    """What is known of a site, in words."""
    from winnow.engine.site_summaries import about  # noqa: PLC0415 - needs arrays, which starting does not

    return about(memory).lines


def _saved(known: Mapping[str, bytes]) -> str:
    """What is known of sites, as JSON."""
    from winnow.engine.site_summaries import as_json  # noqa: PLC0415 - the same

    return as_json(known)


def annotations_of(settings: Settings) -> AnnotationFolders | None:
    """Where marked pages are kept, if anywhere."""
    folder = settings.annotation.folder
    return AnnotationFolders(folder) if folder else None


def with_shelf(rule_for: RuleFor, shelf: LibraryStore) -> RuleFor:
    """The rules with the parts that a reader keeps."""

    def rule(origin: Origin, owner: str) -> SiteRule:
        found = rule_for(origin, owner)
        kept = shelf.now.parts_of(owner, site_key(origin))
        return replace(found, keep=(*found.keep, *kept)) if kept else found

    return rule
