"""No text is missing in a language, no catalogue is stale, and each text fills the same places."""

from __future__ import annotations

import ast
import re
import string
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.pofile import read_po as babels_read_po

from docs import translations
from docs.translations import (
    KEYWORDS,
    ROOT,
    SOURCES,
    TRANSLATED,
    all_of,
    file_of,
    folders,
    stored,
    texts,
    updated,
)
from winnow.config.setting_list import sections
from winnow.feature import Feature
from winnow.proxy.http.sentences import says
from winnow.proxy.own.catalogue import catalogue, read_po
from winnow.proxy.own.languages import Language
from winnow.proxy.own.translation import (
    LANGUAGE,
    _,
    clock,
    filled,
    is_translated,
    moment,
    ngettext,
    own_words,
    speaking,
)


@pytest.mark.parametrize("folder", folders(), ids=str)
@pytest.mark.parametrize("language", TRANSLATED)
def test_no_catalogue_is_stale(language: Language, folder: Path) -> None:
    assert file_of(language, folder).read_text() == updated(language, folder), (
        "run: make translations"
    )


@pytest.mark.parametrize("folder", folders(), ids=str)
@pytest.mark.parametrize("language", TRANSLATED)
def test_no_text_is_missing(language: Language, folder: Path) -> None:
    found = stored(language, folder)
    assert [each.id for each in found if each.id and not all_of(each.string)] == []


def test_english_texts_have_typographic_quotes_and_apostrophes() -> None:
    """One form on all pages: ’, “ and ”; backticks stand around what is typed."""
    every = [form for text in texts() for form in (text if isinstance(text, tuple) else (text,))]
    assert len(every) > 1000
    assert [text for text in every if "'" in text or '"' in text] == []


@pytest.mark.parametrize("folder", folders(), ids=str)
@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_fills_the_places_of_the_text(language: Language, folder: Path) -> None:
    for each in stored(language, folder):
        if not each.id:
            continue
        wanted = places(each.id if isinstance(each.id, str) else each.id[1])
        forms = each.string if isinstance(each.string, tuple) else (str(each.string),)
        assert all(places(form) <= wanted for form in forms), each.id
        assert places(forms[-1]) == wanted, each.id
        assert all(form.strip() == form for form in forms), each.id
        assert not each.fuzzy, each.id


def test_no_text_is_called_for_within_an_f_string() -> None:
    """What collects the texts does not look there, so that they would be missing unseen."""
    files = [file for folder in SOURCES for file in sorted((ROOT / folder).rglob("*.py"))]
    assert files
    assert [
        f"{file.name}:{call.lineno}"
        for file in files
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.JoinedStr)
        for call in ast.walk(node)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in KEYWORDS
        and any(isinstance(argument, ast.Constant) for argument in call.args)
    ] == []


GLUED = re.compile(
    r"[a-zà-ÿ\u0600-\u06ff][.!?](?:[A-ZÀ-Þ][a-zà-ÿ]|[\u0600-\u06ff])|[。：:](?:[A-Za-z]+ ){4}"
)
"""Where a sentence begins right behind another: two versions that a merge put together."""


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_translation_is_two_translations(language: Language) -> None:
    for each in (text for text in stored(language) if text.id):
        for form in each.string if isinstance(each.string, tuple) else (str(each.string),):
            english = each.id if isinstance(each.id, str) else each.id[1]
            assert GLUED.search(english) or not GLUED.search(form), form
            assert len(form) <= 2.5 * len(english) + 25, form


@pytest.mark.parametrize("language", TRANSLATED)
def test_names_of_commands_and_files_stay_as_they_are(language: Language) -> None:
    for each in stored(language):
        for form in each.string if isinstance(each.string, tuple) else (str(each.string),):
            english = each.id if isinstance(each.id, str) else each.id[1]
            assert form.count("Winnow") >= min(english.count("Winnow"), 1), english
            for word in re.findall(r"\S+\.(?:toml|crt|pem|msc)\b|--[a-z-]+|/\w\S+/\S+", english):
                assert word in form, english


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_reader_of_catalogues_reads_as_babel_does(language: Language) -> None:
    source = file_of(language).read_bytes()
    theirs = babels_read_po(BytesIO(source), locale=language.value)
    ours = read_po(source.decode())
    single = {each.id: each.string for each in theirs if isinstance(each.id, str) and each.id}
    plural = {each.id[0]: each.string for each in theirs if isinstance(each.id, tuple)}
    assert dict(ours.texts) == single
    assert dict(ours.plurals) == plural
    assert {ours.form(number) for number in range(1000)} == set(range(theirs.num_plurals))


@pytest.mark.parametrize("language", TRANSLATED)
def test_settings_are_described_in_every_language(language: Language) -> None:
    with speaking(language):
        for section in sections():
            texts = [section.purpose, *(entry.note.purpose for entry in section.entries)]
            english = [text for text in texts if not is_translated(" ".join(text.split()))]
            assert english == [], section.name


def test_a_text_is_in_the_language_of_the_request() -> None:
    assert LANGUAGE.get() is Language.ENGLISH
    with speaking(Language.GERMAN):
        assert _("Settings") == "Einstellungen"
    assert _("Settings") == "Settings"


def test_a_sentence_is_english_in_the_log_and_translated_on_a_page() -> None:
    sentence = says("The server at {host} presented a certificate that is not trusted.", host="a.b")
    assert sentence == "The server at a.b presented a certificate that is not trusted."
    assert f"{sentence}" == str(sentence) == sentence
    with speaking(Language.GERMAN):
        assert _(sentence).startswith("Der Server")
        assert "a.b" in _(sentence)
        assert is_translated(sentence)


def test_a_text_without_translation_says_that_it_is_english() -> None:
    assert own_words("A <fault> of OpenSSL") == "A &lt;fault&gt; of OpenSSL"
    with speaking(Language.ARABIC):
        assert own_words("A <b>") == '<span lang="en" dir="ltr">A &lt;b&gt;</span>'
        assert "<" not in own_words("Settings")


@pytest.mark.parametrize(("number", "forms"), [(1, "host"), (2, "hosts"), (1200, "1,200 hosts")])
def test_plurals(number: int, forms: str) -> None:
    text = ngettext(
        "Open all again ({number} host refused)", "Open all again ({number} hosts refused)", number
    )
    assert forms in text


def test_arabic_has_six_forms() -> None:
    with speaking(Language.ARABIC):
        form = catalogue(Language.ARABIC).form
        assert [form(number) for number in (0, 1, 2, 3, 11, 100)] == [0, 1, 2, 3, 5, 4]


def test_what_fills_a_text_is_escaped_and_markup_is_not() -> None:
    assert filled("<a> {name}", name="<b>") == "&lt;a&gt; &lt;b&gt;"


def test_times_are_local() -> None:
    when = datetime(2026, 11, 22, 13, 5, tzinfo=UTC)
    assert clock(when) == f"{when.astimezone():%H:%M}"
    assert moment(when) == f"{when.astimezone():%Y-%m-%d %H:%M}"


def places(text: str) -> set[str]:
    return {place for _text, place, *_rest in string.Formatter().parse(text) if place is not None}


def test_the_texts_of_a_feature_that_names_them_are_in_its_own_catalogues(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    apart = Feature(
        name="listen",
        texts="winnow.features.listen:catalogues",
        settings="winnow.features.listen.settings:SpeechSettings",
    )
    monkeypatch.setattr(translations, "FEATURES", [apart])
    folder = ROOT / "features" / "listen" / "catalogues"
    mine, core = translations.texts.__wrapped__(folder), translations.texts.__wrapped__()
    assert "Site rules" in core
    assert "Site rules" not in mine
    assert 0 < len({*mine} - {*core}) < 100
    assert len(mine) < 100, "texts of the core's settings are none of a feature's"


def test_what_the_core_says_is_translated_in_a_feature_already(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(translations, "texts", lambda _folder: ("Activity", "Never said before."))
    made = updated(Language.GERMAN, tmp_path)
    known = stored(Language.GERMAN).get("Activity")
    assert known
    assert f'msgid "Activity"\nmsgstr "{known.string}"' in made
    assert 'msgid "Never said before."\nmsgstr ""' in made
