"""The authority is created once and private; errors say why it cannot be used."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519

from tests.proxy.tls.support import NOW
from winnow.proxy.stores.notices import Notices
from winnow.proxy.tls.authority import FILE_NAME, ensure_authority, load_authority, new_authority
from winnow.proxy.tls.tls_errors import AuthorityError, DamagedAuthorityError


def test_it_names_itself_and_the_machine() -> None:
    assert new_authority("desk", NOW).name == "Winnow local CA (desk)"
    assert new_authority("", NOW).name == "Winnow local CA (this machine)"
    assert len(new_authority("x" * 200, NOW).name) == 64


def test_its_dates_allow_for_a_wrong_clock_and_end_in_ten_years() -> None:
    certificate = new_authority("desk", NOW).certificate
    assert certificate.not_valid_before_utc == NOW - timedelta(days=2)
    assert certificate.not_valid_after_utc == NOW + timedelta(days=3650)


def test_it_may_sign_leaves_and_nothing_below_them() -> None:
    certificate = new_authority("desk", NOW).certificate
    basic = certificate.extensions.get_extension_for_class(x509.BasicConstraints)
    assert basic.critical
    assert basic.value == x509.BasicConstraints(ca=True, path_length=0)
    assert certificate.extensions.get_extension_for_class(x509.KeyUsage).value.key_cert_sign


def test_its_key_is_elliptic_and_p256() -> None:
    assert isinstance(new_authority("desk", NOW).key.curve, ec.SECP256R1)


def test_two_are_never_mistaken_for_each_other() -> None:
    one, two = new_authority("desk", NOW), new_authority("desk", NOW)
    assert one.fingerprint != two.fingerprint
    assert one.certificate.serial_number != two.certificate.serial_number


def test_its_fingerprint_reads_as_browsers_show_it() -> None:
    pairs = new_authority("desk", NOW).fingerprint.split(":")
    assert len(pairs) == 32
    assert all(len(pair) == 2 and pair == pair.upper() for pair in pairs)


def test_what_is_handed_out_holds_no_key() -> None:
    authority = new_authority("desk", NOW)
    assert b"PRIVATE" not in authority.pem
    assert x509.load_der_x509_certificate(authority.der) == authority.certificate


def test_it_is_created_at_first_use_and_loaded_later(tmp_path: Path) -> None:
    folder = tmp_path / "winnow" / "ca"
    first = ensure_authority(folder, "desk", NOW)
    assert ensure_authority(folder, "desk", NOW).fingerprint == first.fingerprint


def test_only_its_owner_reads_it(tmp_path: Path) -> None:
    folder = tmp_path / "ca"
    ensure_authority(folder, "desk", NOW)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / FILE_NAME).stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in folder.iterdir()] == [FILE_NAME]


def test_many_who_start_at_once_share_one(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        made = threads.map(lambda _: ensure_authority(tmp_path / "ca", "desk", NOW), range(8))
        assert len({authority.fingerprint for authority in made}) == 1


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    ensure_authority(tmp_path, "desk", NOW)
    (tmp_path / FILE_NAME).chmod(0o640)
    with pytest.raises(AuthorityError, match="chmod 600"):
        ensure_authority(tmp_path, "desk", NOW)


def test_an_expired_one_says_what_to_do(tmp_path: Path) -> None:
    ensure_authority(tmp_path, "desk", NOW)
    with pytest.raises(AuthorityError, match="expired: remove the file"):
        ensure_authority(tmp_path, "desk", NOW + timedelta(days=3650))


@pytest.mark.parametrize("content", [b"", b"no PEM", b"-----BEGIN PRIVATE KEY-----\nAA==\n"])
def test_a_damaged_one_is_set_aside_with_a_notice(tmp_path: Path, content: bytes) -> None:
    path, notices = tmp_path / FILE_NAME, Notices()
    path.write_bytes(content)
    path.chmod(0o600)
    made = ensure_authority(tmp_path, "desk", NOW, notices)
    assert ensure_authority(tmp_path, "desk", NOW).fingerprint == made.fingerprint
    (aside,) = tmp_path.glob(f"{FILE_NAME}.damaged-*")
    assert aside.read_bytes() == content
    assert aside.name in notices.texts()[0]
    assert "must trust the new certificate" in notices.texts()[0]


def test_a_key_of_another_certificate_is_damage(tmp_path: Path) -> None:
    one, two = new_authority("desk", NOW), new_authority("desk", NOW)
    _write(tmp_path, one.key, two.pem)
    with pytest.raises(DamagedAuthorityError, match="do not belong together"):
        load_authority(tmp_path / FILE_NAME, NOW)


def test_a_key_of_another_kind_is_damage(tmp_path: Path) -> None:
    _write(tmp_path, ed25519.Ed25519PrivateKey.generate(), new_authority("desk", NOW).pem)
    with pytest.raises(DamagedAuthorityError, match="not an elliptic-curve key"):
        load_authority(tmp_path / FILE_NAME, NOW)


def test_a_folder_that_cannot_be_made_is_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(AuthorityError, match="could not be read or created: Not a directory"):
        ensure_authority(tmp_path / "file" / "ca", "desk", NOW)


def _write(
    folder: Path, key: ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey, certificate: bytes
) -> None:
    path = folder / FILE_NAME
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(secret + certificate)
    path.chmod(0o600)
