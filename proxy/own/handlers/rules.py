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
from winnow.proxy.access.tokens import FormTokens
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.messages import Permit
from winnow.proxy.own.handlers.form_checks import OwnForms, served
from winnow.proxy.own.handlers.time_limits import results_within
from winnow.proxy.own.router import OwnRequest, OwnResponse, shown
from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, counted, listed, styled_page
from winnow.proxy.own.templates.navigation import RULES, navigation

AT_ONCE: Final = 2
PATIENCE: Final = 45.0
"""Seconds for all tests; later ones count as timed out."""
_PURPOSE: Final = "try the rules"
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
    """``rules`` are those in force, of ``file`` (None: no file is set)."""

    file: Path | None
    rules: tuple[FileRule, ...]
    trial: Trial
    policy: Callable[[], Policy]
    tokens: FormTokens

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
        parts = [self._lead(request, found), *(_rule(rule, found) for rule in self.rules)]
        body = Markup("\n").join((*parts, navigation(RULES)))
        return styled_page("Site rules", body, _STYLE, wide=True)

    def _lead(self, request: OwnRequest, found: Found) -> Markup:
        if self.file is None:
            return Markup(
                "<p>Site rules are read from the file that the setting <code>sites.rules</code> "
                "names. No file is set. Example:</p>\n<pre>{}</pre>\n"
                "<p>Choices made in the bar are listed under "
                '<a href="/-/settings">Site choices</a>.</p>'
            ).format(_EXAMPLE)
        button = Markup(
            "<p>No tests: add a <code>[[rule.test]]</code> section that names a page.</p>"
        )
        if self._cases():
            forms = OwnForms(self.tokens, request.head.owner, RULES, _PURPOSE)
            button = forms.button({}, "Run the tests")
        lead = Markup(
            "<p>{} from <code>{}</code>, read at start or at the last reload (SIGHUP).</p>\n{}\n{}"
        )
        return lead.format(
            counted(len(self.rules), "rule"), self.file.name, button, _summary(found)
        )


def _summary(found: Found) -> Markup:
    if not found:
        return Markup("")
    holding = sum(not faults for faults in found.values())
    kind = "good" if holding == len(found) else "bad"
    return Markup('<p class="{}">{} of {} tests passed.</p>').format(kind, holding, len(found))


def _rule(rule: FileRule, found: Found) -> Markup:
    tests = tuple(_test(test, found.get((rule, test))) for test in rule.tests)
    return Markup("<h2>{}</h2>\n{}\n{}").format(
        rule.site,
        listed(_points(rule)) or Markup("<p>Tests only.</p>"),
        Markup("<h3>Tests</h3>\n{}").format(listed(tests)) if tests else Markup(""),
    )


def _points(rule: FileRule) -> tuple[Markup, ...]:
    """The points of a rule, in words."""
    mode = {"always": "Always extract the article.", "never": "Never change pages."}
    points = (
        (Markup("{}"), mode.get(rule.mode, "")),
        (Markup("Method: <code>{}</code>"), public_name(rule.extractor)),
        (Markup("Level: {}"), rule.level or ""),
        (Markup("Maximum pages joined: {}"), rule.pages or ""),
        (Markup("{}"), "Ignore no-transform." if rule.ignore_no_transform else ""),
        (Markup("Always kept: <code>{}</code>"), ", ".join(rule.keep)),
        (Markup("Always dropped: <code>{}</code>"), ", ".join(rule.drop)),
    )
    return tuple(form.format(value) for form, value in points if value)


def _test(test: RuleTest, faults: Sequence[str] | None) -> Markup:
    saved = f", as saved in {test.file.name}" if test.file else ""
    wanted = [f"must contain “{words}”" for words in test.has]
    wanted += [f"must not contain “{words}”" for words in test.lacks]
    return Markup('<a href="{0}" rel="noreferrer">{0}</a>{1}: {2}.{3}').format(
        test.url, saved, "; ".join(wanted), _verdict(faults)
    )


def _verdict(faults: Sequence[str] | None) -> Markup:
    if faults is None:
        return Markup("")
    if not faults:
        return Markup(' <strong class="good">Passed.</strong>')
    failures = Markup("; ").join(faults)
    return Markup(' <strong class="bad">Failed:</strong> {}').format(failures)
