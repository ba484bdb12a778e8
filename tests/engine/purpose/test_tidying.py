"""What goes of a shop's page and of a list, and what stays, as a person found right."""

from __future__ import annotations

import pytest

from tests.pages import tidied
from winnow.document.values import Treatment


@pytest.mark.parametrize("name", tidied.names())
def test_a_page_is_tidied_as_expected(name: str) -> None:
    found = tidied.rendered(name)
    assert found.treatment is Treatment.TIDY
    assert found.body.decode() == (tidied.FOLDER / name / tidied.EXPECTED).read_text("utf-8")
