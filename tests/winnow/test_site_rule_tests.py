"""``winnow config check`` tries the rules of sites on the pages that their tests name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.winnow.conftest import PAGE
from winnow.cli import main

RULES = """
[[rule]]
site = "farm.example"
extractor = "{extractor}"
keep = ["{keep}"]
drop = []

[[rule.test]]
url = "https://farm.example/"
file = "{file}"
has = ["with a wooden   shovel", "{has}"]
lacks = ["Imprint"]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    marked = PAGE.replace("<ul>", "<ul class=menu>", 1)
    (tmp_path / "page.html").write_text(marked, encoding="utf-8")
    (tmp_path / "winnow.toml").write_text('[sites]\nrules = "rules.toml"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def checked(
    folder: Path, capsys: pytest.CaptureFixture[str], **changed: str
) -> tuple[int, str, str]:
    told = {"extractor": "bte", "keep": "ul.menu", "file": "page.html", "has": "Shop", **changed}
    (folder / "rules.toml").write_text(RULES.format(**told), encoding="utf-8")
    status = main(["config", "check"])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_rules_that_hold_are_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = checked(folder, capsys)
    assert status == 0
    assert "rules for sites: 1, tests: 1; all hold (rules.toml)." in out


@pytest.mark.parametrize(
    ("name", "value", "fault"),
    [
        ("has", "Tractor", "farm.example: https://farm.example/ lacks “Tractor”"),
        ("keep", "ul", "has “Imprint”, which should be gone"),
        ("keep", "ul:hover", "'ul:hover' is no selector that is understood here"),
        ("extractor", "btf", "There is no extractor 'btf': did you mean 'bte'?"),
        ("file", "none.html", "cannot be tried"),
    ],
)
def test_a_rule_that_does_not_hold_is_an_error(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, value: str, fault: str
) -> None:
    status, _, err = checked(folder, capsys, **{name: value})
    assert status == 1
    assert fault in err
