"""``default.toml``, the schema and ``config show`` all say what the dataclasses say."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from winnow import config
from winnow.config.descriptions import example, schema, show
from winnow.config.setting_list import entries
from winnow.config.settings import Settings
from winnow.config.source_precedence import load

DEFAULT = Path(config.__file__).parent / "default.toml"


def test_the_annotated_file_is_made_from_the_dataclasses() -> None:
    assert DEFAULT.read_text(encoding="utf-8") == example(), "run `make settings`"


def test_the_annotated_file_names_every_setting_with_its_default() -> None:
    loaded = load(DEFAULT)
    assert loaded.settings == Settings()
    assert set(loaded.origins) == set(entries())
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
