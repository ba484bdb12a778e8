"""The form of one site rule, and what the rule did to a page that it was tried on. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from markupsafe import Markup

from winnow.config.site_rule_file import MODES
from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, listed, styled_page
from winnow.proxy.own.templates.elements import hidden, select
from winnow.proxy.own.templates.navigation import RULES
from winnow.proxy.own.templates.rule_trial import TRIAL_STYLE, RuleTried, trial_part
from winnow.proxy.own.templates.setting_fields import FIELDS_STYLE
from winnow.proxy.own.translation import N_, _, own_words

__all__ = ["EDIT", "RuleForm", "RuleTried", "rule_page"]

EDIT: Final = f"{RULES}/edit"
MODE_NAMES: Final = {
    "auto": N_("By the kind of page"),
    "always": N_("Always extract articles"),
    "tidy": N_("Tidy pages"),
    "never": N_("Never change pages"),
}
_STYLE: Final = FRAME_STYLE + FIELDS_STYLE + TRIAL_STYLE
_REQUIRED: Final = Markup("required")
_LISTED: Final = Markup('list="methods"')
_ADDRESS: Final = Markup('inputmode="url" dir="ltr"')
_SELECTORS: Final = N_("One selector a line:")
_EXAMPLES: Final = ("p", "#id", ".class", "[attribute=value]", "#main p", "ul > li")


@dataclass(frozen=True)
class RuleForm:
    """``fields``: what the form shows; ``proofs``: its hidden fields; ``table``: the saved rule."""

    table: Mapping[str, Any]
    fields: Mapping[str, str]
    proofs: Mapping[str, str]
    methods: Sequence[str] = ()
    faults: Sequence[str] = ()
    untried: str = ""
    """Why the page could not be fetched."""
    tried: RuleTried | None = None
    at: str = field(default=EDIT)

    def value(self, name: str) -> str:
        return self.fields.get(name, "")


def rule_page(form: RuleForm) -> HtmlPage:
    """The form, below it what was tried."""
    site = form.table.get("site", "")
    title = _("Rule for {site}").format(site=site) if site else _("New site rule")
    body = Markup('{}<form method="post" action="{}#tried">{}\n{}</form>\n{}{}\n<p>{}</p>').format(
        _faults(form),
        EDIT,
        hidden(form.proofs),
        Markup("\n").join((*_points(form), _more(form), _tests(form), _try(form))),
        trial_part(form.tried) if form.tried else _untried(form),
        _remove(form) if site else "",
        Markup('<a href="{}">{}</a>').format(RULES, _("Site rules")),
    )
    return styled_page(title, body, _STYLE)


def _faults(form: RuleForm) -> Markup:
    if not form.faults:
        return Markup("")
    return Markup('<div role="alert"><p class="wrong">{}</p>{}</div>\n').format(
        _("Nothing was changed."), listed(tuple(map(own_words, form.faults)))
    )


def _points(form: RuleForm) -> tuple[Markup, ...]:
    examples = Markup(", ").join(Markup("<code>{}</code>").format(each) for each in _EXAMPLES)
    selectors = Markup("{} {}").format(_(_SELECTORS), examples)
    return (
        _text(form, "site", _("Site"), _("example.com stands for its subdomains too."), _REQUIRED),
        _area(form, "keep", _("Elements that are always kept"), selectors),
        _area(form, "drop", _("Elements that are always removed"), selectors),
    )


def _more(form: RuleForm) -> Markup:
    modes = {mode: _(MODE_NAMES[mode]) for mode in MODES}
    methods = Markup("").join(Markup('<option value="{}">').format(name) for name in form.methods)
    parts = (
        Markup('<div class="setting">{}</div>').format(
            select("mode", _("Pages of this site"), modes, form.value("mode") or "auto")
        ),
        _text(form, "extractor", _("Method"), _("Empty: the usual one."), _LISTED),
        Markup('<datalist id="methods">{}</datalist>').format(methods),
        _whole(form, "level", _("Level, 1 to 12"), 12),
        _whole(form, "pages", _("Pages of one article that are joined at most"), 20),
        Markup(
            '<div class="setting"><label><input type="checkbox" name="ignore_no_transform" '
            'value="yes"{}> {}</label></div>'
        ).format(
            Markup(" checked") if form.value("ignore_no_transform") else "",
            _("Change pages although the site says no-transform"),
        ),
    )
    used = ("extractor", "level", "pages", "ignore_no_transform")
    is_open = any(map(form.value, used)) or form.value("mode") not in {"", "auto"}
    return _folded(_("More"), parts, is_open=is_open)


def _tests(form: RuleForm) -> Markup:
    saved = form.table.get("test", ())
    parts = [
        _saved_test(test) if "file" in test else _test(form, place)
        for place, test in enumerate(saved)
    ]
    return _folded(_("Tests"), (*parts, _test(form, len(saved))), is_open=bool(saved))


def _saved_test(test: Mapping[str, Any]) -> Markup:
    said = _("{url}, as saved in {file}: changed in the file alone.")
    return Markup('<p class="setting">{}</p>').format(
        said.format(url=test.get("url", ""), file=test["file"])
    )


def _test(form: RuleForm, place: int) -> Markup:
    name = f"test{place}"
    return Markup("<fieldset><legend>{}</legend>{}{}{}</fieldset>").format(
        _("Test {number}").format(number=place + 1),
        _text(form, f"{name}.url", _("Address of a page"), "", _ADDRESS),
        _area(form, f"{name}.has", _("Words that its article must contain"), _("One text a line.")),
        _area(form, f"{name}.lacks", _("Words that it must not contain"), _("One text a line.")),
    )


def _try(form: RuleForm) -> Markup:
    hint = _("Trying changes nothing: it shows what the rule does to the page.")
    return Markup(
        '<div class="setting">{}<p><button name="do" value="try">{}</button> '
        '<button class="first" name="do" value="save">{}</button></p></div>'
    ).format(
        _text(form, "address", _("Try the rule on this page"), hint, _ADDRESS),
        _("Try"),
        _("Save changes"),
    )


def _untried(form: RuleForm) -> Markup:
    if not form.untried:
        return Markup("")
    return Markup('<p class="wrong" id="tried" role="alert">{}</p>\n').format(
        own_words(form.untried)
    )


def _remove(form: RuleForm) -> Markup:
    return Markup(
        '<form method="post" action="{}">{}<button name="do" value="remove">{}</button></form>'
    ).format(EDIT, hidden(form.proofs), _("Delete this rule"))


def _folded(title: str, parts: Sequence[Markup], *, is_open: bool) -> Markup:
    return Markup("<details{}><summary>{}</summary>\n{}\n</details>").format(
        Markup(" open") if is_open else "", title, Markup("\n").join(parts)
    )


def _text(form: RuleForm, name: str, label: str, hint: str, more: Markup) -> Markup:
    return Markup(
        '<div class="setting"><label for="{0}">{1}</label>{2}'
        '<input type="text" id="{0}" name="{0}" value="{3}" spellcheck="false" {4}{5}></div>'
    ).format(name, label, _hint(name, hint), form.value(name), more, _described(name, hint))


def _whole(form: RuleForm, name: str, label: str, most: int) -> Markup:
    return Markup(
        '<div class="setting"><label for="{0}">{1}</label> '
        '<input type="number" id="{0}" name="{0}" min="1" max="{2}" value="{3}"></div>'
    ).format(name, label, most, form.value(name))


def _area(form: RuleForm, name: str, label: str, hint: str) -> Markup:
    text = form.value(name)
    return Markup(
        '<div class="setting"><label for="{0}">{1}</label>{2}'
        '<textarea id="{0}" name="{0}" rows="{3}" dir="auto" spellcheck="false"{4}>\n'
        "{5}</textarea></div>"
    ).format(
        *(name, label, _hint(name, hint), min(8, max(2, text.count("\n") + 2))),
        *(_described(name, hint), text),
    )


def _hint(name: str, text: str) -> Markup:
    return Markup('<p id="{}-about">{}</p>').format(name, text) if text else Markup("")


def _described(name: str, hint: str) -> Markup:
    return Markup(' aria-describedby="{}-about"').format(name) if hint else Markup("")
