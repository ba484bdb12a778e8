"""What addresses say of who wrote a record."""

from __future__ import annotations

import pytest

from winnow.engine.records.record_marks import _PROFILES, _is_profile


@pytest.mark.parametrize("part", _PROFILES)
def test_every_sign_of_a_profile_is_one(part: str) -> None:
    assert _is_profile(f"https://site.example/x{part}jane")


@pytest.mark.parametrize("address", ["/news/2024/river", "#top", "/usage", "?menu=1", ""])
def test_other_addresses_are_none(address: str) -> None:
    assert not _is_profile(address)
