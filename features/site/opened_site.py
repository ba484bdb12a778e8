"""What is decided of a site where it is opened to be changed, and who may change it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from winnow.config.editing.file_edits import tables_of, with_rule, without_rule
from winnow.config.site_rule_file import FileRule, RuleTest
from winnow.features.site.site_draft import (
    SiteDraft,
    digest,
)
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.http.headers import number
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.handlers.form_checks import (
    form_token,
)
from winnow.proxy.own.handlers.settings_access import SettingsAccess
from winnow.proxy.own.settings_editor import SettingsEditor
from winnow.proxy.own.translation import says
from winnow.proxy.stores.choices import FILE
from winnow.proxy.stores.site_choice import NO_CHOICE, Choice

PURPOSE: Final = "site {for} {number} {was}"
"""A form is for what it showed."""
_OWN_FILE: Final = Path("choice")
"""Names a choice, which no file holds, in what is wrong with it."""


Faults = Callable[[FileRule], Sequence[str]]
"""What is wrong with the method and the selectors of a rule. Blocks."""


@dataclass(frozen=True)
class RuleChanges(SettingsAccess):
    """Who changes the site rules, and where."""

    faults: Faults


@dataclass(frozen=True)
class OpenedSite:
    """What is decided of a site in one ``place``: "", EVERYBODY's or FILE, as it is now.

    ``text``: all that the place holds; ``number``: the rule's in the file, None for a new one.
    """

    place: str
    text: str
    table: Mapping[str, Any]
    choice: Choice = NO_CHOICE
    file: Path = _OWN_FILE
    number: int | None = None

    @property
    def site(self) -> str:
        """As it was saved, "" for a new rule."""
        return str(self.table.get("site", ""))

    def proofs(self, tokens: FormTokens, owner: str) -> dict[str, str]:
        """The hidden fields of its forms."""
        number = "" if self.number is None else str(self.number)
        fields = {"for": self.place, "number": number, "was": digest(self.text)}
        fields |= {} if self.place == FILE else {"site": self.site}
        return {**fields, "token": form_token(tokens, owner, PURPOSE, fields)}


async def opened_rule(editor: SettingsEditor, number_text: str) -> OpenedSite:
    """Raises ConfigError, StoreError, ClientFaultError."""
    file, text = await editor.rules()
    tables = tables_of(text, file)
    place = number(number_text)
    if not number_text:
        return OpenedSite(FILE, text, {}, file=file)
    if place is None or place >= len(tables):
        raise ClientFaultError(says("There is no such rule."), 404, "unknown-rule")
    return OpenedSite(FILE, text, tables[place], file=file, number=place)


def edited(opened: OpenedSite, draft: SiteDraft | None) -> Callable[[str], str]:
    place = opened.number
    if draft is not None:
        return lambda text: with_rule(text, place, draft.table)
    if place is None:
        raise ClientFaultError(says("There is no such rule."), 404, "unknown-rule")
    return lambda text: without_rule(text, place)


def tests_of(choice: Choice) -> tuple[RuleTest, ...]:
    """The tests of a choice's parts: what is kept is in the article, what is dropped is not."""
    return tuple(
        RuleTest(part.url, lacks=(part.words,))
        if part.drops
        else RuleTest(part.url, has=(part.words,))
        for part in choice.parts
        if part.url and part.words
    )
