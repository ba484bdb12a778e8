"""``/-/settings/all``: every setting with its value and source, the form of a section, the code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from markupsafe import Markup

from winnow.features.settings.settings_in_force import Listed, ListedSection
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, page_of
from winnow.proxy.own.templates.settings.styles import FIELDS_STYLE, STYLE
from winnow.proxy.own.translation import N_, _, own_words
from winnow.proxy.stores.settings_history import SavedChange

_FORM_STYLE: Final = FRAME_STYLE + FIELDS_STYLE
_LISTED: Final = page_template(__package__, "all_settings.html")
_FORM: Final = page_template(__package__, "section_form.html")
_CODE: Final = page_template(__package__, "code.html")
_NOT_HERE: Final = N_(
    "These settings can be changed in winnow.toml and the environment; not here: another program "
    "started Winnow, or you are no administrator."
)
_HISTORY_LENGTH: Final = 10
_LONGEST: Final = 80
"""Characters of a value in the history."""


@dataclass(frozen=True)
class Entered:
    """What somebody typed and what was wrong with it, by path; ``general``: of no one setting."""

    texts: Mapping[str, str] = field(default_factory=dict)
    problems: Mapping[str, str] = field(default_factory=dict)
    general: str = ""


NOTHING_ENTERED: Final = Entered()


@dataclass(frozen=True)
class LastChanges:
    """The changes, oldest first; ``undo`` makes the button of one. ``secrets``: settings whose
    values are not shown."""

    changes: Sequence[SavedChange] = ()
    undo: Callable[[SavedChange], Markup] = Markup
    secrets: frozenset[str] = frozenset()


def with_words(sections: Sequence[ListedSection], words: str) -> Sequence[ListedSection]:
    """The settings of whose name and description, in English or the reader's language, these are
    part; all without any."""

    def has_all(setting: Listed) -> bool:
        purpose = setting.entry.note.purpose
        said = f"{setting.path} {purpose} {own_words(purpose)}".replace("_", " ").casefold()
        return all(word in said for word in words.replace("_", " ").casefold().split())

    found = (replace(each, settings=tuple(filter(has_all, each.settings))) for each in sections)
    return [each for each in found if each.settings]


def settings_page(
    sections: Sequence[ListedSection],
    history: LastChanges,
    words: str = "",
    *,
    may_change: bool,
    note: str = "",
) -> HtmlPage:
    """The sections with what was changed in each, links to all settings, the last changes; or what
    was found by ``words``."""
    return page_of(
        _LISTED,
        style=STYLE,
        section=None,
        sections=sections,
        words=words,
        may_change=may_change,
        note=note,
        changes=history.changes[-_HISTORY_LENGTH:][::-1],
        undo=history.undo,
        secrets=history.secrets,
        short=_short,
        not_here=_NOT_HERE,
    )


def section_page(section: ListedSection) -> HtmlPage:
    """All settings of a section with their values, for who cannot change them."""
    return page_of(_LISTED, style=STYLE, section=section, not_here=_NOT_HERE)


def section_form(
    section: ListedSection, proofs: Mapping[str, str], entered: Entered = NOTHING_ENTERED
) -> HtmlPage:
    """All fields of a section above one button; ``proofs`` are its hidden fields."""
    return page_of(_FORM, style=_FORM_STYLE, section=section, proofs=proofs, entered=entered)


def code_form(proofs: Mapping[str, str], changes: Mapping[str, str], fault: str) -> HtmlPage:
    """Asks for the code that the terminal shows; ``changes``: new texts by path."""
    return page_of(_CODE, style=_FORM_STYLE, proofs=proofs, changes=changes, fault=fault)


def _short(raw: object) -> str:
    """A value in the history."""
    if raw is None:
        return _("default")
    text = ", ".join(map(str, raw)) if isinstance(raw, list) else str(raw)
    return (text if len(text) <= _LONGEST else f"{text[:_LONGEST]}...") or _("empty")
