"""``winnow ca`` shows, exports and explains the authority; ``winnow password`` makes a line."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography import x509

from winnow.cli import main
from winnow.config.errors import ConfigError
from winnow.config.settings import Settings
from winnow.data_folder import keys_of
from winnow.features.setup.setup_guides import GUIDES
from winnow.proxy.access.credentials.passwords import read_users
from winnow.proxy.tls.authority import FILE_NAME, Authority, ensure_authority, load_authority


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WINNOW_STORAGE__FOLDER", str(tmp_path / "kept"))
    return tmp_path / "kept" / "ca"


def kept(folder: Path) -> Authority:
    return load_authority(folder / FILE_NAME, datetime.now(UTC))


def test_show_tells_what_to_compare_and_where_the_key_is(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ca", "show"]) == 0
    said = capsys.readouterr().out
    assert kept(folder).name in said
    assert kept(folder).fingerprint in said
    assert str(folder / FILE_NAME) in said
    assert "PRIVATE" not in said


@pytest.mark.parametrize(
    ("flags", "read"),
    [([], x509.load_pem_x509_certificate), (["--der"], x509.load_der_x509_certificate)],
)
def test_export_writes_the_certificate_alone(
    folder: Path, tmp_path: Path, flags: list[str], read: object
) -> None:
    out = tmp_path / "winnow-ca.crt"
    assert main(["ca", "export", "--out", str(out), *flags]) == 0
    assert callable(read)
    assert read(out.read_bytes()) == kept(folder).certificate
    assert b"PRIVATE" not in out.read_bytes()


@pytest.mark.usefixtures("folder")
def test_export_goes_to_stdout_by_itself(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["ca", "export"]) == 0
    assert capsysbinary.readouterr().out.startswith(b"-----BEGIN CERTIFICATE-----")


@pytest.mark.usefixtures("folder")
def test_export_to_nowhere_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ca", "export", "--out", str(tmp_path / "none" / "x")]) == 1
    assert "cannot write" in capsys.readouterr().err


def test_install_help_speaks_of_every_system_and_of_undoing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ca", "install-help"]) == 0
    said = capsys.readouterr().out
    assert all(f"\n{guide.system}\n" in said for guide in GUIDES)
    assert said.count("To undo it:") == len(GUIDES)
    assert kept(folder).fingerprint in said
    assert "{" not in said


def test_an_authority_that_others_can_read_is_told_in_one_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["ca", "show"])
    (folder / FILE_NAME).chmod(0o644)
    assert main(["ca", "show"]) == 1
    assert "run chmod 600" in capsys.readouterr().err


def test_a_password_becomes_a_line_for_the_settings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("correct horse\n"))
    assert main(["password", "ann"]) == 0
    line = capsys.readouterr().out
    assert "correct" not in line
    assert read_users([line])["ann"].matches("correct horse")


@pytest.mark.parametrize(
    ("name", "typed", "code"), [("a:b", "x\n", 2), ("", "x\n", 2), ("ann", "", 1)]
)
def test_what_cannot_be_a_user_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, typed: str, code: int
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert main(["password", name]) == code


def test_instances_share_an_authority_from_a_secret(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["ca", "show"]) == 0
    fingerprint, secret = kept(folder).fingerprint, tmp_path / "secret.pem"
    secret.write_bytes((folder / FILE_NAME).read_bytes())
    secret.chmod(0o440)  # as Kubernetes mounts it
    monkeypatch.setenv("WINNOW_INTERCEPTION__AUTHORITY", str(secret))
    monkeypatch.setenv("WINNOW_STORAGE__FOLDER", str(tmp_path / "another"))
    capsys.readouterr()
    assert main(["ca", "show"]) == 0
    said = capsys.readouterr().out
    assert fingerprint in said
    assert str(secret) in said
    assert not (tmp_path / "another").exists()
    secret.chmod(0o444)
    assert main(["ca", "show"]) == 1
    assert "Others can read the key in secret.pem" in capsys.readouterr().err
    secret.chmod(0o600)
    secret.write_bytes(b"-----BEGIN")
    assert main(["ca", "show"]) == 1
    assert "interception.authority cannot be used" in capsys.readouterr().err
    assert secret.read_bytes() == b"-----BEGIN"  # nothing is set aside
    secret.unlink()
    assert main(["ca", "show"]) == 1
    assert "interception.authority cannot be read" in capsys.readouterr().err


async def test_a_shared_authority_signs_and_a_missing_one_stops_the_start(tmp_path: Path) -> None:
    shared = tmp_path / "secret.pem"
    made = ensure_authority(tmp_path / "made", "desk")
    (tmp_path / "made" / FILE_NAME).rename(shared)
    plain = Settings()
    settings = replace(
        plain,
        interception=replace(plain.interception, authority=shared),
        storage=replace(plain.storage, folder=tmp_path / "data"),
    )
    keys = keys_of(settings)
    found = await keys.existing()
    assert found
    assert found.fingerprint == made.fingerprint
    assert not (tmp_path / "data").exists()
    shared.unlink()
    with pytest.raises(ConfigError, match=r"interception\.authority"):
        keys_of(settings)
