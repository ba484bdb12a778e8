"""The proxies that are compared: how each is set up and started; measures nothing.

A Python program of somebody else's gets an environment of its own, made when first needed.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.free_ports import free_port
from benchmarks.traffic.processes import Server, serving
from winnow.evaluation.errors import SubjectError
from winnow.evaluation.peers.catalogue import Peer
from winnow.evaluation.peers.environments import home_of

REFERENCE = "pass-through"
OURS = "winnow"
MITMPROXY = Peer("mitmproxy", ("mitmproxy==11.0.2",))
PROXY_PY = Peer("proxy.py", ("proxy.py==2.4.10",))
_HERE = Path(__file__).parent

_WINNOW = """\
[server]
port = {port}
processes = {processes}
{server}
[storage]
folder = "{folder}/winnow"
[access]
private_names = ["localhost"]
[interception]
hosts = ["*"]
learn = false
"""
_SQUID = """\
http_port 127.0.0.1:{port}
http_access allow all
cache_mem 256 MB
maximum_object_size_in_memory 4 MB
access_log none
cache_log /dev/null
pid_filename none
coredump_dir {folder}
shutdown_lifetime 1 second
visible_hostname squid.test
"""
_TINYPROXY = """\
Port {port}
Listen 127.0.0.1
Timeout 60
MaxClients 2500
LogLevel Critical
Allow 127.0.0.1
"""
_PRIVOXY = """\
listen-address 127.0.0.1:{port}
confdir {confdir}
logdir {folder}
templdir {confdir}/templates
actionsfile match-all.action
filterfile default.filter
keep-alive-timeout 30
tolerate-pipelining 1
max-client-connections 2500
"""

Command = Callable[[Path, int], list[str]]


@dataclass(frozen=True, slots=True)
class Proxy:
    """``command`` writes what the program needs into a folder and says how it is started.

    It raises SubjectError for a program that is not there.
    """

    name: str
    command: Command


@contextmanager
def started(proxy: Proxy, folder: Path) -> Iterator[Server]:
    """The proxy, listening. Raises SubjectError if it cannot be had."""
    own, port = folder / proxy.name, free_port()
    own.mkdir(mode=0o755, exist_ok=True)
    with serving(proxy.command(own, port), port, proxy.name) as server:
        yield server


def winnow(more: str = "", processes: int = 1, server: str = "") -> Command:
    """This very Winnow with its defaults, further lines of settings, and of ``[server]``."""

    def command(folder: Path, port: int) -> list[str]:
        config = folder / "winnow.toml"
        settings_text = _WINNOW.format(port=port, processes=processes, folder=folder, server=server)
        config.write_text(settings_text + more, "utf-8")
        return [sys.executable, "-m", "winnow", "serve", "--config", str(config)]

    return command


def _pass_through(_: Path, port: int) -> list[str]:
    return [sys.executable, str(_HERE / "passthrough.py"), str(port)]


def _squid(folder: Path, port: int) -> list[str]:
    return [_found("squid"), "-N", "-f", _config(folder, _SQUID, port=port)]


def _tinyproxy(folder: Path, port: int) -> list[str]:
    return [_found("tinyproxy"), "-d", "-c", _config(folder, _TINYPROXY, port=port)]


def _privoxy(folder: Path, port: int) -> list[str]:
    """With the filters that its package switches on for every page."""
    confdir = Path("/etc/privoxy")
    if not (confdir / "default.filter").exists():
        raise SubjectError("Privoxy's filters are not in /etc/privoxy.")
    config = _config(folder, _PRIVOXY, port=port, confdir=confdir)
    return [_found("privoxy"), "--no-daemon", config]


def _mitmdump(folder: Path, port: int) -> list[str]:
    program = str(home_of(MITMPROXY) / "bin" / "mitmdump")
    options = [f"confdir={folder}", "ssl_insecure=true", "listen_host=127.0.0.1"]
    sets = [part for option in options for part in ("--set", option)]
    return [program, "-q", "--listen-port", str(port), *sets]


def _proxy_py(folder: Path, port: int) -> list[str]:
    """One worker, as all others have."""
    program = str(home_of(PROXY_PY) / "bin" / "proxy")
    ones = ["--num-workers", "1", "--num-acceptors", "1", "--log-level", "ERROR"]
    where = ["--hostname", "127.0.0.1", "--port", str(port)]
    return [program, *where, *ones, "--data-dir", str(folder)]


def _found(program: str) -> str:
    found = shutil.which(program) or shutil.which(program, path="/usr/sbin")
    if not found:
        raise SubjectError(f"{program} is not installed (apt-get install {program}).")
    return found


def _config(folder: Path, text: str, **values: object) -> str:
    path = folder / "proxy.conf"
    path.write_text(text.format(folder=folder, **values), "utf-8")
    return str(path)


PROXIES: tuple[Proxy, ...] = (
    Proxy(REFERENCE, _pass_through),
    Proxy(OURS, winnow()),
    Proxy(f"{OURS}, two server processes", winnow(processes=2)),
    Proxy("squid", _squid),
    Proxy("tinyproxy", _tinyproxy),
    Proxy("privoxy", _privoxy),
    Proxy("mitmdump", _mitmdump),
    Proxy("proxy.py", _proxy_py),
)
