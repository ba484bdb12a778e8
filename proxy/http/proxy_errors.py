"""Errors of the proxy, with the status and the Winnow-Reason that a client gets."""

from __future__ import annotations

from winnow.jobs.answers import status_of


class ProxyError(Exception):
    """``status``: the response's HTTP status; ``reason``: the token in Winnow-Reason."""

    status = 500
    reason = "proxy-error"

    @property
    def sentence(self) -> str:
        """The message as it was given: a Sentence is translated where a person reads it."""
        return self.args[0] if self.args and isinstance(self.args[0], str) else str(self)


class ClientFaultError(ProxyError):
    """The request is invalid or cannot be served."""

    def __init__(self, message: str, status: int = 400, reason: str = "bad-request") -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason


class OriginFaultError(ProxyError):
    """The origin could not be reached, or its response is no HTTP.

    ``proxy_status``: the error's type of RFC 9209, section 2.3, where ``reason`` says less.
    """

    status = 502
    reason = "origin-failed"

    def __init__(self, message: str, proxy_status: str = "") -> None:
        super().__init__(message)
        self.proxy_status = proxy_status

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """Those of the response besides the ones that its reason has."""
        error = f"winnow; error={self.proxy_status}"
        return (("Proxy-Status", error),) if self.proxy_status else ()


class OriginUnreachableError(OriginFaultError):
    """No connection: the name is unknown, or the connection was refused."""

    reason = "origin-unreachable"


class OriginTimeoutError(OriginFaultError):
    """The origin exceeded a timeout."""

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
    """The client may not reach this address."""

    status = 403
    reason = "address-refused"


class PrivateAddressError(AddressRefusedError):
    """All addresses of ``host`` are of networks that the client may not reach.

    ``asks``: its reader may allow it, where a page can be shown.
    """

    def __init__(self, message: str, host: str, *, asks: bool = False) -> None:
        super().__init__(message)
        self.host, self.asks = host, asks


class PortRefusedError(AddressRefusedError):
    """The port is in ``upstream.refused_ports``."""

    reason = "port-refused"


class FramingError(ProxyError):
    """Our response is longer than its Content-Length: a defect of ours."""

    reason = "framing"


class MalformedHeadError(ProxyError):
    """A head that would be malformed is not sent, such as one with a line end in a field."""

    reason = "malformed-head"


class StaleConnectionError(OriginFaultError):
    """A reused connection was closed before the response began: the request may be repeated."""

    reason = "origin-closed"


class MalformedResponseError(OriginFaultError):
    """The origin's response is malformed."""

    reason = "origin-malformed"


class TransformError(ProxyError):
    """A page could not be transformed: the original is sent instead."""

    def __init__(self, reason: str, message: str = "") -> None:
        super().__init__(message or reason)
        self.status, self.reason = status_of(reason), reason


class BodyTooLargeError(ProxyError):
    """A body is larger than the limit, as sent or decoded."""

    status = 413
    reason = "too-large"


class CodingError(ProxyError):
    """A Content-Encoding is unsupported, or its bytes are malformed or incomplete."""

    reason = "coding"
