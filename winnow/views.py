"""Joins the proxy's views to what looks into pages, and to the shelf; part of composing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from config.listing import ListedSection
from config.rules import FileRule, load_rules
from config.settings import Settings
from evaluation.annotations import Annotations
from extractors import catalogue
from proxy.access.addresses import is_local
from proxy.access.tokens import Tokens
from proxy.fetching import Fetcher
from proxy.learning import Learning
from proxy.own import OwnPage
from proxy.pages.navigation import ALL, KEPT, LEARNED, READING, RULES
from proxy.stores.remembered import site_key
from proxy.stores.shelf import ShelfStore
from proxy.upstream.client import Sender
from proxy.upstream.origins import Origin
from proxy.values import Policy, RequestHead, RuleFor, SiteRule, Transform
from proxy.views.annotating import ANNOTATE, AnnotatePage
from proxy.views.asking import for_people
from proxy.views.books import BookPage
from proxy.views.feeds import FeedPage
from proxy.views.laboratory import KEEP, ComparePage, KeepPage, WhyPage
from proxy.views.learned import LearnedSites
from proxy.views.options import PATH, Options
from proxy.views.preferences import AllSettings, KeptThings
from proxy.views.reading import Liking, ReadingPage
from proxy.views.ruled import RulesPage
from proxy.views.small import SmallGateway, SmallSettings
from winnow.pooled import PooledFeeder, PooledLaboratory, PooledTransform
from winnow.ruletrials import RuleTrial

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
class Views:
    """What the views stand on."""

    client: Sender
    laboratory: PooledLaboratory
    transform: Transform
    policy: Callable[[], Policy]
    shelf: ShelfStore = field(default_factory=ShelfStore)
    tokens: Tokens = field(default_factory=Tokens)
    max_redirects: int = 10
    listed: Callable[[], tuple[ListedSection, ...]] = tuple
    small: SmallSettings = field(default_factory=SmallSettings)
    annotations: Annotations | None = None
    may_annotate: Callable[[str], bool] = is_local
    administers: Callable[[RequestHead], bool] = lambda head: is_local(head.client)
    liking: Liking = field(default_factory=Liking)
    learning: Learning | None = None
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
        return {PATH: gateway}

    def pages(self) -> Mapping[str, OwnPage]:
        """The views by path."""
        fetcher = self.fetcher()
        offered = tuple(catalogue.names())
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
            KEPT: KeptThings(self.shelf, self.tokens, self.administers),
            READING: ReadingPage(self.liking, self.tokens),
            LEARNED: LearnedSites(self.learning, _lines, _saved, self.tokens),
            RULES: self._rules(fetcher),
            ANNOTATE: AnnotatePage(
                fetcher,
                self.laboratory,
                self.policy,
                self.tokens,
                self.annotations,
                self.may_annotate,
            ),
            "/-/feed": FeedPage(
                fetcher, self.transform, PooledFeeder(self.laboratory), self.policy
            ),
        }
        return {path: for_people(page) for path, page in found.items()}

    def _rules(self, fetcher: Fetcher) -> RulesPage:
        ruled = self.ruled
        trial = RuleTrial(fetcher, PooledTransform(self.laboratory.pool), ruled.extractor)
        return RulesPage(ruled.file, ruled.rules, trial, self.policy, self.tokens)


def small_of(settings: Settings) -> SmallSettings:
    """What small screens get."""
    gateway = settings.gateway
    usual = Options(
        width=gateway.image_width,
        kilobytes=gateway.page_size // 1000,
        image_kilobytes=gateway.image_size // 1000,
    )
    return SmallSettings(usual, gateway.search, gateway.page_budget // 1000, gateway.history)


def _lines(memory: bytes) -> tuple[str, ...]:
    """What is known of a site, in words."""
    from winnow.siteviews import about  # noqa: PLC0415 - needs arrays, which starting does not

    return about(memory).lines


def _saved(known: Mapping[str, bytes]) -> str:
    """What is known of sites, as JSON."""
    from winnow.siteviews import as_json  # noqa: PLC0415 - the same

    return as_json(known)


def annotations_of(settings: Settings) -> Annotations | None:
    """Where marked pages are kept, if anywhere."""
    folder = settings.annotation.folder
    return Annotations(folder) if folder else None


def with_shelf(rule_for: RuleFor, shelf: ShelfStore) -> RuleFor:
    """The rules with the parts that a reader keeps."""

    def rule(origin: Origin, owner: str) -> SiteRule:
        found = rule_for(origin, owner)
        kept = shelf.now.parts_of(owner, site_key(origin))
        return replace(found, keep=(*found.keep, *kept)) if kept else found

    return rule
