"""Test packages on disk (Gottron 2007, section 4.1): a folder of pages, gold texts and notes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from winnow.document.addresses import host_of
from winnow.evaluation.errors import PackageError

ALL = "all"
DESCRIPTION = "package.json"
PACKAGES_VARIABLE = "WINNOW_PACKAGES"


@dataclass(frozen=True, slots=True)
class PackageEntry:
    """One page of a package: raw bytes as served, main content as an expert marked it, notes."""

    id: str
    body: bytes
    gold: str
    meta: Mapping[str, object]

    @property
    def url(self) -> str | None:
        """The page's address, where the package has it."""
        return self._word("url")

    @property
    def site(self) -> str:
        """Whose pages are alike: the package's ``group`` or ``site``, else the address' host."""
        return self._word("group") or self._word("site") or host_of(self.url or "")

    @property
    def page_type(self) -> str | None:
        """article, forum, product, ...: where the package has it."""
        return self._word("page_type")

    def snippets(self, kind: str) -> tuple[str, ...]:
        """Texts that the output must hold (``with``) or must not hold (``without``)."""
        found = self.meta.get(kind)
        return tuple(str(text) for text in found) if isinstance(found, list) else ()

    def _word(self, key: str) -> str | None:
        value = self.meta.get(key)
        return value if isinstance(value, str) and value else None


WARM_UP = PackageEntry(
    "warm-up", b"<html lang=en><title>A</title><p>" + b"One more word, said. " * 40, "", {}
)
"""Measured before a subject's first page, so that imports and lazy tables are in no page's time."""


@dataclass(frozen=True, slots=True)
class Package:
    """A test package: its description and the names of its entries, which are read on demand."""

    path: Path
    name: str
    description: Mapping[str, object]
    ids: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[PackageEntry]:
        return (self.entry(name) for name in self.ids)

    def entry(self, name: str) -> PackageEntry:
        """Read one entry; ``PackageError`` where its gold or its notes cannot be read."""
        return replace(self.page(name), gold=_gold(self.path / f"{name}.txt"))

    def page(self, name: str) -> PackageEntry:
        """One entry without its gold; ``PackageError`` where its notes cannot be read."""
        body = (self.path / f"{name}.html").read_bytes()
        return PackageEntry(name, body, "", _notes(self.path / f"{name}.json"))


def find(name: str, environment: Mapping[str, str] = os.environ) -> Path:
    """The folder that ``name`` means: a path, or a folder below ``$WINNOW_PACKAGES``."""
    if Path(name).is_dir():
        return Path(name)
    root = environment.get(PACKAGES_VARIABLE)
    if root is None:
        raise PackageError(
            f"There is no package folder {name}: name a folder, or set {PACKAGES_VARIABLE} "
            "to the folder that holds the packages."
        )
    if not (Path(root) / name).is_dir():
        raise PackageError(
            f"There is no package {name} in {PACKAGES_VARIABLE}={root}: "
            f"it has {_listed(Path(root))}."
        )
    return Path(root) / name


def found(names: Sequence[str], environment: Mapping[str, str] = os.environ) -> list[Path]:
    """The folders of all names; ``all`` means every package below ``$WINNOW_PACKAGES``."""
    paths: list[Path] = []
    for name in names:
        root = environment.get(PACKAGES_VARIABLE)
        paths += _below(Path(root)) if name == ALL and root else [find(name, environment)]
    return list(dict.fromkeys(paths))


def found_with_gold(
    names: Sequence[str], environment: Mapping[str, str] = os.environ
) -> list[Path]:
    """As ``found``, but ``all`` leaves out packages without gold text, such as those of tasks."""
    named = {find(name, environment) for name in names if name != ALL}
    return [path for path in found(names, environment) if path in named or _has_gold(path)]


def load(path: Path) -> Package:
    """The package in a folder; ``PackageError`` where it has no description or no pages."""
    description = _notes(path / DESCRIPTION, required=True)
    ids = tuple(sorted(page.name.removesuffix(".html") for page in path.glob("*.html")))
    if not ids:
        raise PackageError(f"Package {path} holds no NAME.html: add pages to it.")
    return Package(path, str(description.get("name") or path.name), description, ids)


def _below(root: Path) -> list[Path]:
    return sorted(path.parent for path in root.glob(f"*/{DESCRIPTION}"))


def _has_gold(path: Path) -> bool:
    return next(path.glob("*.txt"), None) is not None


def _listed(root: Path) -> str:
    return ", ".join(path.name for path in _below(root)) or "no packages"


def _gold(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise PackageError(f"{path} is missing: every page needs its gold text.") from None
    except UnicodeDecodeError as error:
        raise PackageError(f"{path} is not UTF-8 (byte {error.start}): save it as UTF-8.") from None


def _notes(path: Path, required: bool = False) -> Mapping[str, object]:
    if not path.is_file():
        if required:
            raise PackageError(f"{path} is missing: a package needs its description there.")
        return {}
    try:
        notes = json.loads(path.read_bytes())
    except ValueError as error:
        raise PackageError(f"{path} is not JSON ({error}): correct it.") from None
    if not isinstance(notes, dict):
        raise PackageError(f"{path} must hold a JSON object, not {type(notes).__name__}.")
    return notes
