"""Rules for single sites and their tests, read from a TOML file.

Methods and selectors are only checked by the code that uses them.

    [[rule]]
    site = "example.com"            # "example.com:8081" holds at that port alone
    extractor = "crunch:2"          # and mode, level, pages, ignore_no_transform, comments, images,
                                    # render
    keep = ["#lead"]
    drop = [".promotion"]

    [[rule.test]]
    url = "https://example.com/story"
    file = "story.html"             # the page as saved; without it the address is fetched
    has = ["these words must be in"]
    lacks = ["these must not"]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from winnow.config.errors import InvalidSettingsError, Problem
from winnow.config.sources.renamed import RULE_FIELDS, current_name
from winnow.config.sources.toml_file import parsed

MODES: Final = ("auto", "always", "tidy", "never")
WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "comments": ("fold", "keep", "drop"),
    "images": ("as-sent", "phone", "saving"),
    "render": ("no", "when-empty", "always"),
}
"""What the fields of one word may be."""
_LEVELS: Final = range(1, 13)
_PAGES: Final = range(1, 21)


@dataclass(frozen=True, slots=True)
class RuleTest:
    """``has`` must be in the text of the page at ``url``, ``lacks`` must not; ``file`` holds it."""

    url: str
    file: Path | None = None
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileRule:
    """What a file says of one site; "" and None leave a point to the settings."""

    site: str
    mode: str = "auto"
    extractor: str = ""
    level: int | None = None
    ignore_no_transform: bool = False
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    tests: tuple[RuleTest, ...] = ()
    pages: int | None = None
    comments: str = ""
    images: str = ""
    render: str = ""


def load_rules(file: Path) -> tuple[FileRule, ...]:
    """The rules of a file. Raises UnreadableFileError, or InvalidSettingsError with all faults."""
    return read_rules(parsed(file), file)


def read_rules(tables: Mapping[str, Any], file: Path) -> tuple[FileRule, ...]:
    """The rules of a file's content. Raises InvalidSettingsError with all faults."""
    unknown = [key for key in tables if key != "rule"]
    problems = [Problem(str(file), key, "is unknown; did you mean rule?") for key in unknown]
    rules: list[FileRule] = []
    for number, table in enumerate(_tables(tables.get("rule", [])), 1):
        raw = {current_name(name, RULE_FIELDS, str(file)): table[name] for name in table}
        path = f"rule {number}"
        faults = [Problem(str(file), f"{path}: {name}", text) for name, text in _faults(raw)]
        problems += faults
        if not faults:
            rules.append(_rule(raw, file.parent))
    if problems:
        raise InvalidSettingsError(tuple(problems))
    return tuple(rules)


def _tables(raw: object) -> list[Mapping[str, Any]]:
    """Anything that is no list of tables becomes one empty rule, which then lacks its site."""
    if isinstance(raw, list) and all(isinstance(item, dict) for item in raw):
        return raw
    return [{}]


def _faults(raw: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in raw.items():
        if name not in _CHECKS:
            yield name, f"is unknown; a rule has {', '.join(_CHECKS)}"
        elif not _CHECKS[name](value):
            yield name, _EXPECTED[name]
    if not raw.get("site"):
        yield "site", "is missing: the rule must name a site such as example.com"
    for number, test in enumerate(_tables(raw.get("test", [])), 1):
        for name, text in _test_faults(test):
            yield f"test {number}: {name}", text


def _test_faults(test: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in test.items():
        if name not in _TEST_CHECKS:
            yield name, f"is unknown; a test has {', '.join(_TEST_CHECKS)}"
        elif not _TEST_CHECKS[name](value):
            yield name, _TEST_EXPECTED[name]
    if not test.get("url"):
        yield "url", "is missing: the test must name a page"
    if not test.get("has") and not test.get("lacks"):
        yield "has", "is missing: the test must name words that are in the article, or lacks them"


def _rule(raw: Mapping[str, Any], folder: Path) -> FileRule:
    return FileRule(
        site=raw["site"],
        mode=raw.get("mode", "auto"),
        extractor=raw.get("extractor", ""),
        level=raw.get("level"),
        ignore_no_transform=raw.get("ignore_no_transform", False),
        keep=tuple(raw.get("keep", ())),
        drop=tuple(raw.get("drop", ())),
        tests=tuple(_test(test, folder) for test in raw.get("test", [])),
        pages=raw.get("pages"),
        **{name: raw.get(name, "") for name in WORDS},
    )


def _test(raw: Mapping[str, Any], folder: Path) -> RuleTest:
    file = folder / raw["file"] if "file" in raw else None
    return RuleTest(raw["url"], file, tuple(raw.get("has", ())), tuple(raw.get("lacks", ())))


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


_CHECKS: Final[Mapping[str, Callable[[object], bool]]] = {
    "site": lambda value: isinstance(value, str) and "/" not in value,
    "mode": lambda value: value in MODES,
    "extractor": _is_text,
    "level": lambda value: type(value) is int and value in _LEVELS,
    "pages": lambda value: type(value) is int and value in _PAGES,
    **{name: words.__contains__ for name, words in WORDS.items()},
    "ignore_no_transform": lambda value: isinstance(value, bool),
    "keep": _are_texts,
    "drop": _are_texts,
    "test": lambda value: isinstance(value, list) and all(isinstance(t, dict) for t in value),
}
_EXPECTED: Final = {
    "site": "must be a host such as example.com",
    "mode": f"must be one of {', '.join(MODES)}",
    "extractor": "must be a method, as `winnow extractors` lists them",
    "level": "must be a whole number from 1 to 12",
    "pages": "must be a whole number from 1 to 20",
    **{name: f"must be one of {', '.join(words)}" for name, words in WORDS.items()},
    "ignore_no_transform": "must be true or false",
    "keep": "must be a list of selectors",
    "drop": "must be a list of selectors",
    "test": "must be tables: [[rule.test]]",
}
_TEST_EXPECTED: Final = {
    "url": "must be an address",
    "file": "must be a path",
    "has": "must be a list of strings",
    "lacks": "must be a list of strings",
}
_TEST_CHECKS: Final[Mapping[str, Callable[[object], bool]]] = {
    "url": _is_text,
    "file": _is_text,
    "has": _are_texts,
    "lacks": _are_texts,
}
