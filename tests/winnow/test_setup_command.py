"""``winnow setup`` sets certificate and proxy by the system's programs; ``--undo`` takes all back.

certutil is the system's; gsettings and kwriteconfig are stand-ins that keep what they are given.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.programs import require_program
from winnow.cli import main
from winnow.features.setup.system_setup import NICKNAME, SetupTarget, steps

STAND_IN = """#!/bin/sh
# NAME get|set SCHEMA KEY [VALUE]: a file a key
file="{folder}/$3"
case "$1" in
  get) cat "$file" 2>/dev/null || echo "{empty}" ;;
  set) printf '%s\\n' "$4" > "$file" ;;
esac
"""
KDE = """#!/bin/sh
# --file F --group G --key KEY [VALUE]
file="{folder}/kde-$(echo "$6" | tr ' ' _)"
if [ "$(basename "$0")" = kreadconfig6 ]; then cat "$file" 2>/dev/null; exit 0; fi
printf '%s\\n' "$7" > "$file"
"""


def program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user of a computer with certutil, GNOME and KDE, who is not root."""
    certutil, programs, kept = require_program("certutil"), tmp_path / "bin", tmp_path / "kept"
    for folder in (programs, kept, tmp_path / "home"):
        folder.mkdir()
    (programs / "certutil").symlink_to(certutil)
    program(programs / "gsettings", STAND_IN.format(folder=kept, empty="'none'"))
    program(programs / "kwriteconfig6", KDE.format(folder=kept))
    program(programs / "kreadconfig6", KDE.format(folder=kept))
    for name in ("sh", "cat", "basename", "tr", "mv"):
        (programs / name).symlink_to(require_program(name))
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("WINNOW_STORAGE__FOLDER", str(tmp_path / "data"))
    monkeypatch.setenv("WINNOW_SERVER__PORT", "18080")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


def nicknames(home: Path) -> str:
    store = f"sql:{home / '.pki' / 'nssdb'}"
    listed = subprocess.run(
        ["certutil", "-L", "-d", store], capture_output=True, text=True, check=True
    )
    return listed.stdout


def test_it_sets_certificate_and_proxy_and_takes_them_back(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "kept"
    kept.joinpath("mode").write_text("'manual'\n")
    assert main(["setup"]) == 0
    said = capsys.readouterr().out
    assert "certificate for Chromium, Chrome and Edge: set" in said
    assert "Restart your browser, then open a page." in said
    assert "(wget, pip, robots) get pages as their sites send them" in said
    assert "C,," in nicknames(home).partition(NICKNAME)[2]
    assert kept.joinpath("mode").read_text() == "'auto'\n"
    pac = "http://127.0.0.1:18080/-/proxy.pac"
    assert kept.joinpath("autoconfig-url").read_text() == f"'{pac}'\n"
    assert kept.joinpath("kde-Proxy_Config_Script").read_text() == f"{pac}\n"
    assert kept.joinpath("kde-ProxyType").read_text() == "2\n"
    assert main(["setup"]) == 0, "it can be run again"
    assert nicknames(home).count(NICKNAME) == 1
    assert main(["setup", "--undo"]) == 0
    assert NICKNAME not in nicknames(home)
    assert kept.joinpath("mode").read_text() == "'manual'\n"
    assert kept.joinpath("kde-ProxyType").read_text() == "\n"
    capsys.readouterr()
    assert main(["setup", "--undo"]) == 0
    assert "nothing to do" in capsys.readouterr().out


@pytest.mark.usefixtures("home")
def test_what_fails_is_said_and_not_undone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program(tmp_path / "bin" / "kwriteconfig6", "#!/bin/sh\necho no KDE here >&2\nexit 3\n")
    assert main(["setup"]) == 1
    assert "proxy in KDE's settings: " in (said := capsys.readouterr().out)
    assert "no KDE here" in said
    main(["setup", "--undo"])
    assert "KDE" not in capsys.readouterr().out


@pytest.mark.usefixtures("home")
def test_settings_that_are_not_kept_are_not_said_to_be_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program(tmp_path / "bin" / "gsettings", "#!/bin/sh\n[ $1 = set ] || echo \"'none'\"\n")
    assert main(["setup"]) == 1
    assert "proxy in GNOME's settings: gsettings did not keep it" in capsys.readouterr().out


@pytest.mark.usefixtures("home")
def test_outside_a_desktop_session_gnome_s_settings_are_left_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert main(["setup"]) == 0
    said = capsys.readouterr().out
    assert "GNOME" not in said
    assert "--proxy-pac-url=" in said


@pytest.mark.usefixtures("home")
def test_other_stores_are_told_that_the_certificate_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    program(tmp_path / "bin" / "update-ca-certificates", "#!/bin/sh\n")
    wanted = SetupTarget(tmp_path / "home", tmp_path / "ca.pem", "http://pac", "Winnow")
    (shared,) = [step for step in steps(wanted) if "system's store" in step.what]
    hooks, told = tmp_path / "hooks", tmp_path / "told"
    hooks.mkdir()
    program(hooks / "java", f"#!/bin/sh\ncat > {told}\n")
    (hooks / "notes").write_text("no program")
    *_, (shell, option, script) = shared.undo
    script = script.replace("/etc/ca-certificates/update.d", str(hooks))
    subprocess.run([shell, option, script], check=True)
    assert told.read_text() == "-/etc/ssl/certs/winnow-ca.pem\n"


@pytest.mark.usefixtures("home")
def test_without_certutil_it_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bin" / "certutil").unlink()
    main(["setup"])
    assert "libnss3-tools" in capsys.readouterr().out


@pytest.mark.usefixtures("home")
def test_a_profile_of_firefox_gets_the_certificate_too(tmp_path: Path, home: Path) -> None:
    profile = home / ".mozilla" / "firefox" / "abc.default"
    profile.mkdir(parents=True)
    new = ["certutil", "-N", "--empty-password", "-d", f"sql:{profile}"]
    subprocess.run(new, check=True)
    assert main(["setup"]) == 0
    listed = subprocess.run(
        ["certutil", "-L", "-d", f"sql:{profile}"], capture_output=True, text=True, check=True
    )
    assert NICKNAME in listed.stdout


@pytest.mark.usefixtures("home")
def test_it_starts_a_browser_with_the_proxy(tmp_path: Path) -> None:
    started = tmp_path / "started"
    program(
        tmp_path / "bin" / "chromium",
        f'#!/bin/sh\necho "$@" > {started}.new; mv {started}.new {started}\n',
    )
    assert main(["setup", "--open"]) == 0
    while not started.exists():
        pass
    pac = "http://127.0.0.1:18080/-/proxy.pac"
    assert started.read_text().split() == [
        f"--proxy-pac-url={pac}",
        "http://127.0.0.1:18080/-/setup",
    ]


def test_a_program_s_environment_is_printed_and_taken_back(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By a shell: what is exported is what curl, Python and Node need."""
    assert main(["setup", "--agent"]) == 0
    lines = capsys.readouterr().out
    shown = subprocess.run(
        ["sh", "-c", f'{lines}echo "$https_proxy"; cat "$SSL_CERT_FILE" "$NODE_EXTRA_CA_CERTS"'],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    proxy, _, authorities = shown.partition("\n")
    assert proxy == "http://127.0.0.1:18080"
    own = (tmp_path / "data" / "winnow-ca.crt").read_text()
    assert authorities.count(own) == 2
    assert not (home / ".pki").exists()
    assert main(["setup", "--agent", "--undo"]) == 0
    undoing = capsys.readouterr().out
    left = subprocess.run(
        ["sh", "-c", f'{lines}{undoing}echo "$https_proxy$SSL_CERT_FILE$NODE_EXTRA_CA_CERTS"'],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert left == "\n"
    assert not (tmp_path / "data" / "agent-ca.pem").exists()


@pytest.mark.usefixtures("home")
def test_a_record_runs_no_command_of_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An administrator undoes what is recorded in a folder of another user."""
    mark, data = tmp_path / "mark", tmp_path / "data"
    program(tmp_path / "bin" / "touch", f"#!/bin/sh\necho > {mark}\n")
    data.mkdir(exist_ok=True)
    for undo in (
        ["touch", str(mark)],
        ["sh", "-c", f"echo > {mark}"],
        [str(tmp_path / "bin" / "touch"), "--file", "kioslaverc"],
        ["gsettings", "set", "org.gnome.desktop.background", "picture-uri", "x"],
        ["rm", "-f", str(mark)],
    ):
        data.joinpath("setup.json").write_text(json.dumps([{"what": "x", "undo": [undo]}]))
        assert main(["setup", "--undo"]) != 0
        assert "names commands" in capsys.readouterr().err
        assert not mark.exists()


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("name", ["winnow-ca.crt", "setup.json", "agent-ca.pem"])
def test_a_link_in_the_data_folder_is_not_written_through(tmp_path: Path, name: str) -> None:
    victim, data = tmp_path / "victim", tmp_path / "data"
    victim.write_text("[]")
    data.mkdir(exist_ok=True)
    data.joinpath(name).symlink_to(victim)
    main(["setup"])
    main(["setup", "--agent"])
    assert victim.read_text() == "[]"
    assert data.joinpath(name).stat().st_mode & 0o777 == (0o600 if name == "setup.json" else 0o644)


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    "record", ["null", "[[]]", '{"what": 1}', '[{"what": "x"}]', "[" * 100_000]
)
def test_a_damaged_record_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], record: str
) -> None:
    (tmp_path / "data").mkdir(exist_ok=True)
    (tmp_path / "data" / "setup.json").write_text(record)
    assert main(["setup", "--undo"]) != 0
    assert "is damaged" in capsys.readouterr().err


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("host", ["a'b", "a b", "$(id)", "a;b", "user@evil.example", "a/b", "a#b"])
def test_a_host_that_is_none_is_given_to_no_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setenv("WINNOW_SERVER__HOST", host)
    for words in (["setup"], ["setup", "--agent"]):
        assert main(words) != 0
    assert not list((tmp_path / "kept").iterdir())
