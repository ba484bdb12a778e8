"""What a feature brings to Winnow: one value each, joined in ``winnow.compose``.

The core imports no feature. Names ("module:function") stand for what is loaded at first use.
A job of a worker needs no entry here: its class names its function (winnow.jobs.job_types).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from winnow.proxy.access.own_addresses import OwnFace, OwnFaces
from winnow.proxy.own.menus import Menu, MenuEntry, Menus

if TYPE_CHECKING:  # the command line imports this module at each start
    from winnow.config.settings import Settings
    from winnow.document.values import Page
    from winnow.jobs.job_types import Workers
    from winnow.proxy.access.credentials.tokens import FormTokens
    from winnow.proxy.access.requester import RequestHead
    from winnow.proxy.app.app import App
    from winnow.proxy.decisions.policy import Policy, Transform
    from winnow.proxy.http.messages import Sender
    from winnow.proxy.own.handlers.article_fetch import ArticleFetch
    from winnow.proxy.own.operations import PageOperation
    from winnow.proxy.stores.choice_store import ChoiceStore
    from winnow.proxy.stores.library import LibraryStore
    from winnow.proxy.stores.notices import Notices
    from winnow.proxy.upstream.fetcher import Fetcher

T = TypeVar("T")


class FeatureError(ValueError):
    """Features that do not fit together, or a name that leads to nothing."""


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """An own page's path; ``below``: it answers for all that begin so. ``entries``: its links.

    ``face``: who may ask (docs/security.md); ``audio``: a pattern of the paths below that are
    sound files. ``operations``: what it does for programs; /-/openapi.json has them.
    """

    path: str
    below: bool = False
    entries: tuple[MenuEntry, ...] = ()
    face: OwnFace = OwnFace.PAGE
    operations: tuple[PageOperation, ...] = ()
    audio: str = ""


class CommandGroup(StrEnum):
    """Headings of ``winnow --help``, in their order."""

    READ = "Read and serve"
    MEASURE = "Measure and train"
    MANAGE = "Manage"


@dataclass(frozen=True, slots=True)
class FeatureCommand:
    """``winnow NAME``: ``module`` has ``declare(parser)``; it adds arguments and sets ``run``."""

    name: str
    summary: str
    module: str
    group: CommandGroup = CommandGroup.MANAGE


@dataclass(frozen=True, slots=True)
class Opening:
    """What stores are opened with: the settings, the data folder, and who hears of faults."""

    settings: Settings
    folder: Path
    notices: Notices


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """Every member but the name is optional; those of type str are names ("module:attribute").

    ``needs``: the features that it is built upon. What is not ``optional`` cannot be switched off;
    what ``is_extra`` needs packages of an extra, opens a port or replaces the proxy, and is there
    where ``features.enabled`` names it.
    ``settings``: a frozen dataclass of ``setting`` fields, whose SECTION names its table.
    ``stores``: takes an Opening, is an asynchronous context of a tuple; ``Context.of`` finds each
    by its type; a Reporting is shown. ``databases``: the newest version that it reads of each, by
    file. ``pages``: takes the Context, returns the OwnPage of each address. ``observers``: takes
    it, returns Observers, which see each RequestAnswered and PageOpened. ``task``: takes it, runs
    beside the server until it is cancelled (at a port: ``serve_port``); a ConfigError at once
    refuses the start. ``front``: takes it, returns the Front that answers in place of the proxy.
    ``options``: adds options to the parser of ``winnow extract``, of which one may say what is done
    ``instead``. ``drawing``: takes a Connector, a Sender, Workers and maybe a Permit, returns a
    Drawing. ``sharing``: takes the settings, returns a Sharing (winnow.proxy.cluster.sharing).
    ``extractors``: the factory of each by its name (winnow.extractors.registry). ``trainer``: what
    ``winnow train NAME`` asks: takes a TrainRequest, returns a report.
    ``texts``: "package:folder" with a LANGUAGE.po.
    """

    name: str
    needs: tuple[str, ...] = ()
    optional: bool = True
    is_extra: bool = False
    settings: str = ""
    stores: str = ""
    databases: str = ""
    addresses: tuple[OwnAddress, ...] = ()
    pages: str = ""
    observers: str = ""
    task: str = ""
    front: str = ""
    commands: tuple[FeatureCommand, ...] = ()
    options: str = ""
    extractors: Mapping[str, str] = field(default_factory=dict, hash=False)
    trainer: str = ""
    drawing: str = ""
    sharing: str = ""
    texts: str = ""

    def claims(self) -> Iterator[str]:
        """What no other feature may have."""
        yield f"the name {self.name}"
        yield from (each.path for each in self.addresses)
        yield from (f"the command {each.name}" for each in self.commands)
        yield from (f"the extractor {each}" for each in self.extractors)
        yield from ("the place of the proxy",) if self.front else ()


class Drawing(Protocol):
    """Has pages drawn whose text scripts write."""

    def before(self, transform: Transform, /) -> Transform:
        """A Transform before this one, which draws what a recipe wants drawn."""
        ...

    async def page(self, url: str, ads: str, /) -> Page:
        """The page at an address as its scripts write it; ``ads``: the path of the list of
        advertisements. Raises TransformError."""
        ...


@dataclass(frozen=True, eq=False)
class Context:
    """What the pages of features are made from. ``transform`` learns and fills caches.

    ``unlearning`` does neither: for documents that a reader sends. ``drawing``: None where no page
    is drawn. ``described``: what the own addresses do for programs. ``extractors``: their names.
    ``services``: the stores of a run and what else ``of`` finds by its type.
    """

    settings: Settings
    sender: Sender
    workers: Workers
    transform: Transform
    unlearning: Transform
    policy: Callable[[], Policy]
    tokens: FormTokens
    choices: ChoiceStore
    library: LibraryStore
    administers: Callable[[RequestHead], bool]
    may_annotate: Callable[[str], bool]
    drawing: Drawing | None
    services: Mapping[type, object] = field(default_factory=dict)
    described: Mapping[str, tuple[PageOperation, ...]] = field(default_factory=dict)
    extractors: tuple[str, ...] = ()
    _made: dict[Callable[[Context], Any], Any] = field(default_factory=dict)

    def fetcher(self) -> Fetcher:
        """Fetches pages."""
        from winnow.proxy.upstream.fetcher import Fetcher  # noqa: PLC0415 - at first use

        return Fetcher(self.sender, self.policy, self.settings.gateway.max_redirects)

    def articles(self) -> ArticleFetch:
        """Fetches articles with their images."""
        from winnow.proxy.own.handlers.article_fetch import ArticleFetch  # noqa: PLC0415 - at first use

        return ArticleFetch(self.fetcher(), self.transform, self.workers, self.policy)

    def app(self) -> App:
        """What answers requests now."""
        from winnow.proxy.server.handover import Handover  # noqa: PLC0415 - at first use

        return cast("App", self.of(Handover).app)

    def annotates(self, client: str) -> bool:
        """Whether a client may mark pages here."""
        return self.settings.annotation.folder is not None and self.may_annotate(client)

    def of(self, kind: type[T]) -> T:
        """The service of this type. Raises FeatureError where this run has none."""
        found = self.find(kind)
        if found is None:
            raise FeatureError(f"This run has no {kind.__name__}.")
        return found

    def find(self, kind: type[T]) -> T | None:
        """The service of this type, if this run has one."""
        return cast("T | None", self.services.get(kind))

    def once(self, make: Callable[[Context], T]) -> T:
        """What ``make`` makes of this context: at its first call, then the same for everybody."""
        if make not in self._made:
            self._made[make] = make(self)
        return cast(T, self._made[make])


def loaded(name: str) -> Any:
    """What "module:attribute" names. Raises FeatureError."""
    module, _, attribute = name.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise FeatureError(f"{name} leads to nothing: {error}") from error


def menus_of(features: Iterable[Feature]) -> Menus:
    """The menus with the links of these features, in order."""
    found = [address for feature in features for address in feature.addresses]
    entries = [(entry.order, entry, each.path) for each in found for entry in each.entries]
    entries.sort(key=lambda each: each[0])
    header, settings = (
        {path: entry.text for _, entry, path in entries if entry.menu is menu} for menu in Menu
    )
    return Menus(header, settings, frozenset(each.path for each in found if each.path != "/"))


def described(features: Iterable[Feature]) -> Mapping[str, tuple[PageOperation, ...]]:
    """What their addresses do for programs."""
    found = (address for feature in features for address in feature.addresses)
    return {each.path: each.operations for each in found if each.operations}


def faces_of(features: Iterable[Feature]) -> OwnFaces:
    """The kinds of their addresses."""
    found = [address for feature in features for address in feature.addresses]
    return OwnFaces(
        {each.path: each.face for each in found if not each.below},
        {each.path: each.face for each in found if each.below},
        tuple(each.audio for each in found if each.audio),
    )


def enabled(features: Iterable[Feature], disabled: Iterable[str]) -> tuple[Feature, ...]:
    """Those that are not switched off, nor built upon one that is or that is not there.

    Raises FeatureError for any other name than that of an optional feature.
    """
    found, off = tuple(features), set(disabled)
    names = {each.name for each in found if each.optional}
    for name in sorted(off - names):
        raise FeatureError(f"There is no feature {name} to disable: {', '.join(sorted(names))}.")
    off |= {need for each in found for need in each.needs} - {each.name for each in found}
    while more := {each.name for each in found if off & {each.name, *each.needs}} - off:
        off |= more
    return tuple(each for each in found if each.name not in off)


def fitting(features: Iterable[Feature]) -> tuple[Feature, ...]:
    """The same. Raises FeatureError where two claim one name, path or command."""
    owners: dict[str, str] = {}
    found = tuple(features)
    for feature in found:
        for claim in feature.claims():
            if (other := owners.setdefault(claim, feature.name)) != feature.name:
                raise FeatureError(f"The features {other} and {feature.name} both claim {claim}.")
    if len({each.name for each in found}) < len(found):
        raise FeatureError("A feature stands twice in the list.")
    return found
