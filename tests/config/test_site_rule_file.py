"""Rules for single sites are read with their tests; every fault names its rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from winnow.config.errors import InvalidSettingsError, UnreadableFileError
from winnow.config.site_rule_file import FileRule, RuleTest, load_rules

GOOD = """
[[rule]]
site = "example.com"
mode = "always"
extractor = "crunch:2"
level = 3
ignore_no_transform = true
keep = ["#lead"]
drop = [".promotion"]

[[rule.test]]
url = "https://example.com/story"
file = "story.html"
has = ["in"]
lacks = ["out"]

[[rule]]
site = "b.example"
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "rules.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_rules_are_read_whole(tmp_path: Path) -> None:
    test = RuleTest("https://example.com/story", tmp_path / "story.html", ("in",), ("out",))
    first = FileRule(
        "example.com", "always", "crunch:2", 3, True, ("#lead",), (".promotion",), (test,)
    )
    assert load_rules(written(tmp_path, GOOD)) == (first, FileRule("b.example"))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("rules = 1", "rules is unknown; did you mean rule?"),
        ("rule = 3", "rule 1: site is missing"),
        ("[[rule]]\nkeep = ['a']", "rule 1: site is missing"),
        ("[[rule]]\nsite = 'https://a.example/'", "rule 1: site must be a host"),
        ("[[rule]]\nsite = 'a'\nlevel = 13", "rule 1: level must be a whole number from 1 to 12"),
        ("[[rule]]\nsite = 'a'\nlevel = true", "rule 1: level must be"),
        (
            "[[rule]]\nsite = 'a'\nmode = 'x'",
            "rule 1: mode must be one of auto, always, tidy, never",
        ),
        ("[[rule]]\nsite = 'a'\nkeep = 'p'", "rule 1: keep must be a list of selectors"),
        ("[[rule]]\nsite = 'a'\nkept = []", "rule 1: kept is unknown; a rule has site, mode"),
        ("[[rule]]\nsite = 'a'\ntest = 3", "rule 1: test must be tables"),
        ("[[rule]]\nsite = 'a'\n[[rule.test]]\nhas = ['x']", "rule 1: test 1: url is missing"),
        ("[[rule]]\nsite = 'a'\n[[rule.test]]\nurl = 'x'", "rule 1: test 1: has is missing"),
        ("[[rule]]\nsite = 'a'\n[[rule.test]]\nurl = 1\nhas = ['x']", "url must be an address"),
        ("[[rule]]\nsite = 'a'\n[[rule.test]]\nurl = 'u'\nhad = []", "test 1: had is unknown"),
    ],
)
def test_a_fault_is_named(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(InvalidSettingsError) as caught:
        load_rules(written(tmp_path, text))
    assert fault in str(caught.value)


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(InvalidSettingsError) as caught:
        load_rules(written(tmp_path, "[[rule]]\nlevel = 0\n[[rule]]\nsite = ''\nmode = 3"))
    assert len(caught.value.problems) == 4


def test_a_file_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFileError, match="cannot read"):
        load_rules(tmp_path / "none.toml")
    with pytest.raises(UnreadableFileError, match="not valid TOML"):
        load_rules(written(tmp_path, "[[rule"))
