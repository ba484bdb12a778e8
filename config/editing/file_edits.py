"""Files of settings and of site rules with something changed; comments and order stay. Pure.

A rule is meant by its number, from 0 in the order of the file; None is a new one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from winnow.config.errors import InvalidSettingsError, Problem, UnreadableFileError
from winnow.config.site_rule_file import read_rules
from winnow.config.sources.toml_file import parsed_text

FILE_NAME: Final = "site-rules.toml"
"""Beside the settings file, where the settings name no other."""
RULE: Final = "rule"
_FILE_OF_A_TEST: Final = "must not be named by a rule that is imported: it would be read here"


def changed_text(text: str, values: Mapping[str, object]) -> str:
    """A settings file with these values by path; without those that are None: their default holds.

    Raises UnreadableFileError if it is no TOML.
    """
    with _edited(text) as document:
        for path, raw in values.items():
            _put(document, path, raw)
    return _dumped(document)


def tables_of(text: str, file: Path) -> list[Mapping[str, Any]]:
    """The rules as they are written. Raises UnreadableFileError."""
    found = parsed_text(text, file).get(RULE, [])
    return [table for table in found if isinstance(table, dict)] if isinstance(found, list) else []


def changed_sites(old: str, new: str, file: Path) -> tuple[str, ...]:
    """The sites of which a rule is in one text alone. Raises UnreadableFileError."""
    before, after = tables_of(old, file), tables_of(new, file)
    differing = [table for table in before if table not in after]
    differing += [table for table in after if table not in before]
    return tuple(sorted({str(table.get("site", "")) for table in differing}))


def with_rule(text: str, number: int | None, table: Mapping[str, Any]) -> str:
    """The file with a rule as ``table`` says it. Raises UnreadableFileError."""
    if number is None:
        return _appended(text, table)
    with _edited(text) as document:
        _write(document[RULE][number], table)
    return _dumped(document)


def without_rule(text: str, number: int) -> str:
    """The file less one rule. Raises UnreadableFileError."""
    with _edited(text) as document:
        del document[RULE][number]
        if not document[RULE]:
            del document[RULE]
    return _dumped(document)


def with_imported(text: str, imported: str, name: Path) -> str:
    """The file with the rules of another, in the place of those for the same site.

    Raises UnreadableFileError, or InvalidSettingsError with all faults of the other file.
    """
    read_rules(parsed_text(imported, name), name)
    tables = tables_of(imported, name)
    if named := [table["site"] for table in tables if _names_file(table)]:
        raise InvalidSettingsError(
            tuple(Problem(str(name), f"{site}: test: file", _FILE_OF_A_TEST) for site in named)
        )
    for table in tables:
        sites = [old.get("site") for old in tables_of(text, name)]
        number = sites.index(table["site"]) if table["site"] in sites else None
        text = with_rule(text, number, table)
    return text


def _names_file(table: Mapping[str, Any]) -> bool:
    return any("file" in test for test in table.get("test", ()))


@contextmanager
def _edited(text: str) -> Iterator[Any]:
    """The document that is edited. Raises UnreadableFileError."""
    import tomlkit  # noqa: PLC0415 - 40 ms that starting does not need
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415

    try:
        yield tomlkit.parse(text)
    except (TOMLKitError, TypeError, AttributeError) as error:
        raise UnreadableFileError(f"the file cannot be changed: {error}") from error


def _dumped(document: Mapping[str, Any]) -> str:
    import tomlkit  # noqa: PLC0415 - as above

    return tomlkit.dumps(document)


def _put(document: MutableMapping[str, Any], path: str, raw: object) -> None:
    section, _, name = path.partition(".")
    if raw is None:
        document.get(section, {}).pop(name, None)
        return
    table: Any = document.setdefault(section, {})
    old = table.get(name)
    if isinstance(old, list) and isinstance(raw, list) and _edit_list(old, raw):
        return
    table[name] = raw


def _edit_list(old: list[Any], new: list[Any]) -> bool:
    """Remove and append items, so that comments beside others stay; whether that gives ``new``."""
    if [item for item in old if item in new] + [item for item in new if item not in old] != new:
        return False
    for place in reversed(range(len(old))):
        if old[place] not in new:
            del old[place]
    for item in [item for item in new if item not in old]:
        old.append(item)
    return True


def _appended(text: str, table: Mapping[str, Any]) -> str:
    before = f"{text.rstrip()}\n\n" if text.strip() else ""
    return before + _dumped({RULE: [table]})


def _write(old: MutableMapping[str, Any], table: Mapping[str, Any]) -> None:
    """Change what is different; what stays keeps its comment."""
    for name in [name for name in old if name not in table]:
        del old[name]
    for name, value in table.items():
        if name not in old or old[name] != value:
            old[name] = value
