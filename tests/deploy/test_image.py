"""What the image says of itself: labels by the OCI's names, the lock's list of what is in it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
IMAGE = (ROOT / "Dockerfile").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_the_labels_are_the_projects() -> None:
    labels = dict(re.findall(r'org\.opencontainers\.image\.([\w.]+)="([^"]*)"', IMAGE))
    assert labels["version"] == PROJECT["version"]
    assert labels["licenses"] == PROJECT["license"]
    assert labels["description"] == PROJECT["description"]
    assert labels["revision"] == "${REVISION}"


def test_the_image_has_its_list_of_contents() -> None:
    assert "COPY --from=build /app/winnow.cdx.json" in IMAGE


def images_of(folder: Path) -> list[str]:
    """The images of others that files of ours name."""
    of_files = {"Dockerfile": r"^ARG BASE=(\S+)", "compose.yaml": r"^    image: \$\{\w+:-(.*)\}"}
    texts = [(folder / each).read_text() for each in of_files]
    found = zip(of_files.values(), texts, strict=True)
    return [each for form, text in found for each in re.findall(form, text, re.MULTILINE)]


def test_each_image_of_others_is_held_to_a_digest() -> None:
    assert len(images_of(ROOT)) == 3
    for each in images_of(ROOT):
        assert re.fullmatch(r"[a-z]+:[a-z0-9.-]+@sha256:[0-9a-f]{64}", each)
    named = [path for path in ROOT.glob("deploy/**/*.y*ml") if "@sha256:" in path.read_text()]
    assert not named, "`make digests` would not renew these"


def test_make_digests_writes_what_the_tags_are_today(tmp_path: Path) -> None:
    """skopeo is a stand-in: each tag is another image today."""
    for each in ("Dockerfile", "compose.yaml", "Makefile"):
        shutil.copy(ROOT / each, tmp_path)
    stand_in = tmp_path / "skopeo"
    digest = 'echo "$last" | sha256sum | head -c 64'
    stand_in.write_text(f"#!/bin/sh\nfor last; do :; done\nprintf sha256:; {digest}\n")
    stand_in.chmod(0o755)
    paths = f"{tmp_path}:{os.environ['PATH']}"
    subprocess.run(
        ["make", "-C", tmp_path, "digests"],
        env={**os.environ, "PATH": paths},
        check=True,
        capture_output=True,
    )
    for before, after in zip(images_of(ROOT), images_of(tmp_path), strict=True):
        tag = before.partition("@")[0]
        address = f"docker://docker.io/library/{tag}\n"
        assert after == f"{tag}@sha256:{sha256(address.encode()).hexdigest()}"
