"""The origin that all proxies fetch from: nginx with files, each under three rules of caching."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.free_ports import free_port
from benchmarks.generated_pages import typical
from benchmarks.traffic.processes import Server, serving
from winnow.evaluation.errors import SubjectError

SIZES = {"small": 2_000, "page": 100_000}
STREAM = 1024 * 1024
_CONFIG = """\
daemon off;
worker_processes 1;
worker_rlimit_nofile 10000;
pid {folder}/nginx.pid;
error_log {folder}/error.log crit;
events {{ worker_connections 5000; }}
http {{
    access_log off;
    sendfile on;
    tcp_nopush on;
    keepalive_requests 1000000;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    types {{
        text/html html; application/octet-stream bin; text/css css; text/javascript js;
        application/json json; font/woff2 woff2; image/webp webp; image/gif gif;
    }}
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        {tls}
        root {folder}/files;
        location / {{ add_header Cache-Control no-store; }}
        location /kept/ {{ alias {folder}/files/; add_header Cache-Control max-age=86400; }}
    }}
}}
"""


@contextmanager
def nginx(
    folder: Path,
    tls: tuple[Path, Path] | None = None,
    sizes: Sequence[int] = (),
    *,
    http2: bool = False,
) -> Iterator[Server]:
    """nginx with ``/small.html``, ``/page.html``, ``/stream.bin`` and ``/kept/...`` of the same.

    ``tls``: files of the certificate and its key. ``sizes``: bytes of further pages, ``/N.html``.
    ``http2``: with TLS, offer that too. Raises SubjectError without nginx.
    """
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if not program:
        raise SubjectError("nginx is not installed (apt-get install nginx).")
    write_files(folder / "files", sizes)
    folder.chmod(0o755)  # nginx drops its rights before it looks there
    port = free_port()
    lines = "ssl_certificate {}; ssl_certificate_key {};".format(*tls) if tls else ""
    options = "ssl http2 backlog=4096" if http2 else "ssl backlog=4096"
    config = folder / "nginx.conf"
    text = _CONFIG.format(folder=folder, port=port, tls=lines)
    config.write_text(text.replace("backlog=4096", options) if tls else text, "utf-8")
    command = [program, "-c", str(config), "-e", str(folder / "error.log")]
    with serving(command, port, "nginx") as server:
        yield server


def write_files(folder: Path, sizes: Sequence[int] = ()) -> None:
    """The files, the same on every machine."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, size in {**SIZES, **{str(size): size for size in sizes}}.items():
        (folder / f"{name}.html").write_bytes(typical(size))
    (folder / "stream.bin").write_bytes(bytes(range(256)) * (STREAM // 256))
