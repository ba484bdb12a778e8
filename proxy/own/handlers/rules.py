"""``/-/settings/rules``: the site rules in force, and a button that runs their tests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from markupsafe import Markup

from winnow.config.site_rule_file import FileRule, RuleTest
from winnow.jobs.public_names import public_name
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.access.tokens import FormTokens
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.messages import Permit
from winnow.proxy.own.handlers.form_checks import OwnForms, served
from winnow.proxy.own.handlers.time_limits import results_within
from winnow.proxy.own.router import OwnRequest, OwnResponse, shown
from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, listed, sentences, styled_page
from winnow.proxy.own.templates.navigation import ALL, RULES, navigation
from winnow.proxy.own.templates.rule_form import EDIT
from winnow.proxy.own.templates.rule_import import EXPORT, IMPORT
from winnow.proxy.own.translation import N_, _, filled, ngettext, own_words

AT_ONCE: Final = 2
PATIENCE: Final = 45.0
"""Seconds for all tests; later ones count as timed out."""
_PURPOSE: Final = "try the rules"
_NOTES: Final = {
    "saved": N_("Saved. The rule is in force."),
    "removed": N_("The rule was deleted."),
    "imported": N_("Imported. The rules are in force."),
    "undone": N_("Undone. The rules are as they were before that change."),
}
_UNTRIED: Final = ("timed out: run `winnow config check`, which has no time limit.",)
_STYLE: Final = FRAME_STYLE + Markup("\n.bad { font-weight: 600; text-decoration: underline; }\n")
_EXAMPLE: Final = """\
[[rule]]
site = "example.com"
keep = ["#lead"]
drop = [".promotion"]

[[rule.test]]
url = "https://example.com/story"
has = ["these words must be in"]
lacks = ["these must not"]
"""

Case = tuple[FileRule, RuleTest]
Trial = Callable[[FileRule, RuleTest, Permit], Awaitable[Sequence[str]]]
"""The failures of one test, in words. Raises nothing."""
Found = Mapping[Case, Sequence[str]]


@dataclass(frozen=True)
class RulesPage:
    """``rules`` are those in force, of ``file`` (None: no file is set).

    ``may_change``: whether a request is of who may change them, here.
    """

    file: Path | None
    rules: tuple[FileRule, ...]
    trial: Trial
    policy: Callable[[], Policy]
    tokens: FormTokens
    may_change: Callable[[RequestHead], bool] = lambda _head: False

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        return await served(request, self.tokens, _PURPOSE, self._page, self._tried)

    def _page(self, request: OwnRequest) -> HtmlPage:
        return self._sheet(request, {})

    async def _tried(self, request: OwnRequest, _: Mapping[str, str]) -> OwnResponse:
        permit = request.permit
        return shown(self._sheet(request, await self.found(permit)))

    async def found(self, permit: Permit) -> Found:
        """Failures by test, within ``PATIENCE``; ``AT_ONCE`` run in parallel."""
        places = asyncio.Semaphore(AT_ONCE)

        async def one(case: Case) -> Sequence[str]:
            async with places:
                return await self.trial(*case, permit)

        cases = self._cases()
        results = await results_within({case: one(case) for case in cases}, PATIENCE)
        return {case: results.get(case, _UNTRIED) for case in cases}

    def _cases(self) -> list[Case]:
        return [(rule, test) for rule in self.rules for test in rule.tests]

    def _sheet(self, request: OwnRequest, found: Found) -> HtmlPage:
        may = self.may_change(request.head)
        rules = (
            _rule(rule, found, number if may else None) for number, rule in enumerate(self.rules)
        )
        saved = request.query.get("saved", "")
        note = (
            Markup('<p role="status" class="good">{}</p>').format(_(_NOTES[saved]))
            if saved in _NOTES
            else Markup("")
        )
        parts = [note, self._lead(request, found), _ways(self.file) if may else "", *rules]
        body = Markup("\n").join((*parts, navigation(RULES)))
        return styled_page(_("Site rules"), body, _STYLE, wide=True)

    def _lead(self, request: OwnRequest, found: Found) -> Markup:
        if self.file is None:
            return _no_file()
        none = _("No tests: add a section {section} that names a page.")
        button = sentences(filled(none, section=Markup("<code>[[rule.test]]</code>")))
        if self._cases():
            forms = OwnForms(self.tokens, request.head.owner, RULES, _PURPOSE)
            button = forms.button({}, _("Run the tests"))
        read = ngettext(
            "{number} rule from {file}, read at start or at the last reload (SIGHUP).",
            "{number} rules from {file}, read at start or at the last reload (SIGHUP).",
            len(self.rules),
            file=self.file.name,
        )
        return Markup("<p>{}</p>\n{}\n{}").format(read, button, _summary(found))


def _no_file() -> Markup:
    names = _(
        "Site rules are read from the file that the setting {setting} names. No file is set. "
        "Example:"
    )
    choices = _("Choices made in the bar are listed under {link}.")
    link = Markup('<a href="/-/settings">{}</a>').format(_("Site choices and pause"))
    return Markup("<p>{}</p>\n<pre>{}</pre>\n<p>{}</p>").format(
        filled(names, setting=Markup("<code>sites.rules</code>")),
        _EXAMPLE,
        filled(choices, link=link),
    )


def _summary(found: Found) -> Markup:
    if not found:
        return Markup("")
    holding = sum(not faults for faults in found.values())
    kind = "good" if holding == len(found) else "bad"
    text = _("Tests passed: {passed} of {all}.").format(passed=holding, all=len(found))
    return Markup('<p class="{}">{}</p>').format(kind, text)


def _ways(file: Path | None) -> Markup:
    """Links to what changes the rules."""
    links = [(EDIT, _("New rule")), (IMPORT, _("Import"))]
    links += [(EXPORT, _("Export")), (f"{ALL}#changes", _("Last changes"))] if file else []
    return Markup("<p>{}</p>").format(
        Markup(" · ").join(Markup('<a href="{}">{}</a>').format(*link) for link in links)
    )


def _rule(rule: FileRule, found: Found, number: int | None) -> Markup:
    tests = tuple(_test(test, found.get((rule, test))) for test in rule.tests)
    label = _("Change the rule for {site}").format(site=rule.site)
    edit = Markup('<p><a href="{}?rule={}" aria-label="{}">{}</a></p>\n').format(
        EDIT, number, label, _("Change")
    )
    return Markup("<h2>{}</h2>\n{}{}\n{}").format(
        rule.site,
        Markup("") if number is None else edit,
        listed(_points(rule)) or sentences(_("Tests only.")),
        Markup("<h3>{}</h3>\n{}").format(_("Tests"), listed(tests)) if tests else Markup(""),
    )


def _points(rule: FileRule) -> tuple[Markup, ...]:
    """The points of a rule, in words."""
    mode = {
        "always": _("Always extract the article."),
        "never": _("Never change pages."),
        "tidy": _("Tidy pages."),
    }
    points = (
        ("{value}", mode.get(rule.mode, "")),
        (_("Method: {value}"), _code(public_name(rule.extractor))),
        (_("Level: {value}"), rule.level or ""),
        (_("Maximum pages joined: {value}"), rule.pages or ""),
        ("{value}", _("Ignore no-transform.") if rule.ignore_no_transform else ""),
        (_("Always kept: {value}"), _code(", ".join(rule.keep))),
        (_("Always dropped: {value}"), _code(", ".join(rule.drop))),
    )
    return tuple(filled(form, value=value) for form, value in points if value)


def _code(text: str) -> Markup:
    return Markup("<code>{}</code>").format(text) if text else Markup("")


def _test(test: RuleTest, faults: Sequence[str] | None) -> Markup:
    saved = _("as saved in {file}").format(file=test.file.name) if test.file else ""
    wanted = [_("must contain “{words}”").format(words=words) for words in test.has]
    wanted += [_("must not contain “{words}”").format(words=words) for words in test.lacks]
    said = " · ".join(part for part in (saved, *wanted) if part)
    return Markup('<a href="{0}" rel="noreferrer">{0}</a> · {1}{2}').format(
        test.url, said, _verdict(faults)
    )


def _verdict(faults: Sequence[str] | None) -> Markup:
    if faults is None:
        return Markup("")
    if not faults:
        return Markup(' <strong class="good">{}</strong>').format(_("Passed."))
    failures = Markup("; ").join(map(own_words, faults))
    return Markup(' <strong class="bad">{}</strong> {}').format(_("Failed:"), failures)
