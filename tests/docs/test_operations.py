"""The settings that docs/operations.md tells a school to write are read, and its files exist."""

from __future__ import annotations

import configparser
import re
import stat
import subprocess
from pathlib import Path
from shutil import copy
from textwrap import dedent

from tests.programs import require_program
from winnow.compose.installation import COMPILED
from winnow.config.server_settings import Server
from winnow.config.settings import Settings
from winnow.config.sources.source_precedence import load

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "operations.md").read_text()


def school(folder: Path) -> Settings:
    """The settings that the page tells a school to write."""
    found = re.search(r"\n((?:    \[server\]\n)(?:(?:    .*)?\n)+?)Then:", TEXT)
    assert found
    file = folder / "winnow.toml"
    file.write_text(dedent(found[1]))
    return load(file).settings


def unit_of(name: str) -> configparser.SectionProxy:
    """The section [Service] of a file of deploy/."""
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # as its documentation says
    unit.read_string((ROOT / "deploy" / name).read_text())
    return unit["Service"]


def gibibytes(size: str) -> float:
    return float(size.removesuffix("G"))


def test_the_schools_settings_are_read(tmp_path: Path) -> None:
    settings = school(tmp_path)
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


def test_it_says_how_many_parts_are_compiled() -> None:
    """The page said eleven when there were thirteen."""
    counts = re.findall(r"(\w+) (?:small )?parts\b", TEXT)
    assert {each for each in counts if each.isdigit()} == {str(len(COMPILED))}


def test_the_unit_starts_reloads_and_stops_what_the_page_says() -> None:
    service = unit_of("winnow.service")
    assert service["ExecStart"].split()[1] == "serve"
    assert service["ExecReload"].split()[1] == "reload"  # which counts what it refuses, too
    assert service["KillMode"] == "mixed"
    assert service["Type"] == "notify"
    plain = Server()
    stopping = plain.drain + plain.shutdown_grace + 5
    assert int(service["TimeoutStopSec"]) > stopping + 10  # the drain that compose.yaml has


def test_the_unit_exposes_little() -> None:
    """systemd's own judgement, in tenths: 3.6 before (issue 20)."""
    unit = str(ROOT / "deploy" / "winnow.service")
    assert exposure("--threshold=15", unit).returncode == 0


def test_rendering_loosens_what_its_file_says(tmp_path: Path) -> None:
    """Debian 12's systemd knew no @sandbox, so that Chromium got none of it."""
    units = tmp_path / "etc" / "systemd" / "system"
    (units / "winnow.service.d").mkdir(parents=True)
    copy(ROOT / "deploy" / "winnow.service", units)
    copy(ROOT / "deploy" / "winnow-rendering.conf", units / "winnow.service.d")
    done = exposure("--threshold=25", f"--root={tmp_path}", "winnow.service")
    assert done.returncode == 0, done.stdout
    assert "ignoring" not in done.stderr
    for loosened in ("RestrictNamespaces=~user", "MemoryDenyWriteExecute=", "~@mount"):
        assert re.search(rf"✗ \S*{re.escape(loosened)}", done.stdout), loosened
    assert not re.search("✗ NoNewPrivileges|✗ CapabilityBoundingSet|✗ ProtectSystem", done.stdout)


def exposure(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = str(require_program("systemd-analyze"))
    command = [program, "security", "--offline=yes", "--no-pager", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_units_memory_fits_the_schools_settings(tmp_path: Path) -> None:
    """What processes take is measured (docs/operations.md); one of them may be at its limit."""
    settings, service = school(tmp_path), unit_of("winnow.service")
    cached = settings.cache.memory + settings.cache.renderings
    processes = settings.server.processes * 230e6 + settings.extraction.processes * 70e6
    usual = (processes + cached + settings.extraction.max_memory) / 1024**3
    assert usual < gibibytes(service["MemoryHigh"]) < gibibytes(service["MemoryMax"])
    assert service["OOMPolicy"] == "continue"  # one process is replaced, the service goes on
    browsers = settings.extraction.processes * 400e6 / 1024**3
    rendering = unit_of("winnow-rendering.conf")
    assert usual + browsers < gibibytes(rendering["MemoryHigh"]) < gibibytes(rendering["MemoryMax"])


def test_nobody_else_reads_the_passwords_of_the_recipe(tmp_path: Path) -> None:
    """The line that makes the file is run, but for its folder and its group."""
    (line,) = re.findall(r"    (install .*/etc/winnow/winnow\.toml)", TEXT)
    file = tmp_path / "winnow.toml"
    command = line.replace("/etc/winnow/winnow.toml", str(file)).replace("-g winnow-config", "")
    subprocess.run(["sh", "-c", command], check=True)
    file.write_text('[access]\nusers = ["mensa:scrypt$1"]\n')
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert unit_of("winnow.service")["SupplementaryGroups"] == "winnow-config"


def test_the_instances_of_compose_share_one_authority_and_drain() -> None:
    """Issue 20, fault 13."""
    compose = (ROOT / "compose.yaml").read_text()
    assert compose.count("authority:/data/ca") == 2
    assert compose.count("mem_limit:") == 3  # of Redis, HAProxy and both instances
    assert "healthcheck:" in compose.partition("redis:7-alpine@")[2].partition("first:")[0]
    assert "--requirepass" in compose
    assert "WINNOW_SERVER__DRAIN: 10s" in compose
    config = (ROOT / "deploy" / "haproxy.cfg").read_text()
    assert "on-marked-down shutdown" not in config
