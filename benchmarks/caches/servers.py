"""The origin of the cases and the proxies under test, on free loopback ports, ended by id."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.free_ports import free_port
from benchmarks.load.programs import STARTED
from winnow.evaluation.errors import SubjectError
from winnow.evaluation.peers.environments import cache_root

REQUIREMENTS = ("http-cache-tests@0.4.5", "http-proxy-agent@5.0.0")
_SCRIPTS = ("run.mjs", "origin.mjs")
_HERE = Path(__file__).parent
_PATIENCE = 60.0  # seconds until a server must listen

SQUID = """\
http_port 127.0.0.1:{port}
http_access allow all
cache_mem 64 MB
access_log none
cache_log /dev/null
pid_filename none
coredump_dir {folder}
shutdown_lifetime 1 second
visible_hostname squid.test
"""

TRAFFIC_SERVER = {
    "http.server_ports": "STRING {port}:ip-in=127.0.0.1",
    "url_remap.remap_required": "INT 0",
    "reverse_proxy.enabled": "INT 0",
    "log.logging_enabled": "INT 0",
    "admin.user_id": "STRING trafficserver",
}
"""What differs from Debian's settings."""
_DEBIAN = Path("/etc/trafficserver")


def cases_folder(root: Path | None = None) -> Path:
    """A folder with the cases and our two scripts; installed by npm where it is not yet."""
    wanted = b"".join((_HERE / name).read_bytes() for name in _SCRIPTS)
    digest = sha256(wanted + " ".join(REQUIREMENTS).encode()).hexdigest()[:12]
    folder = (root or cache_root()) / f"http-cache-tests-{digest}"
    if not (folder / "ready").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        _install(folder)
        for name in _SCRIPTS:  # node looks for modules beside the script
            shutil.copy(_HERE / name, folder)
        (folder / "ready").touch()
    return folder


def _install(folder: Path) -> None:
    command = ["npm", "install", "--loglevel=error", "--no-audit", "--no-fund", "--prefix"]
    try:
        done = subprocess.run(  # noqa: S603 - our own list of requirements
            [*command, str(folder), *REQUIREMENTS], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise SubjectError("The cases need npm and node: install them first.") from None
    if done.returncode:
        log_lines = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        raise SubjectError(f"The cases could not be installed: {' '.join(log_lines)}")


@contextmanager
def origin(folder: Path) -> Iterator[str]:
    """The origin of the cases; its URL."""
    command = ["node", str(folder / "origin.mjs")]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:  # noqa: S603 - our own script
        try:
            assert process.stdout is not None
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.terminate()


@contextmanager
def winnow() -> Iterator[str]:
    """This very Winnow with its defaults and nothing remembered; its URL."""
    port = free_port()
    command = [sys.executable, "-m", "winnow", "serve", "--host", "127.0.0.1", "--port", str(port)]
    with TemporaryDirectory() as folder:
        environment = {**os.environ, **STARTED, "WINNOW_STORAGE__FOLDER": folder}
        with _serving(command, port, "Winnow", environment) as url:
            yield url


@contextmanager
def squid() -> Iterator[str]:
    """Squid as a forward proxy with a cache in memory; its URL. Raises SubjectError without it."""
    program = shutil.which("squid") or shutil.which("squid", path="/usr/sbin")
    if not program:
        raise SubjectError("Squid is not installed (apt-get install squid).")
    port = free_port()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        config = folder / "squid.conf"
        config.write_text(SQUID.format(port=port, folder=folder), "utf-8")
        folder.chmod(0o755)  # Squid drops its rights before it looks there
        command = [program, "-N", "-f", str(config)]
        yield stack.enter_context(_serving(command, port, "Squid"))


@contextmanager
def traffic_server() -> Iterator[str]:
    """Debian's Traffic Server as a forward proxy; its URL. Raises SubjectError without it."""
    program = shutil.which("traffic_server")
    if not program or not _DEBIAN.is_dir():
        raise SubjectError("Traffic Server is not installed (apt-get install trafficserver).")
    port = free_port()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        _lay_out(folder, port)
        environment = {**os.environ, "TS_RUNROOT": str(folder)}
        yield stack.enter_context(_serving([program], port, "Traffic Server", environment))


def _lay_out(folder: Path, port: int) -> None:
    """A folder of its own for all that Traffic Server writes (its ``runroot.yaml``)."""
    shutil.copytree(_DEBIAN, folder / "sysconfdir")
    records = folder / "sysconfdir/records.config"
    kept = [line for line in records.read_text("utf-8").splitlines() if not _is_ours(line)]
    ours = [f"CONFIG proxy.config.{name} {value}" for name, value in TRAFFIC_SERVER.items()]
    records.write_text("\n".join([*kept, *ours, ""]).format(port=port), "utf-8")
    (folder / "sysconfdir/storage.config").write_text("cachedir 64M\n", "utf-8")
    own = ("sysconfdir", "datadir", "localstatedir", "runtimedir", "logdir", "cachedir")
    lines = [f"{name}: {folder / name}" for name in own]
    lines += ["libdir: /usr/lib/trafficserver", "libexecdir: /usr/lib/trafficserver/modules"]
    (folder / "runroot.yaml").write_text("\n".join(lines) + "\n", "utf-8")
    for name in own:
        (folder / name).mkdir(exist_ok=True)
    for path in (folder, *folder.rglob("*")):  # it drops its rights before it looks there
        path.chmod(0o777 if path.is_dir() else 0o666)


def _is_ours(line: str) -> bool:
    """Whether a line of records.config sets what we set, or nothing (braces stand in comments)."""
    words = line.split()
    return words[:1] != ["CONFIG"] or words[1].removeprefix("proxy.config.") in TRAFFIC_SERVER


@contextmanager
def _serving(
    command: Sequence[str], port: int, name: str, environment: Mapping[str, str] | None = None
) -> Iterator[str]:
    quiet = subprocess.DEVNULL
    with subprocess.Popen(  # noqa: S603 - our own list
        command, stdin=quiet, stdout=quiet, stderr=quiet, env=environment
    ) as process:
        try:
            _wait_for(process, port, name)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def _wait_for(process: subprocess.Popen[bytes], port: int, name: str) -> None:
    end = time.monotonic() + _PATIENCE
    while process.poll() is None and time.monotonic() < end:
        with closing(socket.socket()) as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise SubjectError(f"{name} does not listen.")
