"""What is learned from clients that take or refuse our certificate; knows no connection."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from cachetools import TTLCache

from proxy.access.origins import OWN_NAME
from proxy.stores.choices import ChoiceStore
from proxy.stores.errors import StoreError
from proxy.stores.remembered import PassThrough
from proxy.tls.refusals import refusal

_LOG = logging.getLogger("winnow.lessons")
_REMEMBERED_SECONDS = 3600.0
_SILENCE_SECONDS = 60.0
_SILENT_REFUSALS = 2
"""Some clients close without an alert; once alone may be a tab that was closed."""


@dataclass
class Lessons:
    """A host whose client refuses our certificate is tunnelled from then on."""

    store: ChoiceStore
    learn: bool = True
    _accepting: TTLCache[str, bool] = field(
        default_factory=lambda: TTLCache(1024, _REMEMBERED_SECONDS)
    )
    _silent: TTLCache[tuple[str, str], int] = field(
        default_factory=lambda: TTLCache(1024, _SILENCE_SECONDS)
    )

    async def accepted(self, client: str, host: str) -> None:
        """A client took our certificate.

        On our own page it shows thereby that its set-up is complete: what was learned from clients
        that did not know our authority yet says nothing of the hosts, and is forgotten.
        """
        self._accepting[client] = True
        self._silent.pop((client, host), None)
        doubtful = self.store.now.doubtful()
        if host == OWN_NAME and doubtful:
            await _kept(self.store.unlearn(doubtful))

    async def failed(self, client: str, host: str, error: BaseException | None) -> None:
        """A handshake failed with ``error``, or a connection ended with it right after."""
        reason = refusal(error) or self._silently(client, host, error)
        if reason is None or not self.learn or host == OWN_NAME:
            return
        _LOG.info("A client refuses our certificate for %s (%s): spared from now on.", host, reason)
        entry = PassThrough(host, reason, datetime.now(UTC), sure=client in self._accepting)
        await _kept(self.store.learn(entry))

    def _silently(self, client: str, host: str, error: BaseException | None) -> str | None:
        if not isinstance(error, ConnectionError):
            return None
        self._silent[client, host] = self._silent.get((client, host), 0) + 1
        return "closed-twice" if self._silent[client, host] >= _SILENT_REFUSALS else None


async def _kept(change: Awaitable[None]) -> None:
    try:
        await change
    except StoreError as error:
        _LOG.warning("%s", error)
