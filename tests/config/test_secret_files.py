"""Secrets in files of their own and in systemd's credentials; nothing tells what they hold."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from winnow.cli import main
from winnow.config.descriptions import schema
from winnow.config.errors import InvalidSettingsError
from winnow.config.feature_settings import FeatureSettings
from winnow.config.secret_files import ENDING, SECRETS
from winnow.config.setting_list import values_in
from winnow.config.sources import source_precedence
from winnow.config.sources.file_permissions import exposed_secrets
from winnow.config.sources.source_precedence import is_fixed
from winnow.feature_list import sections_of
from winnow.features.redis.settings import RedisSettings

load = partial(source_precedence.load, of_features=sections_of)
ADDRESS = "redis://:hush@redis.example:6379/0"


def test_each_setting_with_a_secret_can_be_a_file(tmp_path: Path) -> None:
    for path in SECRETS:
        section, _, name = path.partition(".")
        (tmp_path / name).write_text("http://one:two@three\n\n")
        loaded = load(flags={path + ENDING: str(tmp_path / name)})
        value = values_in(loaded.settings)[section][name]
        assert value in ("http://one:two@three", ("http://one:two@three",))
        assert (
            name + ENDING
            in schema(sections_of(FeatureSettings()))["properties"][section]["properties"]
        )


def test_a_credential_of_systemd_is_below_the_environment(tmp_path: Path) -> None:
    (tmp_path / "storage.redis").write_text(ADDRESS)
    (tmp_path / "access.users").write_text("ann:scrypt$1\nbob:scrypt$2\n")
    environment = {"CREDENTIALS_DIRECTORY": str(tmp_path)}
    loaded = load(environment=environment)
    assert loaded.settings.of(RedisSettings).storage == ADDRESS
    assert loaded.settings.access.users == ("ann:scrypt$1", "bob:scrypt$2")
    assert loaded.origins["storage.redis"] == f"secret in {tmp_path}/storage.redis"
    assert is_fixed(loaded.origins["storage.redis"]), "our own pages do not change it"
    other = load(environment={**environment, "WINNOW_STORAGE__REDIS": "redis://other"})
    assert other.settings.of(RedisSettings).storage == "redis://other"


def test_a_file_that_everybody_can_read_is_told(tmp_path: Path) -> None:
    secret = tmp_path / "redis"
    secret.write_text(ADDRESS)
    secret.chmod(0o644)
    loaded = load(flags={"storage.redis_file": str(secret)})
    (told,) = exposed_secrets(loaded)
    assert told.startswith(
        f"Every user of this computer can read {secret}, which has storage.redis"
    )
    secret.chmod(0o600)
    assert not exposed_secrets(loaded)


def test_a_file_that_is_missing_is_a_problem_of_its_setting(tmp_path: Path) -> None:
    with pytest.raises(InvalidSettingsError, match=r"redis_file cannot read .*none: No such file"):
        load(flags={"storage.redis_file": str(tmp_path / "none")})
    with pytest.raises(InvalidSettingsError, match=r"server\.port_file is unknown"):
        load(flags={"server.port_file": "x"})


def test_what_it_holds_is_not_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "redis").write_text(ADDRESS)
    (tmp_path / "users").write_text("ann:scrypt$secret\n")
    settings = tmp_path / "winnow.toml"
    settings.write_text(
        f'[storage]\nredis_file = "{tmp_path}/redis"\n[access]\nusers_file = "{tmp_path}/users"\n'
    )
    settings.chmod(0o600)
    assert main(["config", "show", "--config", str(settings)]) == 0
    told = "".join(capsys.readouterr())
    assert "redis.example" in told
    assert "ann" in told
    assert "hush" not in told
    assert "scrypt$secret" not in told
