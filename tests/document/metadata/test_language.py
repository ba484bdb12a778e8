"""Pages that declare no language are read aloud in the one that they are written in."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.document.metadata.language import guess, guess_of

SENTENCES = {
    "en": "The boat that was in the harbour is not the one with a red sail.",
    "de": "Das Boot, das im Hafen lag, ist nicht mit dem roten Segel gefahren und auch nicht weit.",
    "fr": "Le bateau qui est dans le port n'est pas celui des pêcheurs, mais il est plus grand.",
    "es": "El barco que está en el puerto no es de los pescadores, pero es más grande.",
    "pt": "O barco não é dos pescadores, mas uma casa para os que vivem com o mar.",
    "nl": "Het schip dat in de haven ligt is niet van de vissers, maar het is ook een huis.",
    "pl": "Łódka nie jest w porcie, bo to nie jest miejsce dla łodzi i dla ludzi.",
    "ru": "Лодка не была в порту, потому что это не место для лодок и для людей.",
    "uk": "Човен не був у порту, тому що це не місце для човнів та для людей від моря.",
    "el": "Το καράβι δεν είναι στο λιμάνι.",
    "zh": "船不在港口里，因为那里没有地方。",
    "ja": "船は港にいません。場所がないからです。",
    "ko": "배는 항구에 없습니다.",
    "th": "เรือไม่ได้อยู่ในท่าเรือ",
    "he": "הסירה לא בנמל.",
    "ar": "كان المركب في الميناء من بعد أن عاد إلى المدينة مع الصيادين",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_tells_its_language(language: str) -> None:
    assert guess_of(SENTENCES[language]) == language


@pytest.mark.parametrize("text", ["", "42", "xyzzy plugh", "\ufffc\n\n\ufffc"])
def test_a_text_that_does_not_tell_has_no_language(text: str) -> None:
    assert guess_of(text) == ""


def test_the_middle_of_a_page_decides() -> None:
    menu = "<nav>" + "<a href=x>the of and to</a> " * 3000 + "</nav>"
    text = "<p>" + SENTENCES["de"] * 300 + "</p>"
    assert guess(Document.from_html(menu + text + menu)) == "de"
