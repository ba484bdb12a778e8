"""``default.toml``, the schema and ``config show`` all say what the dataclasses say."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from winnow import config
from winnow.config.descriptions import example, schema, show
from winnow.config.errors import InvalidSettingsError
from winnow.config.feature_settings import FeatureSettings
from winnow.config.setting_list import entries
from winnow.config.settings import Settings
from winnow.config.sources.source_precedence import load
from winnow.feature_list import sections_of

SECTIONS = sections_of(FeatureSettings())
DEFAULT = Path(config.__file__).parent / "default.toml"


def test_the_annotated_file_is_made_from_the_dataclasses() -> None:
    assert DEFAULT.read_text(encoding="utf-8") == example(SECTIONS), "run `make settings`"


def test_the_annotated_file_names_every_setting_with_its_default() -> None:
    loaded = load(DEFAULT, of_features=sections_of)
    assert loaded.settings == Settings(of_features=tuple(each() for each in SECTIONS))
    assert set(loaded.origins) == set(entries(SECTIONS))
    assert set(loaded.origins.values()) == {str(DEFAULT)}


def test_settings_are_shown_with_their_origin() -> None:
    shown = show(load(flags={"server.port": "9090"}))
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert "port = 9090 # command line" in lines
    assert 'host = "127.0.0.1" # default' in lines


def test_shown_settings_are_a_settings_file(tmp_path: Path) -> None:
    loaded = load(flags={"server.port": "9090", "extraction.deadline": "250 ms"})
    file = tmp_path / "winnow.toml"
    file.write_text(show(loaded))
    assert load(file).settings == loaded.settings


def test_the_schema_is_a_schema_and_accepts_the_defaults() -> None:
    Draft202012Validator.check_schema(schema())
    Draft202012Validator(schema()).validate(tomllib.loads(example()))


@pytest.mark.parametrize(
    "toml",
    [
        "[server]\nprot = 1",
        "[sever]",
        '[server]\nport = "x"',
        "[server]\nport = 70000",
        '[extraction]\nformat = "pdf"',
        '[extraction]\ndeadline = "5 m"',
        "[extraction]\nbar = 1",
    ],
)
def test_the_schema_refuses_what_loading_refuses(toml: str) -> None:
    assert not Draft202012Validator(schema()).is_valid(tomllib.loads(toml))


@pytest.mark.parametrize(
    ("path", "value", "shown"),
    [
        ("access.users", "ann:scrypt$secret", '["ann:***"]'),
        ("access.api_keys", "one:secret,two:secret", '["one:***", "two:***"]'),
        ("upstream.proxy", "http://me:secret@p.example:3128", '"http://***@p.example:3128"'),
        ("upstream.proxy", "me:secret@p.example:3128", '"***@p.example:3128"'),
        ("upstream.proxy", "http://me:sec@secret@p.example", '"http://***@p.example"'),
        ("storage.redis", "redis://:secret@r.example/0", '"redis://***@r.example/0"'),
        ("cache.redis", "redis://r.example/0?PASSWORD=secret", None),
        ("ads.lists", "https://me:secret@l.example/list", '["https://***@l.example/list"]'),
    ],
)
def test_no_password_is_shown(path: str, value: str, shown: str | None) -> None:
    """People send what it prints to others (docs/faq.md)."""
    text = show(load(flags={path: value}, of_features=sections_of))
    assert "secret" not in text
    assert shown is None or f"{path.partition('.')[2]} = {shown} " in text
    assert f"{path.partition('.')[2]} = " in text


@pytest.mark.parametrize(
    "text",
    [
        '[upstream]\nproxy = ["http://me:secret@p.example"]',
        '[access]\nusers = "ann:scrypt$secret"',
        '[access]\napi_keys = {ann = "secret"}',
        '[storage]\nredis = ["redis://:secret@r.example/0"]',
    ],
)
def test_no_error_tells_a_password(text: str) -> None:
    with pytest.raises(InvalidSettingsError) as caught:
        load(Path("winnow.toml"), text=text)
    assert "secret" not in str(caught.value)
