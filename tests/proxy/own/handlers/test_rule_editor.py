"""Site rules hold for everybody: administrators alone write them. A form says a rule and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.proxy.own.handlers.test_learned_sites import ADMIN, OTHER, request
from winnow.config.settings_source import SettingsSource
from winnow.proxy.access.tokens import FormTokens
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.handlers.rule_drafts import fields_of, read_draft
from winnow.proxy.own.handlers.rule_editor import RuleChanges, RuleEditor
from winnow.proxy.own.handlers.rule_files import RuleFiles
from winnow.proxy.own.router import OwnPage
from winnow.proxy.own.settings_editor import SettingsEditor
from winnow.proxy.own.templates.rule_trial import RuleTried
from winnow.proxy.stores.settings_history import SettingsHistory

HERE = Path("rules.toml")
LINE = st.text(st.characters(codec="utf-8", categories=["L", "N", "P"]), min_size=1)
LINES = st.lists(LINE, min_size=1, max_size=3)
TESTS = st.lists(
    st.fixed_dictionaries({"url": LINE, "has": LINES}, optional={"lacks": LINES, "file": LINE}),
    min_size=1,
    max_size=3,
)
RULES = st.fixed_dictionaries(
    {"site": LINE.filter(lambda text: "/" not in text)},
    optional={
        "mode": st.sampled_from(["always", "tidy", "never"]),
        "extractor": LINE,
        "level": st.integers(1, 12),
        "pages": st.integers(1, 20),
        "ignore_no_transform": st.just(value=True),
        "keep": LINES,
        "drop": LINES,
        "test": TESTS,
    },
)


@given(RULES)
def test_a_form_that_is_sent_untouched_changes_nothing(table: dict[str, Any]) -> None:
    draft = read_draft(fields_of(table), table, HERE)
    assert draft.table == table
    assert draft.faults == ()


def test_an_emptied_test_is_gone_and_one_of_a_saved_page_stays() -> None:
    saved = {"url": "http://a/", "file": "a.html", "has": ["x"]}
    table = {"site": "a", "test": [saved, {"url": "http://b/", "has": ["y"]}]}
    draft = read_draft(
        {**fields_of(table), "test1.url": "", "test0.file": "/etc/passwd"}, table, HERE
    )
    assert draft.table["test"] == [saved]


def pages(folder: Path) -> list[OwnPage]:
    """The pages that write or export, where rules can be changed."""

    async def tried(*_: object) -> RuleTried:
        raise AssertionError

    editor = SettingsEditor(SettingsSource(folder / "winnow.toml"), SettingsHistory(folder))
    (folder / "winnow.toml").touch()

    def administers(head: Any) -> bool:
        return bool(head.client == ADMIN)

    changes = RuleChanges(editor, FormTokens(), administers, lambda _: ())
    edit, files = RuleEditor(changes, tried, ()), RuleFiles(changes)
    return [edit, files.imported, files.exported]


@pytest.mark.parametrize("number", [0, 1, 2])
async def test_others_neither_see_nor_write_the_file(tmp_path: Path, number: int) -> None:
    page = pages(tmp_path)[number]
    assert (await page(request(ADMIN))).status == 200
    with pytest.raises(ClientFaultError, match="administrator"):
        await page(request(OTHER))


async def test_without_a_settings_file_nothing_can_be_changed() -> None:
    files = RuleFiles(RuleChanges(None, FormTokens(), lambda _: True, lambda _: ()))
    with pytest.raises(ClientFaultError, match="cannot be changed here"):
        await files.exported(request(ADMIN))
