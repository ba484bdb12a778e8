"""TLS with origins resumed by the session of an earlier connection (RFC 8446, section 2.2)."""

from __future__ import annotations

import asyncio
import ssl
from typing import Final

from cachetools import TTLCache

SESSION_SECONDS: Final = 3600.0
"""How long a session is used: until then the certificate is not sent and verified again."""
TICKET_SECONDS: Final = 1.0
"""After the handshake, when tickets have come (section 4.6.1)."""
SESSIONS: Final = 1024


class TlsSessions:
    """Has a client's context offer each host the last session with it.

    asyncio and uvloop take no session, but have their TLS made by the context's ``wrap_bio``.
    """

    def __init__(self, context: ssl.SSLContext) -> None:
        self._wrap_bio = context.wrap_bio
        self._sessions: TTLCache[str, ssl.SSLSession] = TTLCache(SESSIONS, SESSION_SECONDS)
        setattr(context, "wrap_bio", self._wrap)  # noqa: B010  # mypy refuses a method's assignment

    def _wrap(
        self,
        incoming: ssl.MemoryBIO,
        outgoing: ssl.MemoryBIO,
        server_side: bool = False,
        server_hostname: str | bytes | None = None,
    ) -> ssl.SSLObject:
        host = str(server_hostname)
        session = self._sessions.get(host)
        wrapped = self._wrap_bio(incoming, outgoing, server_side, server_hostname, session)
        asyncio.get_running_loop().call_later(TICKET_SECONDS, self._keep, host, wrapped)
        return wrapped

    def _keep(self, host: str, wrapped: ssl.SSLObject) -> None:
        """Keep a connection's session; a handshake that failed or goes on has none."""
        if wrapped.cipher() is None:
            return  # OpenSSL cannot copy a session before the server has chosen a cipher
        session = wrapped.session
        if session is not None and session.has_ticket:
            self._sessions[host] = session
