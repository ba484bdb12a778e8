"""Which programs of the system some tests need, and what happens where one is missing.

Knows their names and Debian packages; refuses to install anything (``.ci/system-packages`` does).
"""

from __future__ import annotations

import os
import shutil
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import pytest

PACKAGES = {
    "apt-get": "apt",
    "aria2c": "aria2",
    "chromium": "chromium",
    "chromium-headless-shell": "chromium-headless-shell",
    "dillo": "dillo",
    "chromedriver": "chromium-driver",
    "c-icap-client": "c-icap",
    "certutil": "libnss3-tools",
    "curl": "curl",
    "dbus-daemon": "dbus-daemon",
    "epubcheck": "epubcheck",
    "espeak-ng": "espeak-ng",
    "ffmpeg": "ffmpeg",
    "firefox-esr": "firefox-esr",
    "fish": "fish",
    "git": "git",
    "go": "golang-go",
    "h2load": "nghttp2-client",
    "haproxy": "haproxy",
    "ip": "iproute2",
    "iptables": "iptables",
    "java": "default-jdk-headless",
    "keytool": "default-jdk-headless",
    "lame": "lame",
    "links2": "links2",
    "lwp-request": "liblwp-protocol-https-perl",
    "lynx": "lynx",
    "nghttp": "nghttp2-client",
    "nginx": "nginx-light",
    "node": "nodejs",
    "npm": "npm",
    "nsenter": "util-linux",
    "opusenc": "opus-tools",
    "orca": "orca",
    "promtool": "prometheus",
    "redis-server": "redis-server",
    "scrapy": "python3-scrapy",
    "skopeo": "skopeo",
    "squid": "squid-openssl",
    "speech-dispatcher": "speech-dispatcher-espeak-ng",
    "systemd-analyze": "systemd",
    "timbl": "timbl",
    "unshare": "util-linux",
    "w3m": "w3m",
    "wget": "wget",
    "wrk": "wrk",
    "Xvfb": "xvfb",
    "xwd": "x11-apps",
    "yt-dlp": "yt-dlp",
    "zsh": "zsh",
    "/usr/libexec/at-spi-bus-launcher": "at-spi2-core",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf": "fonts-dejavu-core",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf": "fonts-liberation",
    "/usr/share/fonts/truetype/open-sans/OpenSans-Regular.ttf": "fonts-open-sans",
}
"""Program, or a file, to Debian package: the same list as in ``.ci/system-packages``."""
FONTS = {
    "DejaVu Sans": "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "Liberation Sans": "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
    "Open Sans": "/usr/share/fonts/truetype/open-sans/OpenSans-Regular.ttf",
}
"""Fonts of different widths, the first the widest."""


def require_program(name: str) -> Path:
    """Return where the program is; without it skip the test loudly, or fail where ``CI=true``."""
    found = shutil.which(name)
    return Path(found) if found else _missing(name, f"apt-get install {PACKAGES[name]}")


def require_font(name: str) -> None:
    """Like ``require_program`` for one of ``FONTS``."""
    file = FONTS[name]
    if not Path(file).exists():
        _missing(name, f"apt-get install {PACKAGES[file]}")


def require_module(name: str, remedy: str) -> None:
    """Like ``require_program`` for an optional module; ``remedy`` says how one gets it."""
    try:
        import_module(name)
    except ImportError:
        _missing(name, remedy)


def require_file(name: str, found: Path | None, remedy: str) -> Path:
    """Like ``require_program`` for a file of the system that was looked for already."""
    return found if found is not None else _missing(name, remedy)


def _missing(name: str, remedy: str) -> NoReturn:
    reason = f"{name} is not installed ({remedy})"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
