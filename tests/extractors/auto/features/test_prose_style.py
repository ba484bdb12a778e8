"""How a page's prose is written: function words of each script, and how many are English."""

from __future__ import annotations

import numpy as np
import pytest

from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.extractors.auto.features.prose_style import NAMES, is_english, prose_style

ENGLISH = "The ferry left the quay at dawn, and it was late that day for the first time."
POLISH = "W poniedziałek prom wrócił na rzekę i nie było nikogo, kto by się na to gniewał."
RUSSIAN = "Паром вернулся на реку в понедельник, и на берегу не было никого из тех, кто его ждал."
GREEK = "Το πλοίο γύρισε στο ποτάμι και η πόλη το είδε από την όχθη με χαρά για πρώτη φορά."
CHINESE = "渡轮在星期一回到了河上，这是我们在这里看到的最好的消息，船长和乘客都不在岸上。"
ARABIC = "عادت العبارة إلى النهر في الصباح و كان على الرصيف عدد من الناس عن يمين الجسر."


def style_of(*said: str) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    document = Document.from_html("".join(f"<p>{each}</p>" for each in said))
    return prose_style(document, blocks_of(document))


@pytest.mark.parametrize("said", [ENGLISH, POLISH, RUSSIAN, GREEK, CHINESE, ARABIC])
def test_prose_of_each_script_has_function_words(said: str) -> None:
    style = style_of(said)

    assert style.shape == (len(NAMES),)
    assert 0.1 < style[0] < 0.6
    assert is_english(style) is (said is ENGLISH)


def test_menus_have_none_and_links_do_not_count() -> None:
    menu = ("Home News", "Sport", "The weather")

    assert style_of(*menu, f"<a href=/>{ENGLISH}</a>").tolist() == [0, 0]
    assert style_of(*menu, ENGLISH).tolist() == style_of(ENGLISH).tolist()
    assert style_of().tolist() == [0, 0]


def test_only_the_first_prose_is_read() -> None:
    assert (
        style_of(*[ENGLISH] * 20, *[POLISH] * 2000).tolist() == style_of(*[ENGLISH] * 20).tolist()
    )
