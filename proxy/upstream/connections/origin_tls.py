"""TLS with origins: contexts, who requested a client certificate, errors of handshakes."""

from __future__ import annotations

import asyncio
import ssl
from dataclasses import dataclass, field

from cachetools import TTLCache

from winnow.proxy.http.client_context import context_without_authorities
from winnow.proxy.http.proxy_errors import (
    OriginCertificateError,
    OriginFaultError,
    OriginUnreachableError,
)
from winnow.proxy.http.request_target import Origin
from winnow.proxy.http.sentences import says

_HANDSHAKE = 22
_CERTIFICATE_REQUEST = 13
"""Of RFC 8446: ContentType (section 5.1) and HandshakeType (section 4)."""


class SystemAuthorities:
    """Loads the system's authorities into contexts that lack them, once for each.

    Only when a context is first used, and in a thread: 17 ms of CPU and 1 MB each.
    """

    def __init__(self, *lacking: ssl.SSLContext) -> None:
        self._lacking = set(lacking)
        self._loading = asyncio.Lock()

    async def load_into(self, context: ssl.SSLContext) -> None:
        """Returns when the context has them, or was not to get them."""
        if context not in self._lacking:
            return
        async with self._loading:
            if context in self._lacking:
                await asyncio.to_thread(context.load_default_certs)
                self._lacking.discard(context)


@dataclass(frozen=True, slots=True)
class OriginTls:
    """Contexts for TLS with origins: ``http1`` offers HTTP/1.1 alone, ``newest`` HTTP/2 too.

    Each has to be given to ``system.load_into`` before it is used.
    """

    http1: ssl.SSLContext
    newest: ssl.SSLContext
    system: SystemAuthorities = field(default_factory=SystemAuthorities)

    @classmethod
    def trusting(cls, *bundles: str, http2: bool = True) -> OriginTls:
        """Trusts the system's authorities and those in files. Raises OSError."""
        http1 = _offering("http/1.1")
        newest = _offering("h2", "http/1.1") if http2 else http1
        contexts = {http1, newest}
        for context in contexts:
            for bundle in bundles:
                context.load_verify_locations(bundle)
        return cls(http1, newest, SystemAuthorities(*contexts))


def _offering(*protocols: str) -> ssl.SSLContext:
    """A context that verifies certificates and offers ``protocols`` by ALPN."""
    context = context_without_authorities()
    context.set_alpn_protocols(list(protocols))
    return context


class CertificateRequests:
    """Hosts that requested a client certificate in a context's handshakes, for a day.

    Python reports this by the private ``_msg_callback`` alone; without it the set stays empty.
    """

    def __init__(self, context: ssl.SSLContext) -> None:
        self._hosts: TTLCache[str, bool] = TTLCache(1024, 86_400)
        setattr(context, "_msg_callback", self._on_message)  # noqa: B010  # typeshed does not list it

    def __contains__(self, host: str) -> bool:
        return host in self._hosts

    def _on_message(self, connection: ssl.SSLObject, *message: object) -> None:
        direction, _, content, kind, _ = message
        is_request = (content, kind) == (_HANDSHAKE, _CERTIFICATE_REQUEST)
        if is_request and direction == "read" and connection.server_hostname:
            self._hosts[connection.server_hostname] = True


def tls_fault(origin: Origin, error: ssl.SSLError | ValueError) -> OriginFaultError:
    """The error of a failed handshake."""
    if isinstance(error, ssl.SSLCertVerificationError):
        message = error.verify_message.rstrip(".")
        return OriginCertificateError(
            says(
                "The certificate of {host} cannot be trusted: {message}.",
                host=origin.host,
                message=message,
            ),
            origin.host,
            error.verify_code,
        )
    reason = str(getattr(error, "reason", None) or error)
    return OriginUnreachableError(
        says("No TLS with {authority}: {fault}.", authority=origin.authority, fault=reason),
        "tls_alert_received" if "ALERT" in reason else "tls_protocol_error",
    )
