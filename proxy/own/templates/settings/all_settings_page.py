"""``/-/settings/all``: every setting with its value and source, and the last changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import quote

from markupsafe import Markup

from winnow.config.settings_in_force import Listed, ListedSection
from winnow.config.sources.source_precedence import DEFAULT_ORIGIN
from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, styled_page
from winnow.proxy.own.templates.elements import row, table
from winnow.proxy.own.templates.navigation import ALL, navigation
from winnow.proxy.own.templates.settings.setting_fields import FIELDS_STYLE, description
from winnow.proxy.own.translation import N_, _, moment, own_words
from winnow.proxy.stores.settings_history import SavedChange, SettingChange

STYLE: Final = FRAME_STYLE + Markup(
    """
.scroll { overflow-x: auto; }
td code { white-space: pre-wrap; }
tr.changed th, tr.changed td:nth-child(2) { color: var(--link); }
a.changed { font-weight: 700; }
.names { line-height: 2; font-size: .95em; }
th small { font-weight: 400; }
th, td:nth-child(2) { min-width: 9rem; }
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
    """The sections with what was changed in each, and links to all their settings."""
    lead = Markup("{}<p>{}{}</p>\n").format(
        Markup('<p role="status" class="good">{}</p>\n').format(note) if note else "",
        _("Changed settings are highlighted.") if may_change else _(NOT_HERE),
        Markup(' <a href="#changes">{}</a>').format(_("Last changes")) if history else "",
    )
    shown = (_section(section, may_change=may_change) for section in sections)
    values = Markup('<div class="values">\n{}\n</div>\n').format(Markup("\n").join(shown))
    body = lead + values + history + navigation(ALL)
    return styled_page(_("All settings"), body, STYLE)


def section_page(section: ListedSection) -> HtmlPage:
    """All settings of a section with their values, for who cannot change them."""
    lead = Markup("<p>{}</p>\n<p>{}</p>\n").format(own_words(section.purpose), _(NOT_HERE))
    values = Markup('<div class="values">\n{}\n</div>').format(_rows(section, section.settings))
    back = Markup('\n<p><a href="{}">{}</a></p>').format(ALL, _("All settings"))
    title = _("Settings of {name}").format(name=section.name)
    return styled_page(title, lead + values + back, STYLE)


def form_page(title: str, main: Markup) -> HtmlPage:
    """A page with a form of settings."""
    back = Markup('\n<p><a href="{}">{}</a></p>').format(ALL, _("All settings"))
    return styled_page(title, main + back, FRAME_STYLE + FIELDS_STYLE)


def _section(section: ListedSection, *, may_change: bool) -> Markup:
    changed = [each for each in section.settings if each.is_changed]
    link = _("Change settings of {name}") if may_change else _("Settings of {name}")
    address = section_address(section.name)
    names = Markup(" · ").join(
        Markup('<a href="{}#{}"{}>{}</a>').format(
            address, each.path, Markup(" class=changed") if each.is_changed else "", each.entry.name
        )
        for each in section.settings
    )
    return Markup(
        '<h2 id="{0}">{0}</h2>\n<p>{1}</p>\n{2}<p class="names" dir="ltr">{3}</p>\n'
        '<p><a href="{4}">{5}</a></p>'
    ).format(
        section.name,
        own_words(section.purpose),
        _rows(section, changed) if changed else "",
        names,
        address,
        link.format(name=section.name),
    )


def _rows(section: ListedSection, settings: Sequence[Listed]) -> Markup:
    heads = (_("Setting"), _("Value"), _("Description"))
    label = _("Settings of {name}").format(name=section.name)
    return table(heads, map(_row, settings), label, stacks=True)


def _row(setting: Listed) -> Markup:
    kind = Markup(' class="changed"') if setting.is_changed else Markup("")
    notes = [_("Default: {value}").format(value=setting.usual)] if setting.is_changed else []
    if setting.origin != DEFAULT_ORIGIN:
        notes.append(_("From: {source}").format(source=setting.origin))
    below = Markup("").join(Markup("<br><small>{}</small>").format(note) for note in notes)
    return Markup(
        '<tr{} id="{}"><th scope="row"><code>{}</code></th>'
        "<td><code>{}</code>{}</td><td>{}</td></tr>"
    ).format(kind, setting.path, setting.path, setting.value, below, description(setting))


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
            _what(change, secrets),
            undo(change),
        )
        for change in reversed(changes[-_HISTORY_LENGTH:])
    ]
    head = Markup('<h2 id="changes">{}</h2>\n').format(_("Last changes"))
    return head + table((_("When"), _("Who"), _("What"), ""), rows, _("Last changes"))


def _what(change: SavedChange, secrets: frozenset[str]) -> Markup:
    if change.rules is not None:
        return Markup("{}: {}").format(_("Site rules"), ", ".join(change.sites))
    return Markup("<br>").join(_changed(each, secrets) for each in change.settings)


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
