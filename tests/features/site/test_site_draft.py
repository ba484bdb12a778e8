"""Site rules hold for everybody: administrators alone write them. A form says a rule and back."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.features.learned_sites.test_learned_sites import ADMIN, OTHER, request
from winnow.config.sources.settings_source import SettingsSource
from winnow.features.rules.rule_files import RuleFiles
from winnow.features.site.filter_picture import crunch_ladder
from winnow.features.site.opened_site import RuleChanges
from winnow.features.site.page_options import MethodParameters
from winnow.features.site.site_draft import fields_of, read_draft
from winnow.features.site.site_editor import SiteEditor
from winnow.jobs.job_types import InProcess
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.decisions.site_rules import SiteRules
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.router import OwnPage, OwnRequest, OwnResponse
from winnow.proxy.own.settings_editor import SettingsEditor
from winnow.proxy.stores.choice_store import NotifyingChoices
from winnow.proxy.stores.settings_history import SettingsHistory

HERE, LADDER = Path("rules.toml"), crunch_ladder()
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
        "comments": st.sampled_from(["fold", "keep", "drop"]),
        "images": st.sampled_from(["as-sent", "phone", "saving"]),
        "render": st.sampled_from(["no", "when-empty", "always"]),
        "ignore_no_transform": st.just(value=True),
        "keep": LINES,
        "drop": LINES,
        "test": TESTS,
    },
)


@given(RULES)
def test_a_form_that_is_sent_untouched_changes_nothing(table: dict[str, Any]) -> None:
    draft = read_draft(fields_of(table), table, HERE, LADDER)
    assert draft.table == table
    assert draft.faults == ()


def test_an_emptied_test_is_gone_and_one_of_a_saved_page_stays() -> None:
    saved = {"url": "http://a/", "file": "a.html", "has": ["x"]}
    table = {"site": "a", "test": [saved, {"url": "http://b/", "has": ["y"]}]}
    draft = read_draft(
        {**fields_of(table), "test1.url": "", "test0.file": "/etc/passwd"}, table, HERE, LADDER
    )
    assert draft.table["test"] == [saved]


def pages(folder: Path) -> list[OwnPage]:
    """The pages that write or export, where rules can be changed."""

    async def tried(*_: object) -> Any:
        raise AssertionError

    editor = SettingsEditor(SettingsSource(folder / "winnow.toml"), SettingsHistory(folder))
    (folder / "winnow.toml").touch()

    def administers(head: Any) -> bool:
        return bool(head.client == ADMIN)

    changes = RuleChanges(editor, FormTokens(), administers, lambda _: ())
    parameters = MethodParameters((), InProcess())
    store = NotifyingChoices()
    edit = SiteEditor(changes, store, SiteRules(), tried, tried, LADDER, parameters)
    files = RuleFiles(changes)

    def rule(request: OwnRequest) -> Awaitable[OwnResponse]:
        return edit(replace(request, query={"for": "file"}))

    return [rule, files.imported, files.exported]


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
