"""The command line tells wrong use in one sentence and exits with 0, 1 or 2."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from winnow.cli import COMMANDS, main
from winnow.feature import CommandGroup


class _Stdin:
    buffer = io.BytesIO()


@pytest.fixture(autouse=True)
def _in_an_empty_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", _Stdin)


def exits(*argv: str) -> int:
    """Return the exit code, whether the parser or the command gave it."""
    try:
        return main(argv)
    except SystemExit as leaving:
        return int(leaving.code or 0)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_stands_in_the_module_of_its_name(name: str) -> None:
    assert callable(import_module(COMMANDS[name].module).declare)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exits(name, "--help") == 0
    assert f"usage: winnow {name}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        ((), "winnow: the following arguments are required: COMMAND"),
        (("serv",), "winnow: there is no command 'serv'; did you mean 'serve'?"),
        (("extract",), "winnow extract: the following arguments are required: SOURCE"),
        (
            ("extract", "-", "--format", "markdwon"),
            "winnow extract: argument --format: there is no format 'markdwon'; "
            "did you mean 'markdown'? (see",
        ),
        (("frobnicate",), "winnow: there is no command 'frobnicate'; choose from serve, extract,"),
        (("extract", "-", "--extractor", "btee"), "winnow: There is no extractor 'btee'"),
        (("extract", "a", "b", "--url", "http://x/"), "winnow: --url can only stand with one"),
        (("serve", "--port", "many"), "winnow: command line: server.port must be a whole number"),
        (
            ("config", "chek"),
            "winnow config: argument show|check|schema: there is no action 'chek'; did you mean",
        ),
        (
            ("sites",),
            "winnow sites: the following arguments are required: list|show|export|forget (s",
        ),
        (("extractors", "--jsn"), "winnow: unrecognized arguments: --jsn"),
    ],
)
def test_wrong_use_is_one_sentence_and_exit_2(
    argv: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exits(*argv) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(sentence)
    assert err.count("\n") == 1


def test_help_lists_every_command_once_below_its_group(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert exits("--help") == 0
    out = capsys.readouterr().out
    for group in CommandGroup:
        block = out.partition(f"\n{group}:\n")[2].partition("\n\n")[0]
        commands = [each.name for each in COMMANDS.values() if each.group is group]
        assert commands
        assert [line.split()[0] for line in block.splitlines()] == commands


def test_a_wrong_setting_is_exit_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WINNOW_SERVER__PROT", "1")
    assert main(["config", "check"]) == 1
    assert capsys.readouterr().err == (
        "winnow: environment variable WINNOW_SERVER__PROT: server.prot is unknown;"
        " did you mean server.port?\n"
    )


def test_settings_are_checked_shown_and_described(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "winnow.toml"
    file.write_text("[server]\nport = 9090\n")
    assert main(["config", "check"]) == 0
    assert str(file) in capsys.readouterr().out
    assert main(["config", "show"]) == 0
    assert f"# {file}" in capsys.readouterr().out
    assert main(["config", "schema"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "winnow.toml"


def test_extractors_are_listed_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extractors"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("lqf ") for line in lines)
    assert any(line.strip().startswith("threshold=0.5") for line in lines)


def test_extractors_are_listed_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extractors", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["lqf"]["parameters"] == {"threshold": 0.5, "article": False, "filters": ""}
    assert all(row["summary"] for row in rows.values())


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    command = f"{sys.executable} -m winnow config schema | true"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_a_flag_goes_on_working_under_its_old_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert exits("serve", "--workers", "many") == 2
    assert "command line: server.processes must be a whole number" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[access]\nusers = ["mensa:scrypt$..."]', "access.users: User mensa"),
        ('[access]\nadmins = ["nobody"]', "access.admins: 'nobody' is no user"),
        ('[server]\nhost = "0.0.0.0"', "lets other computers in"),
        ('[server]\ntrusted_proxies = ["balancer"]', "server.trusted_proxies: 'balancer'"),
        ('[server]\ntls_cert = "none.pem"\ntls_key = "none.pem"', "server.tls_cert none.pem"),
        ('[upstream]\nproxy = "ftp://a.test"', "upstream.proxy"),
        ('[sites]\nlevels = ["a.test=99"]', "sites"),
        ('[interception]\nauthority = "none.pem"', "interception.authority none.pem"),
        ('[learning]\nredis = "http://a.test"', "learning.redis is no address of a Redis"),
    ],
)
def test_what_a_start_refuses_is_found_by_the_check(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str,
    sentence: str,
) -> None:
    """The line ``users = ["mensa:scrypt$..."]`` was valid, and the service did not start."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "winnow.toml").write_text(text)
    assert main(["config", "check"]) == 1
    assert sentence in capsys.readouterr().err
