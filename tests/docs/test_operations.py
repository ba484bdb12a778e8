"""The settings that docs/operations.md tells a school to write are read, and its files exist."""

from __future__ import annotations

import configparser
import re
from pathlib import Path
from textwrap import dedent

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
