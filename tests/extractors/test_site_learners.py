"""Memories of several learners travel as one packet and are merged one by one."""

from __future__ import annotations

from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.proxy.stores.memories import merge, pages_of
from winnow.document.document import Document
from winnow.document.values import Extraction, SiteKnowledge
from winnow.extractors import site_learners
from winnow.extractors.explanation import BlockReason, explanation
from winnow.extractors.extractor_protocol import Extractor
from winnow.extractors.registry import make


class Words:
    """Remembers a page's words."""

    name = "words"
    methods = ("plain",)

    def observe(self, document: Document, extractor: Extractor, key: bytes, day: int) -> bytes:
        return document.text.encode()

    def merge(self, left: bytes, right: bytes) -> bytes:
        return merge(left, right)

    def pages(self, memory: bytes) -> int:
        return pages_of(memory)

    def extract(
        self, document: Document, extractor: Extractor, memory: bytes, knowledge: SiteKnowledge
    ) -> Extraction:
        if b"?" in memory:
            raise ValueError("no memory")
        return Extraction("words", reasons=(memory.decode(),))

    def explain(
        self, document: Document, extractor: Extractor, memory: bytes, knowledge: SiteKnowledge
    ) -> tuple[BlockReason, ...]:
        return explanation(extractor, document)


WORDS = Words()


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {"words": f"{__name__}:WORDS", "others": f"{__name__}:WORDS"}
    monkeypatch.setattr(site_learners, "BUILT_IN", MappingProxyType(table))


@given(st.dictionaries(st.text("abc-", min_size=1), st.binary()))
def test_what_is_packed_is_unpacked(memories: dict[str, bytes]) -> None:
    assert site_learners.unpack(site_learners.pack(memories)) == memories


@given(st.binary(min_size=1, max_size=30))
def test_bytes_that_are_no_packet_are_refused_or_read(packet: bytes) -> None:
    try:
        found = site_learners.unpack(packet)
    except ValueError:
        return
    assert sum(len(name) + len(memory) + 5 for name, memory in found.items()) <= len(packet)


def test_each_learner_merges_its_own() -> None:
    left = site_learners.pack({"words": b"one", "others": b"x"})
    right = site_learners.pack({"words": b"two"})
    joined = site_learners.unpack(site_learners.merged(left, right))
    assert joined == {"words": b"one two", "others": b"x"}
    assert site_learners.page_counts(site_learners.merged(left, right)) == {"words": 2, "others": 1}


def test_what_no_learner_knows_any_longer_is_dropped() -> None:
    packet = site_learners.pack({"gone": b"one", "words": b"two"})
    assert site_learners.unpack(site_learners.merged(packet, b"")) == {"words": b"two"}


def test_a_memory_that_is_too_large_is_dropped() -> None:
    packet = site_learners.pack({"words": b"x" * (site_learners.LARGEST + 1)})
    assert site_learners.merged(packet, b"") == b""


def test_a_learner_serves_the_methods_that_it_names() -> None:
    assert site_learners.learner_of(make("plain")) is WORDS
    assert site_learners.learner_of(make("bte")) is None
