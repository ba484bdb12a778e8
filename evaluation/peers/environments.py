"""An environment of its own for each peer, made when first needed and stored outside the tree."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

from winnow.evaluation.errors import SubjectError
from winnow.evaluation.peers.catalogue import Peer, PeerKind

_READY = "ready"
_HERE = Path(__file__).parent


def command(peer: Peer, root: Path | None = None) -> list[str]:
    """The command that starts the peer; makes its environment where there is none yet."""
    home = home_of(peer, root)
    if peer.kind is PeerKind.NODE:
        dom = peer.requirements[-1].partition("@")[0]
        return ["node", str(home / "readability.js"), dom]
    return [str(home / "bin" / "python"), "-I", str(_HERE / "runner.py"), peer.name]


def command_here(name: str) -> list[str]:
    """The command that answers as a peer does, with what is installed where this program runs."""
    return [sys.executable, "-I", str(_HERE / "runner.py"), name]


def home_of(peer: Peer, root: Path | None = None) -> Path:
    """The folder of the peer's environment, which is made where there is none yet.

    One process makes it while others wait: two measurements may need the same peer at once.
    """
    home = _folder(peer, root)
    home.parent.mkdir(parents=True, exist_ok=True)
    with home.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (home / _READY).exists():
            _make(peer, home)
            (home / _READY).touch()
    return home


def is_installed(peer: Peer, root: Path | None = None) -> bool:
    """Whether an earlier run made the peer's environment."""
    return (_folder(peer, root) / _READY).exists()


def cache_root() -> Path:
    """``winnow/peers`` below the user's cache folder (XDG base directories)."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "winnow" / "peers"


def _folder(peer: Peer, root: Path | None) -> Path:
    return (root or cache_root()) / f"{peer.name}-{_digest(peer)}"


def _digest(peer: Peer) -> str:
    script = (_HERE / "readability.js").read_bytes() if peer.kind is PeerKind.NODE else b""
    wanted = " ".join((*peer.requirements, sys.version.split()[0])).encode()
    return sha256(wanted + script).hexdigest()[:12]


def _make(peer: Peer, home: Path) -> None:
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    if peer.kind is PeerKind.NODE:
        _run(
            peer, ["npm", "install", "--loglevel=error", "--prefix", str(home), *peer.requirements]
        )
        shutil.copy(_HERE / "readability.js", home)  # node looks for modules beside the script
        return
    _run(peer, [sys.executable, "-m", "venv", str(home)])
    pip = [str(home / "bin" / "python"), "-m", "pip", "install", "-qq"]
    _run(peer, [*pip, *peer.requirements])


def _run(peer: Peer, arguments: list[str]) -> None:
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, check=False)  # noqa: S603 - our own table's requirements
    except FileNotFoundError:
        raise SubjectError(f"{peer.name} needs {arguments[0]}: install it first.") from None
    if done.returncode:
        log_lines = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        raise SubjectError(f"{peer.name} could not be installed: {' '.join(log_lines)}")
