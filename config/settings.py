"""Every setting of Winnow with its type, default and purpose.

A section is a frozen dataclass, a setting a field made by ``setting``. Types: bool, int, float,
str, ``Size`` (bytes), ``Duration`` (seconds), Path | None, a StrEnum, tuple[str, ...].
After a change run ``make settings``: ``default.toml`` is made from this file, and a test compares.
A renamed setting gets a line in ``winnow.config.sources.renamed``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from winnow.config.appearance import AS_DELIVERED, Appearance
from winnow.config.cache_settings import Cache
from winnow.config.feature_settings import AnnotationSettings, FeatureSettings
from winnow.config.learning_settings import LearningSettings
from winnow.config.purpose_settings import PurposeSettings
from winnow.config.server_settings import Server, Upstream
from winnow.config.setting_fields import setting
from winnow.config.sources.units import Duration, Size

T = TypeVar("T")
_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ExtractionSettings:
    """How articles are extracted, and when the original page is shown instead."""

    extractor: str = setting("auto", "The method; `winnow extractors` lists them.")
    format: str = setting(
        "html", "Output format.", choices=("html", "pruned", "text", "markdown", "json", "spans")
    )
    profile: str = setting(
        "reader",
        "Variant of the HTML format: basic for old browsers and small devices, voice for "
        "reading aloud.",
        choices=("reader", "basic", "voice"),
    )
    deadline: Duration = setting(
        5.0, "Time limit for one page, waiting included; then the original is shown.", minimum=0.01
    )
    max_page: Size = setting(
        16 * _MIB, "Maximum size of a page, uncompressed; a larger one is shown unchanged."
    )
    processes: int = setting(
        0, "Number of extraction processes; 0 is one per core.", minimum=0, maximum=256
    )
    max_waiting: int = setting(
        64, "Maximum number of pages that wait; further ones are shown unchanged.", minimum=0
    )
    max_waiting_per_client: int = setting(
        32, "Maximum number of them per user or client address (IPv6: per /64).", minimum=0
    )
    queue_seconds: Duration = setting(
        2.0,
        "Time limit for waiting, part of the deadline; then the original is shown.",
        minimum=0.01,
    )
    start_seconds: Duration = setting(
        5.0,
        "Time that a start waits for extraction processes before Winnow says that it is ready; "
        "a page that comes before the first of them runs is shown unchanged.",
    )
    max_memory: Size = setting(
        1024 * _MIB, "Memory of one process; one that uses more is replaced.", minimum=64 * _MIB
    )
    min_words: int = setting(
        20, "Minimum number of words of an article; below, the original is shown.", minimum=0
    )
    min_confidence: float = setting(
        0.15, "Minimum confidence, 0 to 1; below, the original is shown.", minimum=0, maximum=1
    )
    min_share: float = setting(
        0.03,
        "Minimum share of the visible words, 0 to 1; below, the original is shown.",
        minimum=0,
        maximum=1,
    )
    join_pages: int = setting(
        1, "Maximum number of pages of an article joined to one.", minimum=1, maximum=20
    )
    comments: str = setting(
        "fold",
        "Readers’ comments on an article: folded behind the text, kept in it, or dropped.",
        choices=("fold", "keep", "drop"),
    )
    programs: str = setting(
        "original",
        "What programs that crawl, download or build (wget, pip, python-requests, robots) get by "
        "proxy where they name no format: the original page, or the reader’s as people do.",
        choices=("original", "reader"),
    )
    bar: bool = setting(True, "Show Winnow’s bar at the top of pages.")
    notice: bool = setting(
        True,
        "Show a line on original pages that says why they are shown: extraction failed, or you "
        "chose the original.",
    )


@dataclass(frozen=True, slots=True)
class Gateway:
    """Reading without a proxy setting: ``/https://example.com/story``, and small screens."""

    enabled: bool = setting(True, "Serve pages through the gateway.")
    max_redirects: int = setting(10, "Maximum number of redirects followed.", minimum=0, maximum=30)
    search: str = setting(
        "https://html.duckduckgo.com/html/?q=%s",
        "Search engine for small screens, and first for words that are typed instead of an "
        "address, with %s for the words; empty hides the search box of small screens.",
    )
    page_size: Size = setting(
        12_000, "Text of one page on small screens; longer articles are split.", minimum=2000
    )
    page_budget: Size = setting(
        60_000, "Maximum size of a page on small screens, images included.", minimum=2000
    )
    image_size: Size = setting(11_000, "Maximum size of an image on small screens.", minimum=1000)
    image_width: int = setting(
        240, "Width of images in pixels where a small screen does not send its own.", minimum=64
    )
    history: bool = setting(True, "List recently read pages on small screens.")
    devices: tuple[str, ...] = setting(
        (), "Old machines that get small pages alone; their names are in docs/views.md."
    )


@dataclass(frozen=True, slots=True)
class InterceptionSettings:
    """HTTPS interception: which hosts’ pages are decrypted to be extracted. Off by default."""

    hosts: tuple[str, ...] = setting(
        (), "Hosts to intercept: example.com, *.example.com, or * for all but the exceptions."
    )
    never: tuple[str, ...] = setting((), "Hosts that are never intercepted, in the same notation.")
    exclude_banks: bool = setting(
        True, "Never intercept the banks, payment and tax services on Winnow’s list."
    )
    authority: Path | None = setting(
        None,
        "PEM file with key and certificate of the authority, which several instances share; it "
        "is only read. Empty: made in the storage folder.",
    )
    learn: bool = setting(
        True, "Stop intercepting a host when its app refuses Winnow’s certificate."
    )


class ReachSettings(StrEnum):
    """Who may reach private addresses (routers, printers, this computer)."""

    LOCAL = "local"
    EVERYONE = "everyone"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Access:
    """Who may use Winnow, and which addresses they may reach."""

    users: tuple[str, ...] = setting(
        (), "Users as NAME:HASH (`winnow password NAME`); required to serve other computers."
    )
    api_keys: tuple[str, ...] = setting(
        (),
        "Keys of programs as NAME:HASH (`winnow password NAME`, no dot in the name); "
        "sent as Authorization: Bearer NAME.PASSWORD.",
    )
    saved_keys: tuple[str, ...] = setting(
        (),
        "Keys of api_keys that read saved pages by /-/mcp and do nothing else there, as KEY=USER; "
        "KEY= for those of this computer.",
    )
    admins: tuple[str, ...] = setting(
        (),
        "Users who may change settings for everybody; without any, those on this computer who "
        "need no password.",
    )
    open_to: tuple[str, ...] = setting(
        ("127.0.0.0/8", "::1/128"), "Networks whose clients need no password."
    )
    requests_per_minute: int = setting(
        0,
        "Maximum number of requests a minute of one user or address (IPv6: per /64), in each "
        "server process; further ones get 429. A page with its images is some 40. 0: no limit.",
        minimum=0,
    )
    private_addresses: ReachSettings = setting(
        ReachSettings.LOCAL,
        "Who may reach private addresses: local (clients on this computer), everyone or nobody.",
    )
    private_names: tuple[str, ...] = setting(
        (),
        "Public names that may lead to private addresses, with the names below them: "
        "corp.example. Browsers are asked about others once; see docs/security.md.",
    )
    names: tuple[str, ...] = setting((), "Additional host names of Winnow’s own pages.")


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """Rules for sites, as HOST (all ports) or HOST:PORT; readers’ own choices take precedence."""

    always: tuple[str, ...] = setting(
        (),
        "Sites that are always extracted, even with a poor result: example.com. Forms, "
        "applications and errors stay as they are.",
    )
    tidy: tuple[str, ...] = setting((), "Sites of which pages are tidied, in the same way.")
    never: tuple[str, ...] = setting((), "Sites that are never changed.")
    ignore_no_transform: tuple[str, ...] = setting(
        (), "Sites that are extracted although their responses say no-transform."
    )
    extractors: tuple[str, ...] = setting((), "Methods for sites: example.com=crunch:2.")
    levels: tuple[str, ...] = setting((), "Levels, 1 to 12, for sites: example.com=5.")
    presets: tuple[str, ...] = setting(
        (),
        "Presets on all sites, as USER=PRESET, *=PRESET for everybody: children, library or "
        "low-vision; with ! before it (USER=!PRESET) readers cannot undo it.",
    )
    rules: Path | None = setting(
        None, "TOML file of site rules, with tests that `winnow config check` runs."
    )


@dataclass(frozen=True, slots=True)
class Ads:
    """Filter lists of advertisements, for Crunch’s levels 1 to 11 or for everything. None is
    included."""

    lists: tuple[str, ...] = setting(
        (),
        "Hosts files or Adblock lists: files or addresses, such as https://example.com/list.txt.",
    )
    refresh: Duration = setting(86400.0, "Time between updates of the lists.", minimum=60)
    block: bool = setting(
        False,
        "Use the lists for every method, and refuse requests for what they name. Sites that are "
        "never changed are not affected.",
    )


@dataclass(frozen=True, slots=True)
class StorageSettings:
    """Where Winnow stores its data."""

    folder: Path | None = setting(
        None, "Folder of the certificate authority and choices; empty is the user data folder."
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """All sections, with their defaults; ``of_features``: those that features bring."""

    server: Server = field(default_factory=Server)
    upstream: Upstream = field(default_factory=Upstream)
    extraction: ExtractionSettings = ExtractionSettings()
    purposes: PurposeSettings = field(default_factory=PurposeSettings)
    appearance: Appearance = AS_DELIVERED
    gateway: Gateway = Gateway()
    interception: InterceptionSettings = InterceptionSettings()
    access: Access = Access()
    sites: SiteSettings = SiteSettings()
    learning: LearningSettings = field(default_factory=LearningSettings)
    ads: Ads = Ads()
    storage: StorageSettings = StorageSettings()
    cache: Cache = field(default_factory=Cache)
    annotation: AnnotationSettings = field(default_factory=AnnotationSettings)
    features: FeatureSettings = field(default_factory=FeatureSettings)
    of_features: tuple[Any, ...] = ()

    def of(self, section: type[T]) -> T:
        """A feature's section; its defaults where the feature was not asked for any."""
        return next((each for each in self.of_features if isinstance(each, section)), section())
