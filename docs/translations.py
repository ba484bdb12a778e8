"""``make translations``: collects the texts of own pages, bars and errors into the catalogues.

Each ``proxy/own/catalogues/LANGUAGE.po`` gets the new texts, to be translated, and loses those
that the program no longer has; a feature that names ``texts`` has catalogues in its own folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po, write_po

from winnow.config.feature_settings import FeatureSettings
from winnow.config.setting_list import Section, sections
from winnow.feature import Feature, loaded
from winnow.feature_list import FEATURES, sections_of
from winnow.proxy.own.languages import Language
from winnow.proxy.own.page_templates import braced

ROOT: Final = Path(__file__).parents[1]
CATALOGUES: Final = ROOT / "proxy" / "own" / "catalogues"
SOURCES: Final = ("proxy", "winnow/compose", "features", "jobs")
"""Folders of which texts come to a reader's eyes by own pages, bars and errors."""
KEYWORDS: Final = {"_": None, "N_": None, "says": None, "gettext": None, "ngettext": (1, 2)}
IN_TEMPLATES: Final = {
    **dict.fromkeys(("newstyle_gettext", "trimmed", "trim_blocks", "lstrip_blocks"), "true"),
    "silent": "false",
}
"""Babel's options for Jinja2's ``{% trans %}``, as ``markup_contexts`` sets them."""
TRANSLATED: Final = tuple(each for each in Language if each is not Language.ENGLISH)
Text = str | tuple[str, str]
"""A text, or singular and plural."""


@cache
def texts(folder: Path = CATALOGUES) -> tuple[Text, ...]:
    """All texts that the catalogues of a folder have, in the order of files and lines, then those
    of the settings."""
    apart = [each for each in FEATURES if each.texts]
    mine = [each for each in apart if _folder_of(each) == folder]
    if mine:
        shapes = tuple(loaded(each.settings) for each in mine if each.settings)
        own = [each for each in sections(shapes) if each.name in {one.SECTION for one in shapes}]
        return tuple(_collected([folder.parent], (), own))
    theirs = {loaded(each.settings) for each in apart if each.settings}
    shapes = tuple(each for each in sections_of(FeatureSettings()) if each not in theirs)
    without = [_folder_of(each).parent for each in apart]
    return tuple(_collected([ROOT / each for each in SOURCES], without, sections(shapes)))


def _collected(
    folders: Iterable[Path], without: Iterable[Path], settings: Iterable[Section]
) -> Iterator[Text]:
    for pattern, method, options in (("*.py", "python", {}), ("*.html", "jinja2", IN_TEMPLATES)):
        for file in (file for folder in folders for file in sorted(folder.rglob(pattern))):
            if not any(map(file.is_relative_to, without)):
                yield from _texts_of(file, method, options)
    for section in settings:
        yield " ".join(section.purpose.split())
        yield from (entry.note.purpose for entry in section.entries)


def _folder_of(feature: Feature) -> Path:
    """Where the catalogues of a feature that names them are."""
    return ROOT / "features" / feature.name / feature.texts.partition(":")[2]


def _texts_of(file: Path, method: str, options: Mapping[str, str]) -> Iterator[Text]:
    with file.open("rb") as source:
        for _line, found, _comments, _context in extract(method, source, KEYWORDS, (), options):
            if isinstance(found, str):
                yield braced(found)
            else:
                yield braced(found[0]), braced(found[1])


def file_of(language: Language, folder: Path = CATALOGUES) -> Path:
    """Where the catalogue of a language is."""
    return folder / f"{language.value}.po"


def stored(language: Language, folder: Path = CATALOGUES) -> Catalog:
    """The catalogue as it is in its file."""
    with file_of(language, folder).open("rb") as file:
        return read_po(file, locale=language.value)


def updated(language: Language, folder: Path = CATALOGUES) -> str:
    """What the file of a language should hold: each text with the translation that it has."""
    exists = file_of(language, folder).exists()
    before = stored(language, folder) if exists else Catalog(language.value)
    core, catalog = stored(language), Catalog(language.value, charset="utf-8")
    for text in texts(folder):
        key = text if isinstance(text, str) else text[0]
        known = before.get(key)
        if not (known and all_of(known.string)):
            known = core.get(key)  # the same in English is said alike
        catalog.add(text, known.string if known and known.string else None)
    out = BytesIO()
    write_po(out, catalog, width=100, omit_header=True, no_location=True, sort_output=True)
    plural = get_plural(language.value)
    head = (
        f"# {Locale.parse(language.value).get_display_name('en')}\n"
        'msgid ""\nmsgstr ""\n'
        f'"Language: {language.value}\\n"\n'
        '"Content-Type: text/plain; charset=utf-8\\n"\n'
        f'"Plural-Forms: {plural}\\n"\n\n'
    )
    return head + out.getvalue().decode()


def folders() -> tuple[Path, ...]:
    """The folders of all catalogues: the core's, and those of features that have their own."""
    return (CATALOGUES, *(_folder_of(each) for each in FEATURES if each.texts))


def main() -> None:
    """Rewrite all catalogues, and say how many texts each lacks."""
    for folder in folders():
        folder.mkdir(exist_ok=True)
        for language in TRANSLATED:
            file_of(language, folder).write_text(updated(language, folder))
            found = stored(language, folder)
            missing = [each.id for each in found if each.id and not all_of(each.string)]
            file = file_of(language, folder).relative_to(ROOT)
            print(f"{file}: {len(missing)} texts to translate")  # noqa: T201


def all_of(translation: str | tuple[str, ...] | list[str] | None) -> bool:
    """Whether there is a translation, in all its plural forms."""
    return all(translation) if isinstance(translation, (tuple, list)) else bool(translation)


if __name__ == "__main__":
    main()
