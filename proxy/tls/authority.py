"""The local certificate authority: a key and a certificate (RFC 5280) in one private file."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from winnow.proxy.stores.files import folder_lock, read_private, set_aside, write_private
from winnow.proxy.stores.notices import Notices
from winnow.proxy.stores.store_errors import cause, is_full
from winnow.proxy.tls.tls_errors import AuthorityError, AuthorityFullError, DamagedAuthorityError

FILE_NAME = "authority.pem"
LIFE = timedelta(days=3650)
CLOCK_SKEW = timedelta(days=2)
"""How far our clock may be ahead of a client's: notBefore lies that long ago."""
_MAX_COMMON_NAME = 64
_FAILED = "The certificate authority could not be read or created"


@dataclass(frozen=True, slots=True)
class Authority:
    """The certificate that signs leaves, and its key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def name(self) -> str:
        """The common name, as certificate managers list it."""
        return str(self.certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the certificate, as browsers show it: AA:BB:..."""
        return self.certificate.fingerprint(hashes.SHA256()).hex(":").upper()

    @property
    def pem(self) -> bytes:
        """The certificate (never the key) in PEM."""
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    @property
    def der(self) -> bytes:
        """The certificate (never the key) in DER."""
        return self.certificate.public_bytes(serialization.Encoding.DER)


def new_authority(hostname: str, now: datetime) -> Authority:
    """A new authority of the machine ``hostname``, valid for ten years from ``now`` (aware)."""
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


def ensure_authority(
    folder: Path, hostname: str, now: datetime | None = None, notices: Notices | None = None
) -> Authority:
    """The authority in ``folder``, created at first use.

    Of concurrent processes one creates it and all load it. A damaged one is set aside and replaced,
    with a notice. Blocks. Raises ``AuthorityError`` if the file cannot be written or trusted.
    """
    path, moment = folder / FILE_NAME, now or datetime.now(UTC)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with folder_lock(folder):
            return _load_or_create(path, hostname, moment, notices or Notices())
    except OSError as error:
        if is_full(error):
            raise AuthorityFullError(f"{_FAILED}: the disk is full.") from error
        raise AuthorityError(f"{_FAILED}: {cause(error)}.") from error


def _load_or_create(path: Path, hostname: str, now: datetime, notices: Notices) -> Authority:
    if path.exists():
        try:
            return load_authority(path, now)
        except DamagedAuthorityError as error:
            aside = set_aside(path)
            notices.add(
                f"The certificate authority was damaged ({error}). Its file was set aside as "
                f"{aside.name} in the data folder, and a new authority was made: every device "
                "must trust the new certificate (/-/setup)."
            )
    path.parent.chmod(0o700)
    authority = new_authority(hostname, now)
    write_private(path, _key_pem(authority.key) + authority.pem)
    return load_authority(path, now)


def shared_authority(path: Path, now: datetime | None = None) -> Authority:
    """The authority in a file that others keep, such as a mounted secret; it is never written.

    Its group may read it. Blocks. Raises ``AuthorityError`` if it cannot be used.
    """
    try:
        return load_authority(path, now or datetime.now(UTC), not_readable_by=0o007)
    except DamagedAuthorityError as error:
        raise AuthorityError(f"interception.authority cannot be used: {error}.") from error
    except OSError as error:
        raise AuthorityError(f"interception.authority cannot be read: {cause(error)}.") from error


def load_authority(path: Path, now: datetime, *, not_readable_by: int = 0o077) -> Authority:
    """Load an authority. Raises ``AuthorityError`` if it is expired or readable by others.

    ``not_readable_by``: the permissions that it must not have.

    Raises ``DamagedAuthorityError`` for a malformed file, OSError if it cannot be read.
    """
    try:
        data = read_private(path)
    except (IsADirectoryError, PermissionError) as error:
        raise DamagedAuthorityError(cause(error)) from error
    authority = _parse(data)
    if path.stat().st_mode & not_readable_by:
        raise AuthorityError(f"Others can read the key in {path.name}: run chmod 600 on it.")
    if now >= authority.certificate.not_valid_after_utc:
        raise AuthorityError(
            f"The authority in {path.name} expired: remove the file, a new one is then created."
        )
    return authority


def check_pem(data: bytes) -> None:
    """Raises ``DamagedAuthorityError`` if this is no authority's file."""
    _parse(data)


def _parse(data: bytes) -> Authority:
    try:
        key = serialization.load_pem_private_key(data, password=None)
        certificate = x509.load_pem_x509_certificate(data)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise DamagedAuthorityError("it holds no key and certificate") from error
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise DamagedAuthorityError("its key is not an elliptic-curve key")
    if key.public_key() != certificate.public_key():
        raise DamagedAuthorityError("its key and its certificate do not belong together")
    return Authority(certificate, key)


def _key_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
