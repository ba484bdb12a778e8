"""Whether a failed handshake means that the client refuses our certificate; knows alerts only."""

from __future__ import annotations

import ssl

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


def refusal(error: BaseException | None) -> str | None:
    """The alert by which the client refused our certificate, or None for any other end."""
    if not isinstance(error, ssl.SSLError):
        return None
    return _ALERTS.get(error.reason or "")
