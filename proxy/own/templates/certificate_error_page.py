"""The error page for a server whose certificate is not trusted. Pure."""

from __future__ import annotations

from enum import Enum

from markupsafe import Markup

from winnow.proxy.own.templates.base_page import HtmlPage, bare_page, listed, sentences
from winnow.proxy.own.templates.error_pages import proxy_status


class CertificateFault(Enum):
    """The fault of a server's certificate, in words."""

    EXPIRED = "It has expired."
    NOT_YET_VALID = "It is not valid yet. Check the clock of this computer."
    SELF_SIGNED = "It is self-signed: anybody can create such a certificate."
    UNKNOWN_AUTHORITY = "Its issuer is not trusted by this computer."
    OTHER_NAME = "It is valid for another host only: this may be the wrong server."
    REVOKED = "It has been revoked."
    WEAK = "It is signed with a weak algorithm."
    OTHER = "It cannot be verified."


_BY_CODE = {
    9: CertificateFault.NOT_YET_VALID,
    10: CertificateFault.EXPIRED,
    18: CertificateFault.SELF_SIGNED,
    19: CertificateFault.SELF_SIGNED,
    2: CertificateFault.UNKNOWN_AUTHORITY,
    20: CertificateFault.UNKNOWN_AUTHORITY,
    21: CertificateFault.UNKNOWN_AUTHORITY,
    23: CertificateFault.REVOKED,
    62: CertificateFault.OTHER_NAME,
    64: CertificateFault.OTHER_NAME,
    66: CertificateFault.WEAK,
    67: CertificateFault.WEAK,
    68: CertificateFault.WEAK,
}
"""OpenSSL's X509_V_ERR_* (x509_vfy.h)."""


def certificate_fault(code: int) -> CertificateFault:
    """The fault for the verification code of an ``ssl.SSLCertVerificationError``."""
    return _BY_CODE.get(code, CertificateFault.OTHER)


def certificate_page(host: str, fault: CertificateFault, detail: str) -> HtmlPage:
    """The connection to ``host`` was not made; ``detail`` is OpenSSL's own sentence."""
    main = Markup("{}\n<h2>What you can do</h2>\n{}\n{}").format(
        sentences(
            f"The server at {host} presented a certificate that is not trusted.",
            fault.value,
            "Attackers could read or change what you see, so Winnow did not connect.",
        ),
        listed(
            (
                "Try again later, or inform the site's owner.",
                "On a network with a sign-in page, sign in and reload the page.",
                Markup(
                    "If you know the server, add <code>{}</code> to <code>never</code> under "
                    "<code>[interception]</code>: your browser then judges the certificate itself."
                ).format(host),
                Markup(
                    "If the server's authority is your own, name its file as <code>ca_bundle</code>"
                    " under <code>[upstream]</code>."
                ),
            )
        ),
        Markup('<p class="quiet">{}</p>').format(detail),
    )
    page = bare_page("This connection is not secure", main, status=502)
    return page.with_headers(proxy_status("origin-certificate"))
