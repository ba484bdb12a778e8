"""Settings under their old names go on working, with a warning that names the new one."""

from __future__ import annotations

from pathlib import Path

import pytest

from winnow.config.setting_list import entries
from winnow.config.site_rule_file import load_rules
from winnow.config.sources.renamed import SETTINGS
from winnow.config.sources.source_precedence import load


def test_every_new_name_is_a_setting_and_no_old_one_is() -> None:
    assert set(SETTINGS.values()) <= entries().keys()
    assert not SETTINGS.keys() & entries().keys()


def test_an_old_name_sets_the_new_setting_and_warns(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "winnow.toml"
    file.write_text('[looks]\nsize = "large"\n', "utf-8")
    loaded = load(file, {"WINNOW_SITES__ANYWAY": "a.example"}, {})
    assert loaded.settings.appearance.size == "large"
    assert loaded.settings.sites.ignore_no_transform == ("a.example",)
    assert loaded.origins["appearance.size"] == str(file)
    assert [record.getMessage() for record in caplog.records] == [
        f"{file}: looks.size is now called appearance.size; the old name will be removed",
        "environment variable WINNOW_SITES__ANYWAY: sites.anyway is now called "
        "sites.ignore_no_transform; the old name will be removed",
    ]


def test_a_rule_with_an_old_name_is_read(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "rules.toml"
    file.write_text('[[rule]]\nsite = "a.example"\nanyway = true\n', "utf-8")
    (rule,) = load_rules(file)
    assert rule.ignore_no_transform
    assert "anyway is now called ignore_no_transform" in caplog.text
