"""The settings that docs/operations.md tells a school to write are read, and its files exist."""

from __future__ import annotations

import configparser
import re
import subprocess
from pathlib import Path
from textwrap import dedent

from tests.programs import require_program
from winnow.config.server_settings import Server
from winnow.config.source_precedence import load

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "operations.md").read_text()


def test_the_schools_settings_are_read(tmp_path: Path) -> None:
    found = re.search(r"\n((?:    \[server\]\n)(?:(?:    .*)?\n)+?)Then:", TEXT)
    assert found
    file = tmp_path / "winnow.toml"
    file.write_text(dedent(found[1]))
    settings = load(file).settings
    assert (settings.server.processes, settings.extraction.processes) == (2, 4)
    assert settings.access.private_addresses == "nobody"


def test_every_make_target_and_file_that_it_names_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"`make ([a-z-]+)`", TEXT):
        assert f"\n{target}:" in makefile
    for link in re.findall(r"\]\(([^)#:]+)\)", TEXT):
        assert (ROOT / "docs" / link).exists()
    assert {"compose.yaml", "deploy/winnow.service"} <= set(re.findall(r"[\w/]+\.\w+", TEXT))
    assert (ROOT / "compose.yaml").exists()


def test_the_unit_starts_reloads_and_stops_what_the_page_says() -> None:
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # as its documentation says
    unit.read_string((ROOT / "deploy" / "winnow.service").read_text())
    service = unit["Service"]
    assert service["ExecStart"].split()[1] == "serve"
    assert service["ExecReload"].split()[1] == "-HUP"
    assert service["KillMode"] == "mixed"
    assert service["Type"] == "notify"
    plain = Server()
    stopping = plain.drain + plain.shutdown_grace + 5
    assert int(service["TimeoutStopSec"]) > stopping + 10  # the drain that compose.yaml has


def test_the_unit_exposes_little() -> None:
    """systemd's own judgement, in tenths: 3.6 before (issue 20)."""
    program = require_program("systemd-analyze")
    unit = str(ROOT / "deploy" / "winnow.service")
    command = [str(program), "security", "--offline=yes", "--threshold=15", "--no-pager", unit]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_instances_of_compose_share_one_authority_and_drain() -> None:
    """Issue 20, fault 13."""
    compose = (ROOT / "compose.yaml").read_text()
    assert compose.count("authority:/data/ca") == 2
    assert compose.count("mem_limit:") == 3  # of Redis, HAProxy and both instances
    assert "healthcheck:" in compose.partition("redis:7-alpine")[2].partition("first:")[0]
    assert "--requirepass" in compose
    assert "WINNOW_SERVER__DRAIN: 10s" in compose
    config = (ROOT / "deploy" / "haproxy.cfg").read_text()
    assert "on-marked-down shutdown" not in config
