"""The settings of listening, of the log, and of connections to origin servers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from winnow.config.setting_fields import setting
from winnow.config.sources.units import Duration, Size

BAD_PORTS: Final = (
    *(7, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102),
    *(103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427),
    *(465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989),
    *(990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665),
    *(6666, 6667, 6668, 6669, 6679, 6697, 10080),
)
"""What browsers refuse (WHATWG Fetch, "port blocking"), without 0, tcpmux (1) and discard (9)."""
DATABASE_PORTS: Final = (
    *(1433, 1434, 1521, 2379, 2380, 3306, 5432, 6379, 7687, 9042, 9200, 9300, 11211, 27017),
    *(27018, 27019),
)
"""Databases, caches and their like: MS SQL, Oracle, etcd, MySQL, PostgreSQL, Redis, Neo4j,
Cassandra, Elasticsearch, Memcached, MongoDB."""
REFUSED_PORTS: Final = tuple(sorted((*BAD_PORTS, *DATABASE_PORTS)))


_MIB = 1024 * 1024


class LogFormat(StrEnum):
    """``auto`` is text on a terminal, JSON elsewhere."""

    AUTO = "auto"
    TEXT = "text"
    JSON = "json"


class LogLevel(StrEnum):
    """The lowest level that is logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class ClientAddressSource(StrEnum):
    """Where the address of a client behind ``server.trusted_proxies`` is from; never guessed."""

    PROXY_PROTOCOL = "proxy-protocol"
    FORWARDED = "forwarded"
    X_FORWARDED_FOR = "x-forwarded-for"


@dataclass(frozen=True, slots=True)
class Server:
    """The listening address, limits of connections, and the log."""

    host: str = setting(
        "127.0.0.1", "Address to listen on: 127.0.0.1 for this computer only, 0.0.0.0 for all."
    )
    port: int = setting(8080, "Port to listen on; 0 chooses a free one.", minimum=0, maximum=65535)
    transparent_port: int = setting(
        0,
        "Port for connections that this computer’s packet filter redirects to it (Linux; "
        "docs/https.md), at the same address. 0: none.",
        minimum=0,
        maximum=65535,
    )
    processes: int = setting(
        1, "Server processes that share the port; one that ends is replaced.", minimum=1, maximum=64
    )
    connections: int = setting(
        4096, "Maximum number of client connections; further ones get 503. 0: no limit.", minimum=0
    )
    connections_per_client: int = setting(
        2048,
        "Maximum number of connections from one address, which many people may share. 0: no limit.",
        minimum=0,
    )
    request_memory: Size = setting(
        512 * _MIB,
        "Memory for all that clients make Winnow hold before they have an answer: heads, bodies "
        "and pages of requests under way. Beyond it a request gets 503, a page is sent as it is. "
        "0: no limit.",
    )
    request_memory_per_client: Size = setting(
        64 * _MIB,
        "Of this, for one client: a user where one is known, else an address. Beyond it 413 or "
        "431, or the page as it is. 0: no limit.",
    )
    trusted_proxies: tuple[str, ...] = setting(
        (),
        "Addresses or networks of your load balancers, which name the client of a connection or "
        "request; all other computers are clients themselves.",
    )
    client_address: ClientAddressSource = setting(
        ClientAddressSource.PROXY_PROTOCOL,
        "How they name it: proxy-protocol (each of their connections begins with a PROXY header, "
        "version 1 or 2), forwarded (RFC 7239) or x-forwarded-for.",
    )
    tls_cert: Path | None = setting(
        None, "PEM certificate chain: Winnow then listens with TLS, which protects passwords."
    )
    tls_key: Path | None = setting(None, "PEM private key of that certificate.")
    http2: bool = setting(True, "Offer HTTP/2 to clients: by TLS, and without by prior knowledge.")
    tunnel_idle: Duration = setting(
        3600.0, "Idle time after which a tunnel or an upgraded connection is closed.", minimum=1
    )
    drain: Duration = setting(
        0.0,
        "Time after SIGTERM in which Winnow still accepts connections but says at `/-/ready` that "
        "it stops, so that a load balancer sends no more. 0: no load balancer.",
    )
    shutdown_grace: Duration = setting(10.0, "Time for running requests to finish at shutdown.")
    handover_grace: Duration = setting(
        86400.0,
        "Time for downloads, tunnels and all else that has begun to end in the old process, after "
        "`winnow restart` has started a new one.",
    )
    log_format: LogFormat = setting(
        LogFormat.AUTO, "Format of the log: auto is text on a terminal and JSON elsewhere."
    )
    log_level: LogLevel = setting(LogLevel.INFO, "Lowest level that is logged.")
    activity: bool = setting(
        True,
        "List the pages opened last at `/-/activity`: in memory, for programs on this computer and "
        "users who signed in, to each its own.",
    )
    log_requests: bool = setting(
        False, "Log each request: result and duration, without its address and client."
    )


@dataclass(frozen=True, slots=True)
class Upstream:
    """Connections to origin servers."""

    connect_timeout: Duration = setting(10.0, "Time limit for connecting, TLS included.")
    read_timeout: Duration = setting(
        60.0,
        "Time limit for the header of a response. Its body may pause for ten times as long.",
    )
    page_timeout: Duration = setting(
        60.0, "Time limit for a whole page; a slower one is not extracted. Not for downloads."
    )
    refused_ports: tuple[int, ...] = setting(
        REFUSED_PORTS,
        "Ports that Winnow never connects to, CONNECT included: mail, databases and other services "
        "that a web page could misuse Winnow to reach.",
    )
    pool_size: int = setting(1024, "Maximum number of idle connections.", minimum=1)
    pool_per_host: int = setting(256, "Maximum number of idle connections to one host.", minimum=1)
    connections_per_host: int = setting(
        1024,
        "Maximum number of connections to one origin for each server process, tunnels and "
        "WebSockets apart; further requests wait for `upstream.connect_timeout`. 0: no limit.",
        minimum=0,
    )
    keepalive: Duration = setting(30.0, "Time after which an idle connection is closed.")
    http2: bool = setting(True, "Offer HTTP/2 to origins; those that prefer HTTP/1.1 get that.")
    dns_cache: Duration = setting(
        300.0,
        "Longest time for which a resolved name is cached; its TTL where that is shorter. Where no "
        "name server answers, the old address is used for a day.",
    )
    traced_hosts: tuple[str, ...] = setting(
        (),
        "Hosts of your own that are sent a request’s traceparent, tracestate and baggage; other "
        "sites could join a reader’s visits by these fields.",
    )
    system_names: tuple[str, ...] = setting(
        (),
        "Zones whose names the system resolves by its own rules, such as a VPN’s; `*` for all. "
        "Names without a dot, `.local` and `home.arpa` always are; all others are asked of the "
        "system’s name servers.",
    )
    ca_bundle: Path | None = setting(
        None, "PEM file of trusted certificate authorities; empty uses the system’s."
    )
    proxy: str = setting(
        "", "Upstream proxy, such as http://127.0.0.1:3128; empty connects directly."
    )
    no_proxy: tuple[str, ...] = setting(
        ("localhost", "127.0.0.0/8", "::1/128"),
        "Hosts and networks reached without that proxy: example.com, *.example.com, 10.0.0.0/8.",
    )
