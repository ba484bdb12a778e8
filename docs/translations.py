"""``make translations``: collects the texts of own pages, bars and errors into the catalogues.

Each ``proxy/own/catalogues/LANGUAGE.po`` gets the new texts, to be translated, and loses those
that the program no longer has.
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
from winnow.config.setting_list import sections
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
def texts() -> tuple[Text, ...]:
    """All texts of the program, in the order of files and lines, then those of the settings."""
    return tuple(_collected())


def _collected() -> Iterator[Text]:
    apart = [each for each in FEATURES if each.texts]  # their catalogues are in their folders
    for folder in SOURCES:
        for file in sorted((ROOT / folder).rglob("*.py")):
            yield from () if _is_of(file, apart) else _texts_of(file, "python", {})
        for file in sorted((ROOT / folder).rglob("*.html")):
            yield from () if _is_of(file, apart) else _texts_of(file, "jinja2", IN_TEMPLATES)
    theirs = {loaded(each.settings) for each in apart if each.settings}
    shapes = (each for each in sections_of(FeatureSettings()) if each not in theirs)
    for section in sections(tuple(shapes)):
        yield " ".join(section.purpose.split())
        yield from (entry.note.purpose for entry in section.entries)


def _is_of(file: Path, features: Iterable[Feature]) -> bool:
    return any(file.is_relative_to(ROOT / "features" / each.name) for each in features)


def _texts_of(file: Path, method: str, options: Mapping[str, str]) -> Iterator[Text]:
    with file.open("rb") as source:
        for _line, found, _comments, _context in extract(method, source, KEYWORDS, (), options):
            if isinstance(found, str):
                yield braced(found)
            else:
                yield braced(found[0]), braced(found[1])


def file_of(language: Language) -> Path:
    """Where the catalogue of a language is."""
    return CATALOGUES / f"{language.value}.po"


def stored(language: Language) -> Catalog:
    """The catalogue as it is in its file."""
    with file_of(language).open("rb") as file:
        return read_po(file, locale=language.value)


def updated(language: Language) -> str:
    """What the file of a language should hold: each text with the translation that it has."""
    before = stored(language) if file_of(language).exists() else Catalog(language.value)
    catalog = Catalog(language.value, charset="utf-8")
    for text in texts():
        key = text if isinstance(text, str) else text[0]
        known = before.get(key)
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


def main() -> None:
    """Rewrite all catalogues, and say how many texts each lacks."""
    for language in TRANSLATED:
        file_of(language).write_text(updated(language))
        missing = [each.id for each in stored(language) if each.id and not all_of(each.string)]
        print(f"{language.value}: {len(missing)} texts to translate")  # noqa: T201


def all_of(translation: str | tuple[str, ...] | list[str] | None) -> bool:
    """Whether there is a translation, in all its plural forms."""
    return all(translation) if isinstance(translation, (tuple, list)) else bool(translation)


if __name__ == "__main__":
    main()
