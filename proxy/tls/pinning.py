"""Detects clients with certificate pinning, which are tunnelled afterwards."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, NamedTuple

from cachetools import TTLCache

from winnow.jobs.small_gateway import OWN_NAME
from winnow.proxy.stores.choice_store import ChoiceStore
from winnow.proxy.stores.choices import (
    PassThrough,
)
from winnow.proxy.stores.site_keys import host_key
from winnow.proxy.stores.store_errors import StoreError

_ALERTS = {
    "SSLV3_ALERT_BAD_CERTIFICATE": "bad-certificate",
    "SSLV3_ALERT_UNSUPPORTED_CERTIFICATE": "unsupported-certificate",
    "SSLV3_ALERT_CERTIFICATE_REVOKED": "certificate-revoked",
    "SSLV3_ALERT_CERTIFICATE_EXPIRED": "certificate-expired",
    "SSLV3_ALERT_CERTIFICATE_UNKNOWN": "certificate-unknown",
    "TLSV1_ALERT_UNKNOWN_CA": "unknown-ca",
    "TLSV1_ALERT_ACCESS_DENIED": "access-denied",
    "TLSV1_BAD_CERTIFICATE_STATUS_RESPONSE": "bad-certificate-status",
    "TLSV1_BAD_CERTIFICATE_HASH_VALUE": "bad-certificate-hash",
}
"""OpenSSL's names of the alerts by which a client refuses a certificate (RFC 8446, section 6.2)."""


def refusal_alert(error: BaseException | None) -> str | None:
    """The alert by which the client refused our certificate, or None for another error."""
    if not isinstance(error, ssl.SSLError):
        return None
    return _ALERTS.get(error.reason or "")


_LOG = logging.getLogger("winnow.pinning")
_CACHED_SECONDS: Final = 86_400.0
_SILENCE_SECONDS: Final = 60.0
_CHECK_SECONDS: Final = 300.0
_SILENT_REFUSALS: Final = 2
"""Some clients close without an alert; a single time may be a closed tab."""
REFUSALS_AFTER_ACCEPTANCE: Final = 3
"""In a row: a client may have the fingerprint of one that accepted the host's certificate."""


class TlsClient(NamedTuple):
    """A client program: its IP address and the fingerprint of its ClientHello."""

    address: str
    hello: str


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass
class PinningDetector:
    """Stores which clients refuse our certificate for which host, until that expires."""

    store: ChoiceStore
    learn: bool = True
    now: Callable[[], datetime] = _now
    _accepting: TTLCache[TlsClient, bool] = field(
        default_factory=lambda: TTLCache(4096, _CACHED_SECONDS)
    )
    _refused_since: TTLCache[tuple[TlsClient, str], int] = field(
        default_factory=lambda: TTLCache(16_384, _CACHED_SECONDS)
    )
    _silent: TTLCache[tuple[TlsClient, str], int] = field(
        default_factory=lambda: TTLCache(1024, _SILENCE_SECONDS)
    )
    _checked: TTLCache[TlsClient, bool] = field(
        default_factory=lambda: TTLCache(1024, _CHECK_SECONDS)
    )

    def passes(self, client: TlsClient, host: str) -> bool:
        """Whether the client refused our certificate for ``host`` lately."""
        return host != OWN_NAME and self.store.now.passes(host, *client, self.now())

    async def accepted(self, client: TlsClient, host: str) -> None:
        """A client completed a handshake with our certificate.

        For our own name this shows that it trusts the authority: what it refused before it had ever
        accepted a certificate is removed.
        """
        self._accepting[client] = True
        self._refused_since[client, host_key(host)] = 0
        self._silent.pop((client, host), None)
        if host == OWN_NAME:
            self._checked[client] = True
            await self._remove(self.store.now.refused_by(*client, doubtful=True))

    async def checked(self, address: str) -> None:
        """A client at this address passed the certificate check over HTTPS.

        All that this program refused is removed, not what others at the address refused.
        """
        for client in [each for each in self._checked if each.address == address]:
            await self._remove(self.store.now.refused_by(*client))

    async def failed(self, client: TlsClient, host: str, error: BaseException | None) -> None:
        """A handshake failed with ``error``, or the connection ended with it right after."""
        reason = refusal_alert(error) or self._silent_refusal(client, host, error)
        if reason is None or not self.learn or host == OWN_NAME:
            return
        if self._accepted_before(client, host):
            return
        _LOG.info("A client at %s refuses our certificate for %s (%s).", client[0], host, reason)
        sure = client in self._accepting
        await _log_errors(self.store.learn(PassThrough(host, reason, self.now(), sure, *client)))

    def _accepted_before(self, client: TlsClient, host: str) -> bool:
        """Whether it accepted the host's certificate lately and has rarely refused it since."""
        key = client, host_key(host)
        if key not in self._refused_since:
            return False
        self._refused_since[key] += 1
        return self._refused_since[key] < REFUSALS_AFTER_ACCEPTANCE

    def _silent_refusal(
        self, client: TlsClient, host: str, error: BaseException | None
    ) -> str | None:
        if not isinstance(error, ConnectionError):
            return None
        self._silent[client, host] = self._silent.get((client, host), 0) + 1
        return "closed-twice" if self._silent[client, host] >= _SILENT_REFUSALS else None

    async def _remove(self, keys: frozenset[str]) -> None:
        if keys:
            await _log_errors(self.store.unlearn(keys))


async def _log_errors(change: Awaitable[None]) -> None:
    try:
        await change
    except StoreError as error:
        _LOG.warning("%s", error)
