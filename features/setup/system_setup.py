"""Proxy and certificate set for this computer by its own programs, with what undoes each step.

NSS: certutil(1). GNOME: org.gnome.system.proxy by gsettings(1). KDE: kioslaverc by
kwriteconfig. System store: update-ca-certificates(8). macOS: security(1), networksetup(8), which
nobody has tried yet.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from shlex import quote
from typing import Final

from winnow.proxy.stores.files import write_private

Command = tuple[str, ...]
NICKNAME: Final = "Winnow"
RECORD: Final = "setup.json"
_GNOME: Final = "org.gnome.system.proxy"
_SYSTEM_FILE: Final = Path("/usr/local/share/ca-certificates/winnow-ca.crt")
_KDE: Final = ("--file", "kioslaverc", "--group", "Proxy Settings", "--key")
_SECONDS: Final = 60
_SESSION: Final = frozenset(("DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY"))
"""What names a desktop session: outside one gsettings(1) keeps nothing."""
_KDE_KEYS: Final = ("Proxy Config Script", "ProxyType")
_UNHOOKED: Final = (
    "for hook in /etc/ca-certificates/update.d/*; do"
    ' [ ! -x "$hook" ] || echo -/etc/ssl/certs/winnow-ca.pem | "$hook"; done'
)
"""Tells other stores, such as Java's, that it is gone: update-ca-certificates --fresh does not."""


_FIXED_UNDOINGS: Final[tuple[Command, ...]] = (
    ("rm", "-f", str(_SYSTEM_FILE)),
    ("update-ca-certificates", "--fresh"),
    ("sh", "-c", _UNHOOKED),
    ("networksetup", "-setautoproxystate", "Wi-Fi", "off"),
)


@dataclass(frozen=True)
class SetupTarget:
    """``home`` of the user, ``certificate``: the authority's file, ``pac``: an address."""

    home: Path
    certificate: Path
    pac: str
    name: str


@dataclass(frozen=True)
class SetupStep:
    """Commands that set one thing, and those that undo it; ``before`` may fail.

    ``proof``: a command that prints ``proven`` once the thing is set, if there is one.
    """

    what: str
    commands: tuple[Command, ...]
    undo: tuple[Command, ...]
    before: tuple[Command, ...] = ()
    proof: Command = ()
    proven: str = ""


@dataclass(frozen=True)
class SetupResult:
    """What a step came to: ``fault`` is "" where it is done."""

    what: str
    fault: str = ""


def steps(wanted: SetupTarget) -> Iterator[SetupStep]:
    """What can be set on this computer, by the programs that are here."""
    if sys.platform == "darwin":
        yield from _macos(wanted)
        return
    if shutil.which("certutil"):
        yield _nss(wanted, wanted.home / ".pki" / "nssdb", "Chromium, Chrome and Edge")
        for store in sorted(wanted.home.glob(".mozilla/firefox/*/cert9.db")):
            yield _nss(wanted, store.parent, f"Firefox ({store.parent.name})")
    if os.geteuid() == 0 and shutil.which("update-ca-certificates"):
        yield _system_store(wanted)
    in_session = not _SESSION.isdisjoint(os.environ)
    if in_session and shutil.which("gsettings") and _output("gsettings", "get", _GNOME, "mode"):
        yield _gnome(wanted)
    if writer := shutil.which("kwriteconfig6") or shutil.which("kwriteconfig5"):
        yield _kde(wanted, writer)


def hints(wanted: SetupTarget) -> Iterator[str]:
    """What the user has to do, since a program or a right is missing."""
    if sys.platform == "darwin":
        yield "These steps for macOS were not tried by whoever wrote them."
        return
    if not shutil.which("certutil"):
        yield "Browsers: install certutil (Debian: libnss3-tools) and run this again."
    if os.geteuid() != 0 and shutil.which("update-ca-certificates"):
        yield (
            "Other programs: sudo cp "
            f"{quote(str(wanted.certificate))} {_SYSTEM_FILE} && sudo update-ca-certificates"
        )
    yield f"Where no desktop sets the proxy: chromium --proxy-pac-url={wanted.pac}"


def done(wanted: SetupTarget, record: Path, todo: Sequence[SetupStep]) -> Iterator[SetupResult]:
    """Carry the steps out, each recorded so that ``undone`` finds it. Blocks."""
    (wanted.home / ".pki" / "nssdb").mkdir(mode=0o700, parents=True, exist_ok=True)
    for step in todo:
        for command in step.before:
            _run(command)
        fault = _first_fault(step.commands) or _lost(step)
        if not fault:
            _remember(record, step)
        yield SetupResult(step.what, fault)


def undone(record: Path) -> Iterator[SetupResult]:
    """Undo what is recorded, last first. Blocks."""
    kept: list[SetupStep] = []
    for step in reversed(_recorded(record)):
        fault = _first_fault(step.undo)
        if fault:
            kept.insert(0, step)
        yield SetupResult(step.what, fault)
    _write(record, kept)


def _nss(wanted: SetupTarget, store: Path, whose: str) -> SetupStep:
    database = ("-d", f"sql:{store}")
    new = (("certutil", *database, "-N", "--empty-password"),)
    add = ("certutil", *database, "-A", "-t", "C,,", "-n", NICKNAME, "-i", str(wanted.certificate))
    remove = ("certutil", *database, "-D", "-n", NICKNAME)
    make = () if (store / "cert9.db").exists() else new
    return SetupStep(
        f"certificate for {whose}", (*make, add), (remove,), (remove,) if not make else ()
    )


def _system_store(wanted: SetupTarget) -> SetupStep:
    return SetupStep(
        "certificate for all programs that use the system's store",
        (("cp", str(wanted.certificate), str(_SYSTEM_FILE)), ("update-ca-certificates",)),
        _FIXED_UNDOINGS[:3],
    )


def _gnome(wanted: SetupTarget) -> SetupStep:
    keys = {"autoconfig-url": f"'{wanted.pac}'", "mode": "'auto'"}
    old = {key: _output("gsettings", "get", _GNOME, key) or "''" for key in keys}
    if old["autoconfig-url"] == keys["autoconfig-url"]:
        old = {"autoconfig-url": "''", "mode": "'none'"}  # ours, from an earlier time
    start = ("gsettings", "set", _GNOME)
    proof = ("gsettings", "get", _GNOME, "autoconfig-url")
    return SetupStep(
        "proxy in GNOME's settings",
        _each(start, keys),
        _each(start, old),
        proof=proof,
        proven=keys["autoconfig-url"],
    )


def _kde(wanted: SetupTarget, writer: str) -> SetupStep:
    keys = {"Proxy Config Script": wanted.pac, "ProxyType": "2"}
    reader = writer.replace("kwriteconfig", "kreadconfig")
    old = {key: _output(reader, *_KDE, key) for key in keys}
    if old["Proxy Config Script"] == wanted.pac:
        old = {"Proxy Config Script": "", "ProxyType": "0"}  # ours, from an earlier time
    start = (writer, *_KDE)
    return SetupStep("proxy in KDE's settings", _each(start, keys), _each(start, old))


def _each(start: Command, values: Mapping[str, str]) -> tuple[Command, ...]:
    return tuple((*start, key, value) for key, value in values.items())


def _macos(wanted: SetupTarget) -> Iterator[SetupStep]:
    keychain = str(wanted.home / "Library" / "Keychains" / "login.keychain-db")
    trust = ("security", "add-trusted-cert", "-r", "trustRoot", "-k", keychain)
    yield SetupStep(
        "certificate in the login keychain (not tried)",
        ((*trust, str(wanted.certificate)),),
        (("security", "delete-certificate", "-c", wanted.name, keychain),),
    )
    yield SetupStep(
        "proxy of the Wi-Fi (not tried)",
        (("networksetup", "-setautoproxyurl", "Wi-Fi", wanted.pac),),
        _FIXED_UNDOINGS[3:],
    )


def _lost(step: SetupStep) -> str:
    """Why a thing is not set though its commands ended well, as those of gsettings(1) always do."""
    if not step.proof or _output(*step.proof) == step.proven:
        return ""
    return f"{step.proof[0]} did not keep it"


def _first_fault(commands: Sequence[Command]) -> str:
    return next((fault for fault in map(_run, commands) if fault), "")


def _run(command: Command) -> str:
    """Why a command failed, "" if it did not."""
    try:
        ended = subprocess.run(  # noqa: S603 - fixed programs
            command, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if ended.returncode == 0:
        return ""
    said = (ended.stderr or ended.stdout).strip().splitlines()
    return f"{command[0]}: {said[-1] if said else f'ended with {ended.returncode}'}"


def _output(*command: str) -> str:
    try:
        ended = subprocess.run(  # noqa: S603 - fixed programs
            command, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ended.stdout.strip() if ended.returncode == 0 else ""


def _recorded(record: Path) -> list[SetupStep]:
    try:
        found = json.loads(record.read_text())
    except FileNotFoundError:
        return []
    except RecursionError as error:
        raise ValueError(f"{record} is damaged.") from error
    try:
        steps = [
            SetupStep(each["what"], (), tuple(tuple(command) for command in each["undo"]))
            for each in found
        ]
    except (TypeError, KeyError) as error:
        raise ValueError(f"{record} is damaged.") from error
    if not all(_is_undoing(command) for step in steps for command in step.undo):
        raise ValueError(f"{record} names commands that this program does not write there.")
    return steps


def _is_undoing(command: Command) -> bool:
    """Whether ``steps`` has such a command: a record may be another user's, or somebody's gift."""
    match command:
        case ("certutil", "-d", store, "-D", "-n", name):
            return store.startswith("sql:") and name == NICKNAME
        case ("gsettings", "set", schema, key, _):
            return schema == _GNOME and key in ("autoconfig-url", "mode")
        case (writer, *where, key, _) if tuple(where) == _KDE:
            name = Path(writer).name
            known = ("kwriteconfig6", "kwriteconfig5")
            return name in known and writer == shutil.which(name) and key in _KDE_KEYS
        case ("security", "delete-certificate", "-c", _, _):
            return True
        case _:
            return command in _FIXED_UNDOINGS


def _remember(record: Path, step: SetupStep) -> None:
    """The first undoing of a step counts: later ones would restore what we set ourselves."""
    before = _recorded(record)
    if step.what not in [each.what for each in before]:
        _write(record, [*before, step])


def _write(record: Path, steps: Sequence[SetupStep]) -> None:
    record.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    kept = [{"what": step.what, "undo": asdict(step)["undo"]} for step in steps]
    write_private(record, json.dumps(kept, indent=1).encode())
