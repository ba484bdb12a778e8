"""Every setting of Winnow with its type, default and purpose; knows not where values come from.

A section is a frozen dataclass, a setting a field made by ``setting``. Types: bool, int, float,
str, ``Size`` (bytes), ``Duration`` (seconds), Path | None, a StrEnum, tuple[str, ...].
After a change run ``make settings``: ``default.toml`` is made from this file, and a test compares.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from winnow.config.appearance import AS_DELIVERED, Appearance
from winnow.config.ports import REFUSED_PORTS
from winnow.config.setting_fields import setting
from winnow.config.units import Duration, Size

_MIB = 1024 * 1024


class LogFormat(StrEnum):
    """How a log line looks; ``auto`` is text on a terminal, JSON elsewhere."""

    AUTO = "auto"
    TEXT = "text"
    JSON = "json"


class LogLevel(StrEnum):
    """The least important event that is still logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Server:
    """Where Winnow listens, and how it tells what it does."""

    host: str = setting(
        "127.0.0.1", "Address to listen on. 127.0.0.1 serves this computer alone; 0.0.0.0 everyone."
    )
    port: int = setting(8080, "Port to listen on; 0 takes a free one.", minimum=0, maximum=65535)
    workers: int = setting(
        1,
        "Processes that answer, all on that port; one that ends is replaced.",
        minimum=1,
        maximum=64,
    )
    connections: int = setting(
        4096,
        "Most connections of clients; further ones are told to try again. 0 is no bound.",
        minimum=0,
    )
    connections_each: int = setting(
        2048,
        "Most of them from one address, which may be that of a whole school; 0 is no bound.",
        minimum=0,
    )
    tls_cert: Path | None = setting(
        None, "PEM certificate chain: Winnow then listens with TLS, so that passwords are hidden."
    )
    tls_key: Path | None = setting(None, "PEM key of that certificate.")
    tunnel_idle: Duration = setting(
        3600.0,
        "How long a tunnel (CONNECT) or an upgraded connection may be silent before it is ended.",
        minimum=1,
    )
    shutdown_grace: Duration = setting(
        10.0, "How long running requests may finish once Winnow is told to stop."
    )
    log_format: LogFormat = setting(
        LogFormat.AUTO, "How a log line looks: auto is text on a terminal and JSON elsewhere."
    )
    log_level: LogLevel = setting(LogLevel.INFO, "The least important event that is logged.")
    log_requests: bool = setting(
        False,
        "Whether each request is a line of the log: what was done and how long it took, no "
        "address and no client.",
    )


@dataclass(frozen=True, slots=True)
class Upstream:
    """How Winnow talks to the servers that it fetches from."""

    connect_timeout: Duration = setting(10.0, "Longest wait for a connection, TLS included.")
    read_timeout: Duration = setting(
        60.0,
        "Longest silence before an answer, and longest time for its header; within its body the "
        "silence may be ten times as long.",
    )
    page_timeout: Duration = setting(
        60.0, "Longest time for a whole page; a slower one passes unchanged. Downloads may last."
    )
    refused_ports: tuple[int, ...] = setting(
        REFUSED_PORTS,
        "Ports that are never connected to, by CONNECT either: those of mail, databases and other "
        "services that a page could misuse Winnow to talk to.",
    )
    pool_size: int = setting(1024, "Idle connections kept for reuse, to all servers.", minimum=1)
    pool_per_host: int = setting(256, "Idle connections kept for reuse, to one server.", minimum=1)
    keepalive: Duration = setting(30.0, "How long an idle connection is kept for reuse.")
    dns_cache: Duration = setting(300.0, "How long a resolved name is remembered.")
    ca_bundle: Path | None = setting(
        None, "File of PEM certificates to trust instead of the system's; empty is the system's."
    )
    proxy: str = setting("", "Next proxy, such as http://127.0.0.1:3128; empty connects directly.")
    no_proxy: tuple[str, ...] = setting(
        ("localhost", "127.0.0.0/8", "::1/128"),
        "Hosts and networks reached without that proxy: example.com, *.example.com, 10.0.0.0/8.",
    )


@dataclass(frozen=True, slots=True)
class ExtractionSettings:
    """How a page becomes its article, and when it is left alone instead."""

    extractor: str = setting("auto", "The method, as `winnow extractors` lists them.")
    format: str = setting(
        "html",
        "How the article is shown.",
        choices=("html", "pruned", "text", "markdown", "json", "spans"),
    )
    profile: str = setting(
        "reader",
        "For whom: basic is for old browsers and small devices, voice for reading aloud.",
        choices=("reader", "basic", "voice"),
    )
    deadline: Duration = setting(
        5.0,
        "Longest time for one page, its wait included; after it the original is shown.",
        minimum=0.01,
    )
    max_page: Size = setting(
        16 * _MIB, "Largest page, freed of gzip and the like; a larger one passes unchanged."
    )
    processes: int = setting(
        0, "Processes that extract; 0 is one for each core.", minimum=0, maximum=256
    )
    max_waiting: int = setting(
        64, "Pages that may wait for a free process; further ones pass unchanged.", minimum=0
    )
    max_waiting_each: int = setting(
        32, "Of these, most pages of one user or client address (of IPv6, one /64).", minimum=0
    )
    queue_seconds: Duration = setting(
        2.0,
        "Longest wait for a free process, which counts in the deadline; after it the original is "
        "shown.",
        minimum=0.01,
    )
    max_memory: Size = setting(
        1024 * _MIB, "Memory of one such process; at more it is replaced.", minimum=64 * _MIB
    )
    min_words: int = setting(
        20, "Fewest words an article may have; below, the original is shown.", minimum=0
    )
    min_confidence: float = setting(
        0.15, "Least confidence, 0 to 1; below, the original is shown.", minimum=0, maximum=1
    )
    min_share: float = setting(
        0.03,
        "Least share of the visible words, 0 to 1; below, the original is shown.",
        minimum=0,
        maximum=1,
    )
    join_pages: int = setting(
        1, "Most pages of an article shown as one; 1 joins none.", minimum=1, maximum=20
    )
    bar: bool = setting(True, "Whether a page carries Winnow's bar at its top.")


@dataclass(frozen=True, slots=True)
class Gateway:
    """The face for devices without a proxy setting: ``/https://example.com/story``."""

    enabled: bool = setting(True, "Whether addresses may be read through the gateway.")
    max_redirects: int = setting(10, "Redirects followed for one address.", minimum=0, maximum=30)
    search: str = setting(
        "https://html.duckduckgo.com/html/?q=%s",
        "Address of the search box on small screens, %s where the words go; empty has no search.",
    )
    page_size: Size = setting(
        12_000, "Text of one page on small screens; longer ones are split.", minimum=2000
    )
    page_budget: Size = setting(
        60_000, "Most bytes of a page on small screens, its images included.", minimum=2000
    )
    image_size: Size = setting(11_000, "Largest image on small screens.", minimum=1000)
    image_width: int = setting(
        240, "Width in pixels of images for small screens that tell no width.", minimum=64
    )
    history: bool = setting(True, "Whether small screens list the pages read lately.")


class ReachSettings(StrEnum):
    """For whom private addresses (routers, printers, this computer) are reached."""

    LOCAL = "local"
    EVERYONE = "everyone"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class InterceptionSettings:
    """Whose HTTPS is opened, so that its pages can be read too; nobody's unless asked for."""

    hosts: tuple[str, ...] = setting(
        (), "Hosts whose HTTPS is opened: example.com, *.example.com, or * for all but the spared."
    )
    never: tuple[str, ...] = setting((), "Hosts whose HTTPS is never opened, written likewise.")
    spare_banks: bool = setting(
        True, "Whether banks, payment and tax services that Winnow knows are spared as well."
    )
    learn: bool = setting(
        True, "Whether a host whose app refuses Winnow's certificate is spared from then on."
    )


@dataclass(frozen=True, slots=True)
class Access:
    """Who may use Winnow, and what it reaches for them."""

    users: tuple[str, ...] = setting(
        (), "Users as NAME:HASH, made by `winnow password NAME`; needed beyond this computer."
    )
    api_keys: tuple[str, ...] = setting(
        (),
        "Keys of programs as NAME:HASH, made by `winnow password NAME` (a name without a dot); "
        "sent as Authorization: Bearer NAME.PASSWORD.",
    )
    admins: tuple[str, ...] = setting(
        (),
        "Users who may choose for everybody; without any users: whoever is on this computer.",
    )
    open_to: tuple[str, ...] = setting(
        ("127.0.0.0/8", "::1/128"), "Networks whose clients need no password."
    )
    private_addresses: ReachSettings = setting(
        ReachSettings.LOCAL,
        "Who reaches private addresses: local (clients on this computer), everyone or nobody.",
    )
    names: tuple[str, ...] = setting(
        (), "Further host names under which Winnow's own pages may be opened."
    )


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """Rules for single sites (HOST: at all ports, HOST:PORT: at one); readers' choices go first."""

    always: tuple[str, ...] = setting(
        (), "Sites whose pages are always extracted, even where that seems poor: example.com."
    )
    never: tuple[str, ...] = setting((), "Sites whose pages are never changed.")
    anyway: tuple[str, ...] = setting(
        (), "Sites whose pages are extracted although they say no-transform."
    )
    extractors: tuple[str, ...] = setting(
        (), "Methods for single sites, written example.com=crunch:2."
    )
    levels: tuple[str, ...] = setting((), "Levels, 1 to 12, for single sites: example.com=5.")
    rules: Path | None = setting(
        None,
        "TOML file of rules for single sites, with tests that `winnow config check` runs.",
    )


@dataclass(frozen=True, slots=True)
class LearningSettings:
    """What pages teach of their sites while they are read; see docs/layouts.md."""

    enabled: bool = setting(
        True,
        "Whether pages teach what is the same on all pages of their site. Keyed hashes, numbers "
        "and the sites' names are kept, on this computer; no text.",
    )
    pages: int = setting(
        8, "Pages of one layout from which on what they taught is used.", minimum=2
    )
    private_hosts: bool = setting(
        False, "Whether private hosts (routers, intranets, names without a dot) teach too."
    )
    words: bool = setting(
        False,
        "Whether mss-site may learn from the pages it shows: the last pages of a site are kept in "
        "memory as keyed hashes of their words, in order and never on disk; what is kept on disk "
        "are counts of such hashes.",
    )
    last_pages: int = setting(50, "Pages of a site that are kept so.", minimum=2, maximum=500)
    sites: int = setting(
        300, "Sites that are kept, the latest read; 64 kB each at most.", minimum=1
    )
    days: int = setting(30, "Days after which a site that is not read is forgotten.", minimum=1)
    redis: str = setting(
        "",
        "Address of a Redis in which several Winnows share what they learn, such as "
        "redis://127.0.0.1:6379/0; empty keeps it in the storage folder.",
    )


@dataclass(frozen=True, slots=True)
class Ads:
    """Lists of advertisements that Crunch's levels 1 to 11 take away; Winnow ships none."""

    lists: tuple[str, ...] = setting(
        (),
        "Hosts files or Adblock lists: files or addresses, such as https://example.com/list.txt.",
    )
    refresh: Duration = setting(
        86400.0, "How often lists at addresses are asked after.", minimum=60
    )


@dataclass(frozen=True, slots=True)
class StorageSettings:
    """Where Winnow keeps what it must remember."""

    folder: Path | None = setting(
        None, "Folder of the local authority and your choices; empty is your user data folder."
    )
    redis: str = setting(
        "",
        "Redis by which several instances share choices, bookmarks, forms and failed log-ins, such "
        "as redis://127.0.0.1:6379/0; empty keeps them in the folder.",
    )


@dataclass(frozen=True, slots=True)
class AnnotationSettings:
    """Pages marked in the browser as test packages: /-/annotate, for users and this computer."""

    folder: Path | None = setting(
        None, "Folder that gets a package for each annotator; empty turns annotation off."
    )


class CacheMode(StrEnum):
    """For whom the cache is (RFC 9111): ``private`` may keep what is meant for one person."""

    SHARED = "shared"
    PRIVATE = "private"


@dataclass(frozen=True, slots=True)
class Cache:
    """What is kept, so that nothing is fetched or extracted twice."""

    enabled: bool = setting(True, "Keep origins' replies as HTTP's caching rules allow.")
    mode: CacheMode = setting(
        CacheMode.SHARED, "Whose replies are kept: shared is safe for all, private keeps yours too."
    )
    private_cache: bool = setting(
        False,
        "One person, or one household that trusts each other, uses this Winnow: cookies that sites "
        "set are kept with replies, and what was asked for with cookies may be shared by guess.",
    )
    memory: Size = setting(64 * _MIB, "Most memory for replies.", minimum=_MIB)
    disk: Size = setting(
        0, "Most disk space for replies, which then survive a restart; 0 keeps them in memory only."
    )
    redis: str = setting(
        "",
        "Address of a Redis that several Winnows share replies and extracted pages in, such as "
        "redis://127.0.0.1:6379/0; "
        "empty shares nothing.",
    )
    redis_timeout: Duration = setting(
        0.25, "Longest wait for Redis; a slower one counts as empty.", minimum=0.01
    )
    largest_reply: Size = setting(4 * _MIB, "Largest reply that is kept.", minimum=1024)
    renderings: Size = setting(32 * _MIB, "Most memory for extracted pages; 0 keeps none.")


@dataclass(frozen=True, slots=True)
class Settings:
    """All sections; ``Settings()`` holds the defaults."""

    server: Server = Server()
    upstream: Upstream = Upstream()
    extraction: ExtractionSettings = ExtractionSettings()
    looks: Appearance = AS_DELIVERED
    gateway: Gateway = Gateway()
    interception: InterceptionSettings = InterceptionSettings()
    access: Access = Access()
    sites: SiteSettings = SiteSettings()
    learning: LearningSettings = LearningSettings()
    ads: Ads = Ads()
    storage: StorageSettings = StorageSettings()
    cache: Cache = Cache()
    annotation: AnnotationSettings = AnnotationSettings()
