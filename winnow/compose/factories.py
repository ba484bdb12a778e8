"""Single objects made from the settings."""

from __future__ import annotations

import math
import os
import resource
import sys
from typing import Final

from winnow.compose.policies import (
    parent_of,
    permits,
)
from winnow.config.errors import ConfigError
from winnow.config.settings import Settings
from winnow.document.purposes import treatments_of
from winnow.feature_list import extractors_of
from winnow.jobs.pool import Pool, PoolLimits
from winnow.jobs.quality import QualityLimits
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.request.device_profiles import OLD_MACHINES
from winnow.proxy.http.content_coding import DecodingBounds
from winnow.proxy.server.connection_limits import ConnectionLimits
from winnow.proxy.upstream.connections.connection_limit import ConnectionLimit
from winnow.proxy.upstream.connections.connection_pool import IdleConnections
from winnow.proxy.upstream.connections.connector import Connector
from winnow.proxy.upstream.connections.origin_tls import OriginTls
from winnow.proxy.upstream.connections.resolver import Resolver
from winnow.proxy.upstream.http2_pool import Http2Pool
from winnow.proxy.upstream.origin_client import OriginClient
from winnow.proxy.upstream.response_limits import OriginTimeouts
from winnow.transforms.pooled import worker_command
from winnow.usual_recipe import recipe_of

RETURNED: Final = {"MALLOC_MMAP_THRESHOLD_": "262144"}
"""Has glibc give what a large page took back to the system: 142 MB instead of 170 after 3,000 pages
of wcxb-dev in one process, at the same CPU time. By itself it would keep it, in pieces."""


def policy_of(settings: Settings, own_names: frozenset[str], name: str) -> Policy:
    """What of the settings decides over requests."""
    extraction = settings.extraction
    return Policy(
        name=name,
        own_names=own_names,
        recipe=recipe_of(settings),
        treatments=treatments_of(settings.purposes),
        bounds=DecodingBounds(bytes=extraction.max_page),
        largest_body=extraction.max_page,
        gather_seconds=settings.upstream.page_timeout,
        gateway=settings.gateway.enabled,
        devices=_machines(settings.gateway.devices),
        spares_programs=extraction.programs == "original",
        page_names=settings.access.names,
        permit_for=permits(settings),
        traced_hosts=frozenset(settings.upstream.traced_hosts),
    )


def _machines(named: tuple[str, ...]) -> tuple[str, ...]:
    """Raises ConfigError for a machine that is not known."""
    known = [name for name, _, _ in OLD_MACHINES]
    if unknown := set(named).difference(known):
        raise ConfigError(f"gateway.devices: {unknown.pop()!r} is none of {', '.join(known)}.")
    return named


def pool_of(settings: Settings, *, patient: bool = False) -> Pool:
    """Processes that extract; ``patient``: pages wait for one as long as it takes."""
    extraction = settings.extraction
    standard = QualityLimits.of(extraction)
    limits = PoolLimits(
        workers=extraction.processes or os.cpu_count() or 1,
        waiting=extraction.max_waiting,
        waiting_each=extraction.max_waiting_per_client,
        queue_seconds=math.inf if patient else extraction.queue_seconds,
        deadline=extraction.deadline,
    )
    # NumPy's BLAS reserves address space and threads per core; a worker needs one of each.
    environment = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", **RETURNED}
    given = extraction.max_memory, extraction.extractor, extractors_of(settings.features)
    return Pool(worker_command(standard, *given), limits, environment)


def client_of(settings: Settings, resolver: Resolver | None = None) -> OriginClient:
    upstream = settings.upstream
    connector = Connector(
        resolver or Resolver(upstream.dns_cache, upstream.system_names),
        trust(settings),
        upstream.connect_timeout,
        parent_of(settings),
        frozenset(upstream.refused_ports),
    )
    idle = IdleConnections(
        upstream.keepalive, upstream.pool_per_host, min(upstream.pool_size, open_files() // 4)
    )
    timeouts = OriginTimeouts(upstream.read_timeout, upstream.read_timeout * 10)
    limit = ConnectionLimit(upstream.connections_per_host, upstream.connect_timeout)
    return OriginClient(connector, idle, timeouts, Http2Pool(upstream.keepalive), limit)


def open_files() -> int:
    """How many files and sockets this process may have open (RLIMIT_NOFILE)."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft


def trust(settings: Settings) -> OriginTls:
    """Whose certificates origins may show: the system's, or those of ``upstream.ca_bundle``."""
    upstream = settings.upstream
    bundles = (str(upstream.ca_bundle),) if upstream.ca_bundle else ()
    return OriginTls.trusting(*bundles, http2=upstream.http2)


def limit_connections(connection_limits: ConnectionLimits, settings: Settings) -> None:
    """Limit the connections as the settings say, and so that files are left for origins."""
    most, wanted = open_files() // 3, settings.server.connections
    by_files = not wanted or wanted > most
    connection_limits.most = most if by_files else wanted
    connection_limits.name = "open_files" if by_files else "connections"
    connection_limits.most_each = settings.server.connections_per_client
