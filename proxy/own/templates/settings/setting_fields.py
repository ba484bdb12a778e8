"""One section of the settings as a form with typed fields, and the page that asks for a code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from markupsafe import Markup

from winnow.config.editing.setting_edits import is_list
from winnow.config.setting_list import SettingKind
from winnow.config.settings_in_force import Listed, ListedSection
from winnow.proxy.own.templates.elements import hidden
from winnow.proxy.own.templates.navigation import ALL
from winnow.proxy.own.translation import N_, _, filled, own_words

FIELDS_STYLE: Final = Markup(
    """
:root { --bad: #a00020; }
@media (prefers-color-scheme: dark) { :root { --bad: #ffa0a0; } }
:root.light, :root.sepia { --bad: #a00020; }
:root.dark, :root.contrast { --bad: #ffa0a0; }
.setting { border-top: 1px solid var(--line); padding: .7rem 0; }
.setting label { font-weight: 600; }
.setting .default { font-weight: 400; }
.setting p { margin: .15rem 0; }
.setting input[type=text], textarea { width: 100%; max-width: 34rem; }
textarea { font: inherit; box-sizing: border-box; }
.wrong { color: var(--bad); font-weight: 600; }
"""
)
DEFAULT: Final = "default:"
"""Begins the name of the field that takes a setting out of the file."""
_BOOLS: Final = {"true": N_("Yes"), "false": N_("No")}
_STEPS: Final = {SettingKind.INT: "1", SettingKind.FLOAT: "any"}
_NAMES_HINT: Final = N_(
    "One a line: a name; or NAME PASSWORD for a new one, or for a new password. Only its hash "
    "is stored."
)


@dataclass(frozen=True)
class Entered:
    """What somebody typed and what was wrong with it, by path; ``general``: of no one setting."""

    texts: Mapping[str, str] = field(default_factory=dict)
    problems: Mapping[str, str] = field(default_factory=dict)
    general: str = ""


NOTHING_ENTERED: Final = Entered()


def section_form(
    section: ListedSection, proofs: Mapping[str, str], entered: Entered = NOTHING_ENTERED
) -> Markup:
    """All fields of a section above one button; ``proofs`` are its hidden fields."""
    return Markup(
        '<p>{}</p>\n{}<form method="post" action="{}">{}\n{}\n'
        '<p><button class="first">{}</button></p></form>'
    ).format(
        own_words(section.purpose),
        _faults(entered),
        ALL,
        hidden(proofs),
        Markup("\n").join(_setting(each, entered) for each in section.settings),
        _("Save changes"),
    )


def _faults(entered: Entered) -> Markup:
    if not entered.problems and not entered.general:
        return Markup("")
    lines = [
        Markup('<a href="#{0}">{0}</a> {1}').format(path, own_words(problem))
        for path, problem in entered.problems.items()
    ]
    items = [
        Markup("<li>{}</li>").format(line) for line in (*lines, own_words(entered.general)) if line
    ]
    return Markup('<div role="alert"><p class="wrong">{}</p><ul>{}</ul></div>\n').format(
        _("Nothing was changed."), Markup("").join(items)
    )


def _setting(setting: Listed, entered: Entered) -> Markup:
    problem = entered.problems.get(setting.path, "")
    wrong = Markup('<p class="wrong" id="{}-wrong">{}</p>').format(setting.path, own_words(problem))
    return Markup(
        '<div class="setting"><label for="{0}">{1}</label>\n'
        '<p id="{0}-about">{2}</p>\n{3}{4}{5}</div>'
    ).format(
        setting.path,
        setting.entry.name,
        _about(setting),
        wrong if problem else "",
        _field(setting, entered),
        _below(setting),
    )


def description(setting: Listed) -> Markup:
    """What a setting is for, and its values where these are few."""
    said, choices = own_words(setting.entry.note.purpose), setting.entry.choices
    if not choices:
        return said
    listed = Markup('<span dir="ltr">{}</span>').format(", ".join(choices))
    return said + " " + filled(_("One of: {values}."), values=listed)


def _about(setting: Listed) -> Markup:
    parts = [
        own_words(setting.entry.note.purpose),
        _("One a line.") if is_list(setting.entry) and not setting.is_secret else "",
        _(_NAMES_HINT) if setting.is_secret else "",
        _("Takes effect after a restart.") if setting.needs_restart else "",
        _("Needs a code from Winnow’s terminal.") if setting.is_protected else "",
    ]
    return Markup(" ").join(part for part in parts if part)


def _below(setting: Listed) -> Markup:
    if setting.is_fixed:
        text = _("Set elsewhere ({place}), which the file cannot change.")
        return Markup('<p class="quiet">{}</p>').format(text.format(place=setting.origin))
    if not setting.is_from_file:
        return Markup("")
    return Markup(
        '<p><label class="default"><input type="checkbox" name="{}{}" value="1"> '
        "{} <code>{}</code></label></p>"
    ).format(DEFAULT, setting.path, _("Use the default:"), _short(setting.usual))


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


def _field(setting: Listed, entered: Entered) -> Markup:
    entry, text = setting.entry, entered.texts.get(setting.path, setting.text)
    attributes = Markup(' id="{0}" name="{0}" aria-describedby="{0}-about{1}"{2}').format(
        setting.path,
        Markup(" {}-wrong").format(setting.path) if setting.path in entered.problems else "",
        Markup(" disabled") if setting.is_fixed else "",
    )
    if entry.kind is SettingKind.BOOL or entry.choices:
        return _select(
            attributes, _BOOLS if not entry.choices else dict.fromkeys(entry.choices), text
        )
    if is_list(entry):
        rows = min(8, max(2, text.count("\n") + 2))
        return Markup('<textarea{} rows="{}" spellcheck="false">\n{}</textarea>').format(
            attributes, rows, text
        )
    if step := _STEPS.get(entry.kind):
        return Markup('<input type="number"{} step="{}"{} value="{}">').format(
            attributes, step, _bounds(setting), text
        )
    return Markup('<input type="text"{} value="{}">').format(attributes, text)


def _bounds(setting: Listed) -> Markup:
    note = setting.entry.note
    sides = (("min", note.minimum), ("max", note.maximum))
    return Markup("").join(
        Markup(' {}="{:g}"').format(name, side) for name, side in sides if side is not None
    )


def _select(attributes: Markup, choices: Mapping[str, str | None], chosen: str) -> Markup:
    options = Markup("").join(
        Markup('<option value="{}"{}>{}</option>').format(
            value, Markup(" selected") if value == chosen else "", _(text) if text else value
        )
        for value, text in choices.items()
    )
    return Markup("<select{}>{}</select>").format(attributes, options)


def code_form(proofs: Mapping[str, str], changes: Mapping[str, str], fault: str) -> Markup:
    """Asks for the code that the terminal shows; ``changes``: new texts by path."""
    lines = Markup("").join(
        Markup("<li><code>{}</code>: {}</li>").format(path, text.replace("\n", ", ") or _("empty"))
        for path, text in changes.items()
    )
    proof = _(
        "To prove that Winnow is yours, enter the code that the terminal shows in which Winnow "
        "runs "
        "(for a service: its log)."
    )
    return Markup(
        "<p>{}</p>\n<ul>{}</ul>\n<p>{}</p>\n{}"
        '<form method="post" action="{}">{}<label for="code">{}</label> '
        '<input type="text" id="code" name="code" inputmode="numeric" autocomplete="one-time-code" '
        'required size="12"> <button class="first">{}</button></form>\n<p><a href="{}">{}</a></p>'
    ).format(
        _("This changes what Winnow runs, trusts or lets in:"),
        lines,
        proof,
        Markup('<p class="wrong" role="alert">{}</p>\n').format(own_words(fault)) if fault else "",
        ALL,
        hidden(proofs),
        _("Code"),
        _("Change"),
        ALL,
        _("Cancel"),
    )
