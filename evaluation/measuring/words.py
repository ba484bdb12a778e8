"""The words of a text, as measures count them."""

from __future__ import annotations

import re

_UNSPACED = (
    "\u3005-\u3007"  # ideographic iteration mark, closing mark, zero
    "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f\U0001b000-\U0001b16f"  # Kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\u0e00-\u0e7f\u0e80-\u0eff"  # Thai, Lao
)
_WORD = re.compile(rf"(?=\w)[{_UNSPACED}]|[^\W{_UNSPACED}]+")


def words(text: str) -> list[str]:
    r"""The ``\w+`` tokens of the lower-cased text, each Han, Kana, Thai or Lao character by itself.

    Those scripts put no space between words, so a run of letters would be a whole sentence.
    """
    return _WORD.findall(text.lower())


def places(text: str) -> list[tuple[str, int, int]]:
    """Each word with its start and end in the text as it is; lower-cased after cutting."""
    return [(found[0].lower(), found.start(), found.end()) for found in _WORD.finditer(text)]
