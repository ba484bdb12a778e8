"""The ssl context of every TLS connection on which Winnow is the client."""

from __future__ import annotations

import os
import ssl
from pathlib import Path


def verifying_context(ca_bundle: Path | str | None = None) -> ssl.SSLContext:
    """A client's context that verifies the chain and the name of the server's certificate.

    ``ca_bundle`` names a PEM file of authorities that are trusted instead of the system's.
    Raises OSError if it cannot be read.
    """
    return by_alternative_name_only(ssl.create_default_context(cafile=ca_bundle))


def context_without_authorities() -> ssl.SSLContext:
    """The same, but it trusts nobody yet: ``load_default_certs`` takes 17 ms of CPU."""
    # Python loads the system's authorities unless others are named; here is none to be found.
    return by_alternative_name_only(ssl.create_default_context(capath=os.devnull))


def by_alternative_name_only(context: ssl.SSLContext) -> ssl.SSLContext:
    """The same context, which ignores the subject's common name.

    Certificates name hosts in subjectAltName (RFC 9110, section 4.3.4; RFC 9525, section 6.3);
    OpenSSL would fall back to the common name.
    """
    context.hostname_checks_common_name = False
    return context
