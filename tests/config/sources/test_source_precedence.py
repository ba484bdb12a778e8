"""Defaults, then the file, then the environment, then flags; each value knows where it is from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from winnow.config.errors import InvalidSettingsError, Problem, UnreadableFileError
from winnow.config.feature_settings import FeatureSettings
from winnow.config.server_settings import LogLevel
from winnow.config.setting_fields import setting
from winnow.config.settings import Settings
from winnow.config.sources.source_precedence import Loaded, find_file, load


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "winnow.toml"


def problems(
    file: Path | None = None,
    environment: dict[str, str] | None = None,
    flags: dict[str, str] | None = None,
) -> tuple[Problem, ...]:
    with pytest.raises(InvalidSettingsError) as caught:
        load(file, environment or {}, flags or {})
    return caught.value.problems


def message_of(file: Path, toml: str) -> str:
    file.write_text(toml)
    (problem,) = problems(file)
    return str(problem).removeprefix(f"{file}: ")


def port_and_origin(loaded: Loaded) -> tuple[int, str]:
    return loaded.settings.server.port, loaded.origins["server.port"]


def test_without_anything_the_defaults_hold() -> None:
    loaded = load()
    assert loaded.settings == Settings()
    assert set(loaded.origins.values()) == {"default"}


def test_a_later_layer_wins_over_an_earlier(file: Path) -> None:
    file.write_text("[server]\nport = 1111\n")
    environment = {"WINNOW_SERVER__PORT": "2222"}
    flags = {"server.port": "3333"}
    assert port_and_origin(load()) == (8080, "default")
    assert port_and_origin(load(file)) == (1111, str(file))
    assert port_and_origin(load(file, environment)) == (
        2222,
        "environment variable WINNOW_SERVER__PORT",
    )
    assert port_and_origin(load(file, environment, flags)) == (3333, "command line")


def test_a_layer_changes_only_what_it_names(file: Path) -> None:
    file.write_text("[server]\nport = 1111\n")
    loaded = load(file, {"WINNOW_SERVER__HOST": "0.0.0.0"})
    assert (loaded.settings.server.host, loaded.settings.server.port) == ("0.0.0.0", 1111)
    assert loaded.settings.upstream == Settings().upstream


def test_quantities_choices_and_paths_become_their_types(file: Path) -> None:
    file.write_text(
        '[extraction]\nmax_page = "2 MiB"\ndeadline = "250 ms"\nmin_confidence = 1\n'
        '[server]\nlog_level = "debug"\n[upstream]\nca_bundle = "/etc/ca.pem"\nkeepalive = 7\n'
    )
    settings = load(file).settings
    assert settings.extraction.max_page == 2 * 1024 * 1024
    assert settings.extraction.deadline == 0.25
    assert settings.extraction.min_confidence == 1.0
    assert settings.server.log_level is LogLevel.DEBUG
    assert settings.upstream.ca_bundle == Path("/etc/ca.pem")
    assert settings.upstream.keepalive == 7.0


@pytest.mark.parametrize("toml", ["[zzz]\nqqq = 1", "[zzz]"], ids=["setting", "section"])
def test_a_section_of_a_feature_that_is_gone_is_logged(
    file: Path, toml: str, caplog: pytest.LogCaptureFixture
) -> None:
    file.write_text(toml)
    assert load(file).settings == Settings()
    assert f"{file}: no feature has the setting zzz" in caplog.text


@dataclass(frozen=True)
class OfAFeature:
    """What a feature may say."""

    SECTION: ClassVar[str] = "slowest"
    pages: int = setting(10, "Number of pages.", minimum=1)


def of_slowest(chosen: FeatureSettings) -> tuple[type[OfAFeature], ...]:
    return (OfAFeature,) if "slowest" in chosen.enabled else ()


def test_a_feature_that_is_asked_for_brings_its_section(file: Path) -> None:
    file.write_text('[features]\nenabled = ["slowest"]\n[slowest]\npages = 20\n')
    loaded = load(file, {"WINNOW_SLOWEST__PAGES": "30"}, of_features=of_slowest)
    assert loaded.settings.of(OfAFeature) == OfAFeature(30)
    assert loaded.origins["slowest.pages"] == "environment variable WINNOW_SLOWEST__PAGES"
    assert load(of_features=of_slowest).settings.of(OfAFeature) == OfAFeature(10)


def test_its_settings_are_checked(file: Path) -> None:
    file.write_text('[features]\nenabled = ["slowest"]\n[slowest]\npages = 0\npage = 1\n')
    with pytest.raises(InvalidSettingsError) as caught:
        load(file, of_features=of_slowest)
    assert [str(each.message) for each in caught.value.problems] == [
        "must be at least 1, not 0",
        "is unknown; did you mean slowest.pages?",
    ]


def test_an_empty_path_is_none() -> None:
    assert load(environment={"WINNOW_UPSTREAM__CA_BUNDLE": ""}).settings.upstream.ca_bundle is None


@pytest.mark.parametrize(
    ("text", "value"), [("off", False), ("No", False), ("0", False), ("yes", True), ("TRUE", True)]
)
def test_a_variable_says_yes_and_no_in_words(text: str, value: bool) -> None:
    assert load(environment={"WINNOW_EXTRACTION__BAR": text}).settings.extraction.bar is value


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("[server]\nprot = 1", "server.prot is unknown; did you mean server.port?"),
        ("[sever]\nport = 1", "sever.port is unknown; did you mean server.port?"),
        ("port = 1", "port is unknown; did you mean server.port?"),
        ("zzz = 1", "zzz is unknown"),
        ("[servr]", "servr is unknown; did you mean server.port?"),
        ('[server]\nport = "x"', 'server.port must be a whole number, not "x"'),
        ("[server]\nport = true", "server.port must be a whole number, not true"),
        ("[server]\nport = 70000", "server.port must be at most 65535, not 70000"),
        ("[server]\nport = -1", "server.port must be at least 0, not -1"),
        ("[server]\nhost = 1", "server.host must be a string, not 1"),
        ("[extraction]\nbar = 1", "extraction.bar must be true or false, not 1"),
        (
            "[extraction]\nmin_confidence = nan",
            "extraction.min_confidence must be a number, not NaN",
        ),
        (
            '[extraction]\nmax_page = "8 mph"',
            'extraction.max_page must be a size such as "8 MiB"'
            ' (B, kB, MB, GB, KiB, MiB, GiB), not "8 mph"',
        ),
        (
            '[extraction]\nmax_memory = "1 MiB"',
            "extraction.max_memory must be at least 64 MiB, not 1 MiB",
        ),
        (
            "[extraction]\ndeadline = -5",
            'extraction.deadline must be a duration such as "5 s" (ms, s, min, h, d), not -5',
        ),
        (
            '[extraction]\nformat = "pdf"',
            'extraction.format must be one of html, pruned, text, markdown, json, spans, not "pdf"',
        ),
        (
            '[server]\nlog_level = "loud"',
            'server.log_level must be one of debug, info, warning, error, not "loud"',
        ),
    ],
)
def test_a_wrong_setting_is_named_with_what_would_be_right(
    file: Path, toml: str, message: str
) -> None:
    assert message_of(file, toml) == message


def test_all_problems_are_told_at_once_with_their_places(file: Path) -> None:
    file.write_text("[server]\nprot = 1\n")
    found = problems(file, {"WINNOW_SERVER__HSOT": "x"}, {"server.port": "many"})
    assert [str(problem) for problem in found] == [
        f"{file}: server.prot is unknown; did you mean server.port?",
        "environment variable WINNOW_SERVER__HSOT: server.hsot is unknown;"
        " did you mean server.host?",
        'command line: server.port must be a whole number, not "many"',
    ]


def test_other_variables_are_left_alone() -> None:
    environment = {"WINNOW_PACKAGES": "/packages", "SERVER__PORT": "1", "WINNOW": "x"}
    assert load(environment=environment) == load()


def test_a_missing_file_is_named(file: Path) -> None:
    with pytest.raises(UnreadableFileError, match=r"cannot read .*winnow\.toml: No such file"):
        load(file)


@pytest.mark.parametrize("content", [b"[server", b"\xff\xfe"])
def test_a_file_that_is_no_toml_is_named(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(UnreadableFileError, match=r"winnow\.toml is not valid TOML"):
        load(file)


def test_the_file_is_the_named_one_or_the_one_in_the_folder(tmp_path: Path, file: Path) -> None:
    assert find_file({}, tmp_path) is None
    file.touch()
    assert find_file({}, tmp_path) == file
    assert find_file({"WINNOW_CONFIG": "/etc/w.toml"}, tmp_path) == Path("/etc/w.toml")
