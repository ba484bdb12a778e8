"""What is done with the pages of each purpose is read from settings, or is the same for all."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from winnow.document.purposes import Purpose, Treatment, treated, treatments_of


def test_settings_say_what_is_done_by_purpose() -> None:
    named = {str(purpose): "extract" for purpose in Purpose} | {"form": "original"}
    found = dict(treatments_of(SimpleNamespace(**named)))
    assert found.pop(Purpose.FORM) is Treatment.ORIGINAL
    assert set(found.values()) == {Treatment.EXTRACT}
    assert len(found) == len(Purpose) - 1


def test_a_word_that_is_no_treatment_is_an_error() -> None:
    named = dict.fromkeys(map(str, Purpose), "shred")
    with pytest.raises(ValueError, match="shred"):
        treatments_of(SimpleNamespace(**named))


def test_all_purposes_alike() -> None:
    assert treated(Treatment.TIDY) == tuple((purpose, Treatment.TIDY) for purpose in Purpose)
