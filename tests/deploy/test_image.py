"""What the image says of itself: labels by the OCI's names, the lock's list of what is in it."""

from __future__ import annotations

import re
import tomllib
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


def test_the_image_has_its_list_of_contents_and_digests_are_printed_for_each_image() -> None:
    assert "COPY --from=build /app/winnow.cdx.json" in IMAGE
    make = (ROOT / "Makefile").read_text()
    named = set(re.findall(r"\b(BASE|\w+_IMAGE)=([\w:.-]+)", make))
    compose = (ROOT / "compose.yaml").read_text()
    used = set(re.findall(r"\$\{(\w+_IMAGE):-([\w:.-]+)\}", compose))
    assert named == used | set(re.findall(r"ARG (BASE)=(\S+)", IMAGE))
