"""The local certificate authority: a key and a certificate in one file that only its owner reads.

Knows how it is made, kept and loaded (RFC 5280); refuses to know which hosts it signs for.
"""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from proxy.tls.errors import AuthorityError

FILE_NAME = "authority.pem"
LIFE = timedelta(days=3650)
CLOCK_SKEW = timedelta(days=1)
_MAX_COMMON_NAME = 64


@dataclass(frozen=True, slots=True)
class Authority:
    """A certificate that signs leaves, and its key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def name(self) -> str:
        """What certificate managers list it as."""
        return str(self.certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the certificate, as browsers show it: AA:BB:..."""
        return self.certificate.fingerprint(hashes.SHA256()).hex(":").upper()

    @property
    def pem(self) -> bytes:
        """The certificate (never the key) as text."""
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    @property
    def der(self) -> bytes:
        """The certificate (never the key) as bytes."""
        return self.certificate.public_bytes(serialization.Encoding.DER)


def new_authority(hostname: str, now: datetime) -> Authority:
    """An authority made on the machine ``hostname`` at ``now`` (aware), good for ten years."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = _subject(hostname, now)
    usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCK_SKEW)
        .not_valid_after(now + LIFE)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    return Authority(certificate, key)


def _subject(hostname: str, now: datetime) -> x509.Name:
    room = _MAX_COMMON_NAME - len("Winnow local CA ()")
    common_name = f"Winnow local CA ({hostname[:room] or 'this machine'})"
    organisation = f"Winnow, made on this machine on {now:%Y-%m-%d}"
    return x509.Name(
        [
            x509.NameAttribute(NameOID.COMMON_NAME, common_name),
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, organisation),
        ]
    )


def ensure_authority(folder: Path, hostname: str, now: datetime | None = None) -> Authority:
    """The authority kept in ``folder``, made there at first use.

    Of several processes that start at once one makes it and all load that one. Blocks on the
    disk. Raises ``AuthorityError`` when the file cannot be read, written or trusted.
    """
    path = folder / FILE_NAME
    moment = now or datetime.now(UTC)
    try:
        if not path.exists():
            _keep(new_authority(hostname, moment), path)
        return load_authority(path, moment)
    except OSError as error:
        raise AuthorityError(
            f"The certificate authority in {path} cannot be read or made: {error.strerror}."
        ) from error


def load_authority(path: Path, now: datetime) -> Authority:
    """Read an authority; raises ``AuthorityError`` if it is damaged, expired or not private."""
    if path.stat().st_mode & 0o077:
        raise AuthorityError(f"Others can read the key in {path}: run chmod 600 on it.")
    authority = _parse(path)
    if now >= authority.certificate.not_valid_after_utc:
        raise AuthorityError(
            f"The authority in {path} expired: remove the file, a new one is then made."
        )
    return authority


def _parse(path: Path) -> Authority:
    data = path.read_bytes()
    try:
        key = serialization.load_pem_private_key(data, password=None)
        certificate = x509.load_pem_x509_certificate(data)
    except ValueError as error:
        raise AuthorityError(
            f"{path} holds no key and certificate: remove it, a new one is then made."
        ) from error
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise AuthorityError(f"The key in {path} is no elliptic-curve key: remove the file.")
    if key.public_key() != certificate.public_key():
        raise AuthorityError(f"Key and certificate in {path} do not belong together: remove it.")
    return Authority(certificate, key)


def _keep(authority: Authority, path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.parent.chmod(0o700)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_key_pem(authority.key) + authority.pem)
            file.flush()
            os.fsync(file.fileno())
        _publish(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def _publish(draft: Path, path: Path) -> None:
    try:
        path.hardlink_to(draft)  # unlike a rename, fails if another process was first
    except FileExistsError:
        return


def _key_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
