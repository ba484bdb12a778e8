"""The image with a browser: its sandbox starts with the profile that we make, and not without."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Final

from deploy.rendering_seccomp import with_namespaces
from tests.image.podman import limits, podman

IMAGE: Final = "localhost/winnow-rendering"
ENGINE_PROFILE: Final = Path("/usr/share/containers/seccomp.json")
NO_SANDBOX, OPENED = "NoSandboxError", "ChromiumError: The browser could not open the page"
_LOAD: Final = """
from winnow.chromium.page_loader import load
try:
    load("http://site.example/", 9)
except Exception as error:
    print(f"{type(error).__name__}: {error}")
"""
"""Opens a page behind a proxy that is not there: what fails tells how far the browser came."""


def answered(*options: str) -> str:
    """What the browser in the image says, as an ordinary user without capabilities."""
    command = (
        "run",
        "--rm",
        "--network",
        "none",
        "--read-only",
        "--tmpfs",
        "/tmp",
        "--cap-drop",
        "all",
    )
    return podman(
        *command, *limits(), *options, "--entrypoint", ".venv/bin/python", IMAGE, "-c", _LOAD
    )


def with_profile() -> str:
    """The same with our seccomp profile."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(with_namespaces(json.loads(ENGINE_PROFILE.read_text("utf-8"))), file)
        file.flush()
        return answered("--security-opt", f"seccomp={file.name}")
