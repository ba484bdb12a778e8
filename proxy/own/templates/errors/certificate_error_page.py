"""What is wrong with a certificate that is not trusted, in words. Pure."""

from __future__ import annotations

from enum import Enum

from winnow.proxy.own.translation import N_


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
