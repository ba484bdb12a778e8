"""Memories of several learners travel as one packet and are merged one by one."""

from __future__ import annotations

from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from document.document import Document
from document.values import Extraction, Known
from extractors import learners
from extractors.catalogue import make
from extractors.protocol import Extractor
from tests.proxy.stores.memories import merge, pages_of


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
        self, document: Document, extractor: Extractor, memory: bytes, known: Known
    ) -> Extraction:
        if b"?" in memory:
            raise ValueError("no memory")
        return Extraction("words", reasons=(memory.decode(),))


WORDS = Words()


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {"words": f"{__name__}:WORDS", "others": f"{__name__}:WORDS"}
    monkeypatch.setattr(learners, "BUILT_IN", MappingProxyType(table))


@given(st.dictionaries(st.text("abc-", min_size=1), st.binary()))
def test_what_is_packed_is_unpacked(memories: dict[str, bytes]) -> None:
    assert learners.unpack(learners.pack(memories)) == memories


@given(st.binary(min_size=1, max_size=30))
def test_bytes_that_are_no_packet_are_refused_or_read(packet: bytes) -> None:
    try:
        found = learners.unpack(packet)
    except ValueError:
        return
    assert sum(len(name) + len(memory) + 5 for name, memory in found.items()) <= len(packet)


def test_each_learner_merges_its_own() -> None:
    left = learners.pack({"words": b"one", "others": b"x"})
    right = learners.pack({"words": b"two"})
    joined = learners.unpack(learners.merged(left, right))
    assert joined == {"words": b"one two", "others": b"x"}
    assert learners.page_counts(learners.merged(left, right)) == {"words": 2, "others": 1}


def test_what_no_learner_knows_any_longer_is_dropped() -> None:
    packet = learners.pack({"gone": b"one", "words": b"two"})
    assert learners.unpack(learners.merged(packet, b"")) == {"words": b"two"}


def test_a_memory_that_is_too_large_is_dropped() -> None:
    packet = learners.pack({"words": b"x" * (learners.LARGEST + 1)})
    assert learners.merged(packet, b"") == b""


def test_a_learner_serves_the_methods_that_it_names() -> None:
    assert learners.learner_of(make("plain")) is WORDS
    assert learners.learner_of(make("bte")) is None
