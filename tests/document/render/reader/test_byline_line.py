"""Moments are written in the page's language; ``datetime`` holds what is certain."""

from __future__ import annotations

import pytest

from winnow.document.metadata.page_metadata import Metadata
from winnow.document.render.reader.byline_line import byline_line, iso_of, moment_of, time_element


@pytest.mark.parametrize(
    ("written", "language", "shown"),
    [
        ("2024-03-04", "en", "March 4, 2024"),
        ("2024-03-04T10:21:00Z", "de", "4. M\u00e4rz 2024, 10:21"),
        ("2024-03-04 10:21:00 +00:00", "fr", "4 mars 2024, 10:21"),
        ("2024-03-04T10:21:00", "ja", "2024\u5e743\u67084\u65e5 10:21"),
        ("3 hours ago", "en", "3 hours ago"),
    ],
)
def test_a_moment_as_its_readers_write_it(written: str, language: str, shown: str) -> None:
    assert moment_of(written, Metadata(language=language)) == shown


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("2024-03-04T10:21:00-0500", "2024-03-04T10:21:00-0500"),
        ("Jul 5, 2024 at 5:39 PM", "2024-07-05"),
        ("03-04-2024, 10:21 AM", ""),
        ("yesterday", ""),
    ],
)
def test_the_datetime_of_what_is_certain_alone(written: str, iso: str) -> None:
    about = Metadata(language="en")
    assert iso_of(written, about) == iso
    assert ("datetime=" in time_element(written, about)) is bool(iso)
    assert f'datetime="{iso}"' in time_element(written, about) or not iso


@pytest.mark.parametrize(
    ("language", "shown"),
    [("en", "1\u00a0min\u00a0read"), ("de", "1\u00a0Minute"), ("ja", "1\u00a0分")],
)
def test_no_line_breaks_within_the_reading_time(language: str, shown: str) -> None:
    assert f">{shown}</span>" in byline_line(Metadata(language=language, byline="Ann Berg"), 1)
