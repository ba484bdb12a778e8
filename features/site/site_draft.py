"""What a form says of one site: as a rule of the operator's file, as a choice, and as fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from winnow.config.editing.file_edits import RULE
from winnow.config.errors import InvalidSettingsError
from winnow.config.site_rule_file import WORDS, FileRule, read_rules
from winnow.features.site.crunch_options import CrunchLadder, read_form
from winnow.features.site.parameter_fields import with_parameters
from winnow.proxy.decisions.site_rules import choice_of
from winnow.proxy.http.headers import number
from winnow.proxy.own.templates.elements import USUAL
from winnow.proxy.stores.site_choice import Choice, said

LISTS: Final = ("keep", "drop")
NUMBERS: Final = ("level", "pages")
_TEST_FILE: Final = "file"


@dataclass(frozen=True)
class SiteDraft:
    """``table``: the rule as the file would hold it; ``rule`` is None where that is wrong."""

    table: Mapping[str, Any]
    rule: FileRule | None
    faults: tuple[str, ...] = ()


def digest(text: str) -> str:
    """Changes with what was opened."""
    return sha256(text.encode()).hexdigest()[:16]


def read_draft(
    fields: Mapping[str, str], old: Mapping[str, Any], file: Path, ladder: CrunchLadder
) -> SiteDraft:
    """What a form says; ``old``: what was edited, whose tests of saved pages stay.

    ``file``: where it will stand. Raises ClientFaultError for filters that are none.
    """
    table: dict[str, Any] = {"site": fields.get("site", "").strip()}
    table |= {
        name: value
        for name in ("mode", "extractor", *WORDS)
        if (value := fields.get(name, "").strip())
    }
    if table.get("mode") == "auto":
        del table["mode"]
    table |= {name: _whole(text) for name in NUMBERS if (text := fields.get(name, "").strip())}
    if fields.get("filters"):
        filters = read_form({**fields, "level": str(table.get("level", USUAL))}, ladder)
        table |= {"extractor": filters.specification(ladder), "level": filters.level}
    elif method := table.get("extractor"):
        (table["extractor"],) = with_parameters([method], fields)
    table |= {"ignore_no_transform": True} if fields.get("ignore_no_transform") else {}
    table |= {name: lines for name in LISTS if (lines := _lines(fields.get(name, "")))}
    if tests := _tests(fields, old):
        table["test"] = tests
    return _checked(table, file)


def _checked(table: Mapping[str, Any], file: Path) -> SiteDraft:
    try:
        (rule,) = read_rules({RULE: [table]}, file)
    except InvalidSettingsError as error:
        faults = (f"{each.path.partition(': ')[2]} {each.message}" for each in error.problems)
        return SiteDraft(table, None, tuple(faults))
    return SiteDraft(table, rule)


def chosen_by(rule: FileRule, old: Choice) -> Choice:
    """The choice that says the same; a part that stays has the words it was made with."""
    known = {(part.selector, part.drops): part for part in old.parts}
    found = choice_of(rule)
    parts = (known.get((part.selector, part.drops), part) for part in found.parts)
    return replace(found, parts=tuple(parts))


def table_of(site: str, choice: Choice) -> dict[str, Any]:
    """A choice as the file would hold it."""
    found = {"site": site, **said(choice), "keep": choice.keep, "drop": choice.drop}
    found |= {"ignore_no_transform": found.pop("transform_anyway", None), "parts": None}
    return {name: value for name, value in found.items() if value}


def fields_of(table: Mapping[str, Any]) -> dict[str, str]:
    """What a form shows."""
    named = ("site", "mode", "extractor", *WORDS, *NUMBERS)
    found = {name: str(table[name]) for name in named if name in table}
    found |= {name: "\n".join(table.get(name, ())) for name in LISTS}
    found |= {"ignore_no_transform": "yes"} if table.get("ignore_no_transform") else {}
    for place, test in enumerate(table.get("test", ())):
        if _TEST_FILE not in test:
            found[f"test{place}.url"] = test.get("url", "")
            found |= {
                f"test{place}.{name}": "\n".join(test.get(name, ())) for name in ("has", "lacks")
            }
    return found


def _tests(fields: Mapping[str, str], old: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The tests; one whose address was emptied is gone, one of a saved page stays as it was."""
    before = old.get("test", [])
    found = []
    for place in range(len(before) + 1):
        if place < len(before) and _TEST_FILE in before[place]:
            found.append(before[place])
        elif url := fields.get(f"test{place}.url", "").strip():
            words = {
                name: _lines(fields.get(f"test{place}.{name}", "")) for name in ("has", "lacks")
            }
            found.append({"url": url} | {name: some for name, some in words.items() if some})
    return found


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _whole(text: str) -> int | str:
    found = number(text)
    return text if found is None else found
