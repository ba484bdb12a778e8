"""docs/security.md claims nothing that is not in the code, and every claim has a test."""

from __future__ import annotations

import json
import re
from ipaddress import ip_network
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "security.md").read_text()
ROWS = [line.split(" | ") for line in TEXT.splitlines() if line.startswith("| **")]
TESTS = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", TEXT)))
IMAGE = (ROOT / "Dockerfile").read_text().partition("AS build")[2].partition("\nFROM ")[2]


def test_every_attacker_is_described() -> None:
    described = set(re.findall(r"^\| ([A-Z][a-z ]+) \|", TEXT, re.MULTILINE))
    assert {row[0][8:] for row in ROWS} <= described


def test_every_kind_of_threat_has_its_rows() -> None:
    assert {row[0][4] for row in ROWS} == set("STRIDE")
    assert all(len(row) == 5 and "`tests/" in row[4] for row in ROWS)


@pytest.mark.parametrize(("file", "test"), TESTS)
def test_every_test_that_it_names_is_there(file: str, test: str) -> None:
    assert re.search(rf"def {test}\(", (ROOT / file).read_text())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[1][:40])
def test_every_file_that_it_names_is_there(row: list[str]) -> None:
    named = re.findall(r"`([^`]+)`", row[3])
    assert named
    assert all((ROOT / file).is_file() for file in named)


def test_the_image_is_open_to_no_other_container() -> None:
    (line,) = re.findall(r"ENV WINNOW_ACCESS__OPEN_TO=(\S+)", (ROOT / "Dockerfile").read_text())
    beyond = [each for each in map(ip_network, line.split(",")) if not each.is_loopback]
    assert [each.num_addresses for each in beyond] == [1]


def test_the_image_runs_as_an_ordinary_user() -> None:
    """Both targets: the last user of each stage that is run, by its number."""
    for stage in IMAGE.split("\nFROM ")[:2]:
        assert re.findall(r"^USER (\w+)$", stage, re.MULTILINE)[-1] == "10001"


def test_the_image_needs_no_shell_to_run() -> None:
    """ENTRYPOINT, CMD and HEALTHCHECK are lists: Docker starts them itself."""
    joined = IMAGE.replace("\\\n", " ")
    for key in ("ENTRYPOINT", "CMD", "HEALTHCHECK"):
        line = re.search(rf"^{key}.*?(\[.*\])$", joined, re.MULTILINE)
        assert line, key
        assert all(isinstance(word, str) for word in json.loads(line[1]))


def test_no_file_of_the_image_is_written_by_who_runs_it() -> None:
    assert (
        "COPY --from=build /app/.venv /app/.venv" in IMAGE
    )  # root's, as no --chown says otherwise
    compose = (ROOT / "compose.yaml").read_text()
    assert "read_only: true" in compose
    assert "cap_drop: [ALL]" in compose
