"""The error page for a server whose certificate is not trusted. Pure."""

from __future__ import annotations

from enum import Enum

from markupsafe import Markup

from winnow.proxy.own.templates.base_page import HtmlPage, bare_page, listed, sentences
from winnow.proxy.own.templates.error_pages import proxy_status
from winnow.proxy.own.translation import N_, _, filled, own_words


class CertificateFault(Enum):
    """The fault of a server's certificate, in words."""

    EXPIRED = N_("It has expired.")
    NOT_YET_VALID = N_("It is not valid yet. Check the clock of this computer.")
    SELF_SIGNED = N_("It is self-signed: anybody can create such a certificate.")
    UNKNOWN_AUTHORITY = N_("Its issuer is not trusted by this computer.")
    OTHER_NAME = N_("It is valid for another host only: this may be the wrong server.")
    REVOKED = N_("It has been revoked.")
    WEAK = N_("It is signed with a weak algorithm.")
    OTHER = N_("It cannot be verified.")


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
    refused = _("The server at {host} presented a certificate that is not trusted.")
    main = Markup('{}\n<h2>{}</h2>\n{}\n<p class="quiet">{}</p>').format(
        sentences(
            refused.format(host=host),
            _(fault.value),
            _("Attackers could read or change what you see, so Winnow did not connect."),
        ),
        _("What you can do"),
        listed(_ways(host)),
        own_words(detail),
    )
    page = bare_page(_("This connection is not secure"), main, status=502)
    return page.with_headers(proxy_status("origin-certificate"))


def _ways(host: str) -> tuple[Markup | str, ...]:
    spared = _(
        "If you know the server, add {host} to {never} under {section}: your browser then judges "
        "the certificate itself."
    )
    own = _("If the server’s authority is your own, name its file as {name} under {section}.")
    return (
        _("Try again later, or inform the site’s owner."),
        _("On a network with a sign-in page, sign in and reload the page."),
        filled(spared, host=_code(host), never=_code("never"), section=_code("[interception]")),
        filled(own, name=_code("ca_bundle"), section=_code("[upstream]")),
    )


def _code(text: str) -> Markup:
    return Markup("<code>{}</code>").format(text)
