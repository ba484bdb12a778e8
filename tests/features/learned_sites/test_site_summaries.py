"""What was learned of a site is told in words and as JSON; what is damaged is said to be."""

from __future__ import annotations

import json

from tests.extractors.layout.test_site_layout import memory_of
from winnow.extractors.site_learners import pack
from winnow.features.learned_sites.site_summaries import about, as_json


def test_counts_and_the_container_are_told() -> None:
    packet = pack({"layout": memory_of(*range(10))})
    found = about(packet)
    assert found.pages == {"layout": 10}
    assert found.lines[0] == "layout: 10 pages remembered"
    assert "content stands in" in found.lines[-1]
    written = json.loads(as_json({"a.example": packet}))["a.example"]
    assert written["pages"] == {"layout": 10}
    assert written["layout"]["pages"] == 10
    assert written["layout"]["container"]


def test_a_damaged_memory_is_said_to_be_one() -> None:
    assert about(b"\xff damaged").lines == ("the memory cannot be read any longer",)
    assert json.loads(as_json({"a.example": b"\xff damaged"})) == {"a.example": {"pages": {}}}
