"""A settings file with hashes of passwords that every user can read is reported (issue 20)."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.proxy.origins import ask, get
from winnow.cli import main
from winnow.compose.running import listening
from winnow.config.feature_settings import FeatureSettings
from winnow.config.secret_files import SECRETS
from winnow.config.setting_list import entries
from winnow.config.sources import source_precedence
from winnow.config.sources.file_permissions import exposed_secrets
from winnow.feature_list import sections_of
from winnow.proxy.access.credentials.passwords import hash_password

load = partial(source_precedence.load, of_features=sections_of)
USERS = '[access]\nusers = ["mensa:scrypt$1"]\n'
SENTENCE = "Every user of this computer can read"


def file_of(folder: Path, text: str, mode: int) -> Path:
    file = folder / "winnow.toml"
    file.write_text(text)
    file.chmod(mode)
    return file


def test_the_secrets_are_settings() -> None:
    assert set(SECRETS) <= set(entries(sections_of(FeatureSettings())))


@pytest.mark.parametrize("path", SECRETS)
def test_a_secret_in_a_file_for_all_is_reported(tmp_path: Path, path: str) -> None:
    section, name = path.split(".")
    value = '["mensa:x"]' if section == "access" else '"redis://:pass@127.0.0.1/0"'
    text = f"[{section}]\n{name} = {value}\n"
    (fault,) = exposed_secrets(load(file_of(tmp_path, text, 0o644)))
    assert fault.startswith(SENTENCE)
    assert path in fault
    assert exposed_secrets(load(file_of(tmp_path, text, 0o640))) == ()


def test_a_file_without_secrets_and_the_environment_may_be_read(tmp_path: Path) -> None:
    file = file_of(tmp_path, "[server]\nport = 9090\n", 0o644)
    assert exposed_secrets(load(file, {"WINNOW_ACCESS__USERS": "mensa:x"})) == ()


def test_config_check_says_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    users = f'[access]\nusers = ["mensa:{hash_password("secret")}"]\n'
    main(["config", "check", "--config", str(file_of(tmp_path, users, 0o644))])
    assert SENTENCE in capsys.readouterr().out
    main(["config", "check", "--config", str(file_of(tmp_path, users, 0o640))])
    assert SENTENCE not in capsys.readouterr().out


async def test_a_start_and_the_status_page_say_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    key = hash_password("pass")
    text = (
        f'[server]\nport = 0\nshutdown_grace = "1s"\n[storage]\nfolder = "{tmp_path}"\n'
        f'[extraction]\nprocesses = 1\n[access]\napi_keys = ["reader:{key}"]\n'
    )
    loaded = load(file_of(tmp_path, text, 0o644))
    async with listening(loaded.settings, origins=loaded.origins) as proxy:
        await proxy.begin(0.01)
        page = await ask(proxy.port, get(f"http://127.0.0.1:{proxy.port}/-/status"))
    assert SENTENCE in caplog.text
    assert SENTENCE.encode() in page.body
