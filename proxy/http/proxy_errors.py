"""What can go wrong in the proxy, and whose fault it was; knows no status page and no retry.

``TransformError`` never costs the reader the page: the original goes through instead.
"""

from __future__ import annotations


class ProxyError(Exception):
    """Anything the proxy reports; ``status`` is the HTTP status a client should see."""

    status = 500
    reason = "proxy-error"


class ClientFaultError(ProxyError):
    """The client asked for something that cannot be done."""

    def __init__(self, message: str, status: int = 400, reason: str = "bad-request") -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason


class OriginFaultError(ProxyError):
    """The origin could not be reached or answered with something that is no HTTP."""

    status = 502
    reason = "origin-failed"


class OriginUnreachableError(OriginFaultError):
    """No connection: the name is unknown, refused, or nobody listens."""

    reason = "origin-unreachable"


class OriginTimeoutError(OriginFaultError):
    """The origin took longer than the configured limit."""

    status = 504
    reason = "origin-timeout"


class OriginCertificateError(OriginFaultError):
    """The origin's certificate cannot be trusted; ``code`` is OpenSSL's X509_V_ERR_* or 0."""

    reason = "origin-certificate"

    def __init__(self, message: str, host: str = "", code: int = 0) -> None:
        super().__init__(message)
        self.host = host
        self.code = code


class AddressRefusedError(ProxyError):
    """The address may not be reached by this client (a private network, ourselves)."""

    status = 403
    reason = "address-refused"


class PortRefusedError(AddressRefusedError):
    """Nobody may connect to that port (``upstream.refused_ports``)."""

    reason = "port-refused"


class FramingError(ProxyError):
    """A reply of ours is longer than its head says: our own fault, and no byte of it may follow."""

    reason = "framing"


class MalformedHeadError(ProxyError):
    """A head of ours would have held a line end within a field: it is not sent."""

    reason = "malformed-head"


class StaleConnectionError(OriginFaultError):
    """A kept connection was closed before a byte of the reply came: worth one more try."""

    reason = "origin-closed"


class MalformedResponseError(OriginFaultError):
    """The origin's reply breaks HTTP beyond what can be repaired."""

    reason = "origin-malformed"


class TransformError(ProxyError):
    """A page could not be transformed; ``reason`` is the token that says why."""

    def __init__(self, reason: str, message: str = "") -> None:
        super().__init__(message or reason)
        self.reason = reason


class BodyTooLargeError(ProxyError):
    """A body is larger, or grows larger when decoded, than the configured bound."""

    status = 413
    reason = "too-large"


class CodingError(ProxyError):
    """A Content-Encoding is unknown to us, or its bytes are broken or cut short."""

    reason = "coding"
