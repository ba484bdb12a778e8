"""``/-/settings/all``: every setting with its value and source, and the last changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import quote

from markupsafe import Markup

from winnow.config.settings_in_force import Listed, ListedSection
from winnow.config.source_precedence import DEFAULT_ORIGIN
from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, styled_page
from winnow.proxy.own.templates.elements import row, table
from winnow.proxy.own.templates.navigation import ALL, navigation
from winnow.proxy.own.templates.setting_fields import FIELDS_STYLE
from winnow.proxy.own.translation import LANGUAGE, N_, Language, _, moment, own_words
from winnow.proxy.stores.settings_history import SavedChange, SettingChange

STYLE: Final = FRAME_STYLE + Markup(
    """
.scroll { overflow-x: auto; }
td code { white-space: pre-wrap; }
tr.changed th, tr.changed td:nth-child(2) { color: var(--accent); }
th small { font-weight: 400; }
th, td:nth-child(2) { min-width: 9rem; }
.values td:nth-child(2) { font: .92em ui-monospace, monospace; white-space: pre-wrap; }
.values small { font: .85em system-ui, sans-serif; }
"""
)
NOT_HERE: Final = N_(
    "These settings can be changed in winnow.toml and the environment; not here: another program "
    "started Winnow, or you are no administrator."
)
_HISTORY_LENGTH: Final = 10
_LONGEST: Final = 80
"""Characters of a value in the history."""


def section_address(name: str) -> str:
    """Where the settings of a section can be changed."""
    return f"{ALL}?section={quote(name)}"


def settings_page(
    sections: Sequence[ListedSection], *, may_change: bool, history: Markup, note: str = ""
) -> HtmlPage:
    """Every setting with description, value and source."""
    lead = Markup("{}<p>{}{}</p>\n").format(
        Markup('<p role="status" class="good">{}</p>\n').format(note) if note else "",
        _("Changed settings are highlighted.") if may_change else _(NOT_HERE),
        Markup(' <a href="#changes">{}</a>').format(_("Last changes")) if history else "",
    )
    shown = (_section(section, may_change=may_change) for section in sections)
    values = Markup('<div class="values">\n{}\n</div>\n').format(Markup("\n").join(shown))
    body = lead + values + history + navigation(ALL)
    return styled_page(_("All settings"), body, STYLE, wide=True)


def form_page(title: str, main: Markup) -> HtmlPage:
    """A page with a form of settings."""
    back = Markup('\n<p><a href="{}">{}</a></p>').format(ALL, _("All settings"))
    return styled_page(title, main + back, FRAME_STYLE + FIELDS_STYLE)


def _section(section: ListedSection, *, may_change: bool) -> Markup:
    heads = (_("Setting"), _("Value"), _("Description"))
    label = _("Settings of {name}").format(name=section.name)
    rows = table(
        heads, map(_row, section.settings), label, english=LANGUAGE.get() is not Language.ENGLISH
    )
    link = Markup("<p><a href={}>{}</a>\n").format(
        section_address(section.name), _("Change settings of {name}").format(name=section.name)
    )
    return Markup("<h2 id={0}>{0}</h2>\n<p>{1}\n{2}{3}").format(
        section.name, own_words(section.purpose), link if may_change else "", rows
    )


def _row(setting: Listed) -> Markup:
    changed = Markup(' class="changed"') if setting.value != setting.usual else Markup("")
    notes = [_("Default: {value}").format(value=setting.usual)] if changed else []
    if setting.origin != DEFAULT_ORIGIN:
        notes.append(_("From: {source}").format(source=setting.origin))
    spoken = "" if LANGUAGE.get() is Language.ENGLISH else Markup(" lang={}").format(LANGUAGE.get())
    below = Markup("").join(
        Markup("<br><small{}>{}</small>").format(spoken, note) for note in notes
    )
    return Markup("<tr{}><th scope=row>{}<td>{}{}<td>{}").format(
        changed, setting.path, setting.value, below, setting.purpose
    )


def history_part(
    changes: Sequence[SavedChange], undo: Callable[[SavedChange], Markup], secrets: frozenset[str]
) -> Markup:
    """The last changes, newest first, each with its button."""
    if not changes:
        return Markup("")
    rows = [
        row(
            moment(change.when),
            change.who,
            Markup("<br>").join(_changed(each, secrets) for each in change.settings),
            undo(change),
        )
        for change in reversed(changes[-_HISTORY_LENGTH:])
    ]
    head = Markup('<h2 id="changes">{}</h2>\n').format(_("Last changes"))
    return head + table((_("When"), _("Who"), _("What"), ""), rows, _("Last changes"))


def _changed(change: SettingChange, secrets: frozenset[str]) -> Markup:
    if change.path in secrets:
        return Markup("<code>{}</code>").format(change.path)
    return Markup("<code>{}</code>: {} → {}").format(
        change.path, _value(change.before), _value(change.after)
    )


def _value(raw: object) -> str:
    if raw is None:
        return _("default")
    text = ", ".join(map(str, raw)) if isinstance(raw, list) else str(raw)
    return (text if len(text) <= _LONGEST else f"{text[:_LONGEST]}...") or _("empty")
