"""Names as forums and blogs write them, and what stands beside them and is none."""

from __future__ import annotations

import pytest

from winnow.engine.records.record_names import NUMBER, name_in


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Jo Fixit", "Jo Fixit"),
        ("by Jo Fixit", "Jo Fixit"),
        ("Post by invest4 \u00bb Sat Feb 24, 2024 5:12 pm", "invest4"),
        ("posted by: rider7", "rider7"),
        ("Jo Fixit wrote:", "Jo Fixit"),
        ("von Anna", "Anna"),
        ("Post", ""),
        ("Offline", ""),
        ("#12", ""),
        ("4 March 2024", ""),
        ("\u2022", ""),
        ("Y", ""),
        ("\u6d77", "\u6d77"),
        ("word " * 20, ""),
        ("Joined: Oct 1999", ""),
        ("Joined Oct 12, 1999", ""),
        ("Registered User", ""),
        ("Location: Kent", ""),
        ("Offer Expires", ""),
        ("A Post By:", ""),
        ("A Post By: Jane Doe", "Jane Doe"),
    ],
)
def test_a_name_is_read_without_what_stands_around_it(text: str, name: str) -> None:
    assert name_in(text) == name


@pytest.mark.parametrize("text", ["#12", "Post #12", "No. #12"])
def test_numbers_of_posts(text: str) -> None:
    found = NUMBER.fullmatch(text)
    assert found is not None
    assert found[1] == "12"
