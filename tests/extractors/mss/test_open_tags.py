"""The most recent unclosed tag is counted source by source, so that no source decides alone."""

import json

import numpy as np
import pytest

from winnow.document.parsing import tags
from winnow.extractors.mss.open_tags import OpenTags

P, DIV, FONT = (tags.CODES[name] for name in ("p", "div", "font"))
COMMON = np.isin(np.arange(len(tags.NAMES)), [P, DIV, FONT])


def trigram_counts(sources: int, pages: int = 1) -> OpenTags:
    """In every source <p> is inside and <div> outside; in the first <font> is outside, too."""
    made = OpenTags()
    for source in range(sources):
        codes = np.array([P] * 50 + [DIV] * 50 + [FONT] * 50 * (source == 0), dtype=np.int32)
        inside = np.arange(len(codes)) < 50
        for _ in range(pages):
            made.add(codes, inside, f"site{source}")
    return made


def test_what_many_sources_show_is_believed_and_what_one_shows_is_not() -> None:
    odds = trigram_counts(500).odds(COMMON)
    assert odds["p"] > 2
    assert odds["div"] < -2
    assert -0.1 < odds["font"] < 0


def test_more_pages_of_a_source_are_no_more_sources() -> None:
    assert trigram_counts(5, pages=100).odds(COMMON) == pytest.approx(
        trigram_counts(5).odds(COMMON)
    )


def test_sources_of_two_counts_are_those_of_both() -> None:
    one, other = OpenTags(), OpenTags()
    one.add(np.array([P, DIV], dtype=np.int32), np.array([True, False]), "one")
    other.add(np.array([P], dtype=np.int32), np.array([True]), "other")
    other.add(np.array([FONT], dtype=np.int32), np.array([False]), "one")
    assert one.merged(other).as_json() == {
        "one": {"p": [1, 0], "div": [0, 1], "font": [0, 1]},
        "other": {"p": [1, 0]},
    }


def test_a_tag_never_seen_is_neutral() -> None:
    common = COMMON.copy()
    common[tags.CODES["mark"]] = True
    assert trigram_counts(3).odds(common)["mark"] == 0


def test_counts_are_stored_as_json() -> None:
    made = trigram_counts(3)
    again = OpenTags.from_json(json.loads(json.dumps(made.as_json())))
    assert again.odds(COMMON) == made.odds(COMMON)
