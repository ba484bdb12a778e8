"""40 texts of each language were translated twice; the catalogues have what was settled.

``second_translations.json`` has, by language and English text, the first and the second translation
and the one that was settled on where they differ.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docs.translations import TRANSLATED, stored
from winnow.proxy.own.languages import Language

RECORD = json.loads(Path(__file__).with_name("second_translations.json").read_text())


@pytest.mark.parametrize("language", TRANSLATED)
def test_each_text_has_the_translation_that_was_settled(language: Language) -> None:
    record = RECORD[language.value]
    assert len(record) == 40
    catalogue = stored(language)
    for english, texts in record.items():
        assert texts["settled"] in (texts["first"], texts["second"])
        message = catalogue.get(english)
        if message is not None:  # else the program no longer has it
            assert message.string == texts["settled"], english


def test_most_texts_of_the_record_are_still_in_the_program() -> None:
    known = {str(message.id) for message in stored(Language.GERMAN)}
    assert len(RECORD["de"].keys() & known) >= 30
