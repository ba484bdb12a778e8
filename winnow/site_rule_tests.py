"""Tries the rules of single sites on the pages that their tests name. Writes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from winnow.command_errors import CommandError
from winnow.config.settings import Settings
from winnow.config.site_rule_file import FileRule, RuleTest, load_rules
from winnow.document.errors import SelectorError
from winnow.document.selectors import parse_selector
from winnow.document.values import Format, MethodOptions, Page, Recipe
from winnow.engine.named_extractor import extractor_of
from winnow.engine.pipeline import transform
from winnow.jobs.job_types import PipelineError
from winnow.page_fetch import fetch

Read = Callable[[str], Page]
"""Gets the page of an address. Raises CommandError."""


def check(settings: Settings) -> str:
    """One line that says that all rules hold. Raises CommandError with all that do not."""
    if settings.sites.rules is None:
        return ""
    rules, method = load_rules(settings.sites.rules), settings.extraction.extractor

    def read(url: str) -> Page:
        return fetch(url, settings)

    faults = [fault for rule in rules for fault in faults_of(rule, method, read)]
    if faults:
        raise CommandError("rules that do not hold:\n  " + "\n  ".join(faults))
    tests = sum(len(rule.tests) for rule in rules)
    return f"rules for sites: {len(rules)}, tests: {tests}; all hold ({settings.sites.rules}).\n"


def faults_of(rule: FileRule, extractor: str, read: Read) -> Iterator[str]:
    """What is wrong with a rule, in sentences: its parts first, then what its tests say.

    ``extractor`` is the method where the rule names none.
    """
    wrong = [f"{rule.site}: {fault}" for fault in part_faults(rule)]
    yield from wrong
    for test in () if wrong else rule.tests:
        failures = _tried(rule, test, extractor, read)
        yield from (f"{rule.site}: {test.url} {fault}" for fault in failures)


def recipe_of(rule: FileRule, extractor: str) -> Recipe:
    """How pages of the site are extracted."""
    return Recipe(
        rule.extractor or extractor,
        Format.TEXT,
        options=MethodOptions(rule.level),
        keep=rule.keep,
        drop=rule.drop,
    )


def part_faults(rule: FileRule) -> Iterator[str]:
    """What is wrong with a rule's method and selectors."""
    try:
        extractor_of(recipe_of(rule, "plain"))
    except PipelineError as error:
        yield f"extractor: {error}"
    yield from selector_faults(rule)


def selector_faults(rule: FileRule) -> Iterator[str]:
    """What is wrong with a rule's selectors; extraction itself passes over such."""
    for selector in (*rule.keep, *rule.drop):
        try:
            parse_selector(selector)
        except SelectorError as error:
            yield str(error)


def _tried(rule: FileRule, test: RuleTest, extractor: str, read: Read) -> Iterator[str]:
    try:
        text = _text(rule, test, extractor, read)
    except (CommandError, PipelineError, OSError) as error:
        yield f"cannot be tried: {error}"
        return
    yield from failures_of(test, text)


def failures_of(test: RuleTest, text: str) -> tuple[str, ...]:
    """What an article's text says against a test, in words; white space counts for nothing."""
    flat = _flat(text)
    missing = [words for words in test.has if _flat(words) not in flat]
    left = [words for words in test.lacks if _flat(words) in flat]
    return (
        *(f"lacks “{words}”" for words in missing),
        *(f"has “{words}”, which should be gone" for words in left),
    )


def _text(rule: FileRule, test: RuleTest, extractor: str, read: Read) -> str:
    page = Page(test.file.read_bytes(), test.url) if test.file else read(test.url)
    return transform(page, recipe_of(rule, extractor)).body.decode("utf-8")


def _flat(text: str) -> str:
    return " ".join(text.split())
