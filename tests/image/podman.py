"""Builds images by buildah and runs them by podman, as root, with what Debian ships of both."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

BASE: Final = "localhost/winnow-base"
IMAGE: Final = "localhost/winnow"
PACKAGES: Final = "python3-dev,python3-venv,ca-certificates"
"""What python:3.11-slim-bookworm has, of Debian's own."""
UNIFIED: Final = Path("/sys/fs/cgroup/unified")
HIDDEN: Final = "WINNOW_IMAGE_TEST_CGROUPS"
"""Set in the mount namespace that has cgroups of one version."""


def run(*command: str | Path, check: bool = True, text: str | None = None) -> str:
    """A program's output. Raises CalledProcessError if it fails; its errors are not held back."""
    done = subprocess.run(
        list(map(str, command)), stdout=subprocess.PIPE, input=text, text=True, check=check
    )
    return done.stdout.strip()


def podman(*arguments: str | Path, check: bool = True) -> str:
    return run("podman", *arguments, check=check)


def with_one_version_of_cgroups() -> None:
    """Start this program again without cgroups 2 where both versions are mounted.

    crun refuses both at once; the mount namespace is this program's alone.
    """
    if UNIFIED.exists() and HIDDEN not in os.environ:
        os.environ[HIDDEN] = "1"
        again = f'umount {UNIFIED} && exec "$@"'
        inside = ["sh", "-c", again, "sh", sys.executable, "-m", "tests.image"]
        os.execvp("unshare", ["unshare", "--mount", *inside])  # no shell wanted


def size_of(image: str) -> int:
    """Bytes of an image, uncompressed."""
    return int(podman("image", "inspect", image, "--format", "{{.Size}}"))


def make_base() -> None:
    """A base image of Debian 12 by debootstrap, unless there is one already."""
    if podman("images", "--quiet", BASE):
        return
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        run("debootstrap", "--variant=minbase", f"--include={PACKAGES}", "bookworm", folder)
        archive = Path(folder, "base.tar")
        skipped = ("--exclude=./var/lib/apt/lists/*", "--exclude=./var/cache/apt/*.deb")
        run("tar", "-C", folder, *skipped, "--exclude=./base.tar", "-cf", archive, ".")
        podman("import", archive, BASE)


def revision(root: Path) -> str:
    """The commit of a checkout."""
    return run("git", "-C", root, "rev-parse", "HEAD")


def build(root: Path, image: str = IMAGE, target: str = "") -> None:
    """Build the Dockerfile on that base, with this machine's pip settings and authorities.

    ``target``: a stage of it; "" for the last.
    """
    shared = [path for path in ("/etc/ssl/certs", "/etc/pip.conf") if Path(path).exists()]
    volumes = [part for path in shared for part in ("--volume", f"{path}:{path}:ro")]
    options = (
        "--layers",
        "--isolation",
        "chroot",
        "--format",
        "docker",
        "--build-arg",
        f"BASE={BASE}",
        "--build-arg",
        f"REVISION={revision(root)}",
    )
    stage = ("--target", target) if target else ()
    run("buildah", "bud", *options, *volumes, *stage, "--tag", image, root)


def limits() -> tuple[str, ...]:
    """This machine's own limits: crun refuses to raise them."""
    _, files = resource.getrlimit(resource.RLIMIT_NOFILE)
    return ("--ulimit", f"nofile={files}:{files}", "--ulimit", "nproc=4096:4096")


@contextmanager
def container(*options: str, command: Sequence[str] = ()) -> Iterator[str]:
    """A container of the image, as compose.yaml runs it; its name."""
    confined = ("--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--memory", "2g")
    sealed = ("--security-opt", "no-new-privileges", "--pids-limit", "256")
    name = f"winnow-image-test-{os.getpid()}"
    given = (*limits(), *confined, *sealed, *options, IMAGE, *command)
    podman("run", "--detach", "--name", name, *given)
    try:
        yield name
    finally:
        podman("rm", "--force", "--time", "5", name, check=False)
