"""The small display of the evaluation, in a real Chromium."""

from __future__ import annotations

from tests.programs import require_program
from winnow.evaluation.measuring.display import displayed, small_display

GOLD = "The dog barked at the moon all night."
PAGE = f"""<!doctype html><meta name="viewport" content="width=device-width"><body style="margin:0">
<nav style="height:640px">Home</nav><p style="display:none">Hidden words</p><script>x()</script>
<p style="height:600px;margin:0">{GOLD}</p><img src="http://other.invalid/a.png"></body>"""


async def test_words_and_screens_are_those_of_the_layout() -> None:
    async with small_display(str(require_program("chromium"))) as tab:
        shown = await displayed(tab, PAGE.encode(), GOLD)
        assert (shown.words, shown.first) == (9, 1)
        assert shown.before is not None
        assert 0.99 < shown.before < 1.05
        assert 1.9 < shown.screens < 2.2
        again = await displayed(tab, "<p>é".encode("latin-1"), "", "latin-1")
        assert (again.words, again.before) == (1, None)
