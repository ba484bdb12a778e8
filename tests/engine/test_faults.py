"""What ``auto`` keeps of a page of each class of fault; what is known to be wrong is named so."""

from __future__ import annotations

import pytest

from tests.pages import faults

PAGES = faults.names()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_extracted_as_stored(name: str) -> None:
    stored = [
        file for file in (faults.RIGHT, faults.WRONG) if (faults.FOLDER / name / file).exists()
    ]
    found = faults.outcome(name)

    assert stored == [found.file]
    assert (faults.FOLDER / name / found.file).read_text("utf-8") == found.kept


@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_what_its_content_is(name: str) -> None:
    assert len(faults.outcome(name).content.split()) > 5
