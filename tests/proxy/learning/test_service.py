"""Pages teach while they are served: what is folded, kept, known, and never learned."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tests.proxy.stores.memories import at, merge, pages_of
from winnow.document.values import NO_KNOWLEDGE, Page, Recipe, Rendered, SiteKnowledge
from winnow.proxy.decisions.policy import SiteRule
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.request_target import parse_url
from winnow.proxy.learning import service
from winnow.proxy.learning.recent_pages import RecentPages, RecentPagesLimits
from winnow.proxy.learning.service import LearningRules, LearningService, is_private
from winnow.proxy.learning.teaching import LearningTransform, may_teach, with_learning
from winnow.proxy.stores.site_store import LARGEST, MemorySites, Merge, SiteNews
from winnow.proxy.stores.sqlite_sites import SqliteSites
from winnow.proxy.stores.store_errors import StoreError

RULES = LearningRules(pages=3, every=3600.0)
SITE = "https://www.example.com/a"


async def begun(store: MemorySites | SqliteSites, rules: LearningRules = RULES) -> LearningService:
    learning = LearningService(store, merge, pages_of, rules)
    await learning.start()
    return learning


class Listing(MemorySites):
    """Counts how often all sites were listed, and never keeps ``lost.example``."""

    listed = 0

    async def fold(self, lessons: Mapping[str, bytes]) -> None:
        await super().fold(lessons)
        await self.forget(["https://lost.example"])

    async def stamps(self) -> Mapping[str, int]:
        self.listed += 1
        return await super().stamps()

    async def news(self, since: int) -> SiteNews:
        found = await super().news(since)
        self.listed -= 1  # it is made of a list
        return found


@pytest.fixture
async def learning() -> AsyncIterator[LearningService]:
    made = await begun(MemorySites(merge))
    yield made
    await made.aclose()


async def taught(learning: LearningService, *words: str, url: str = SITE) -> None:
    for word in words:
        learning.take(url, word.encode())
    await learning.settled()


async def test_what_is_known_is_used_from_so_many_pages_on(learning: LearningService) -> None:
    await taught(learning, "one", "two")
    assert learning.knowledge(at("example.com")).memory == b""
    await taught(learning, "three")
    assert learning.knowledge(at("www.example.com")).memory == b"one three two"
    assert learning.knowledge(at("other.example")).memory == b""


@pytest.mark.parametrize(
    "url", ["http://example.com/a", "https://example.com:8443/a", "http://example.com:443/a"]
)
async def test_what_another_scheme_or_port_teaches_counts_for_itself_alone(
    learning: LearningService, url: str
) -> None:
    """Plain HTTP can be written to on its way, and another port is somebody else's."""
    await taught(learning, "one", "two", "three", url=url)
    assert learning.knowledge(at("example.com")).memory == b""
    assert learning.knowledge(parse_url(url).origin).memory == b"one three two"


async def test_a_recipe_knows_key_and_rule(learning: LearningService) -> None:
    known = learning.knowledge(at("example.com"))
    assert known.learn
    assert known.pages == 3
    assert known.key == await learning.store.secret()


async def test_a_quarter_more_pages_come_before_recipes_know_more(
    learning: LearningService,
) -> None:
    first = [str(number) for number in range(8)]
    for word in first:
        await taught(learning, word)
    before = learning.knowledge(at("example.com")).memory
    await taught(learning, "eight")
    assert learning.knowledge(at("example.com")).memory == before
    await taught(learning, "nine")
    assert pages_of(learning.knowledge(at("example.com")).memory) == 10


async def test_a_page_seen_again_teaches_nothing_new(learning: LearningService) -> None:
    await taught(learning, "one", "one", "one", "one")
    assert learning.knowledge(at("example.com")).memory == b""


async def test_what_was_learned_outlives_the_process(tmp_path: Path) -> None:
    first = await begun(await SqliteSites.open(tmp_path, merge))
    await taught(first, "one", "two", "three")
    await first.aclose()
    again = await begun(await SqliteSites.open(tmp_path, merge))
    assert again.knowledge(at("example.com")).memory == b"one three two"
    await again.aclose()


class Telling(MemorySites):
    """Tells when something was folded."""

    def __init__(self, merge: Merge) -> None:
        super().__init__(merge)
        self.folded = asyncio.Event()

    async def fold(self, lessons: Mapping[str, bytes]) -> None:
        await super().fold(lessons)
        self.folded.set()


async def test_what_was_learned_is_stored_before_long() -> None:
    store = Telling(merge)
    learning = await begun(store, replace(RULES, every=0.01))
    await taught(learning, "one")
    await asyncio.wait_for(store.folded.wait(), 60)
    assert await store.recall(["https://example.com"]) == {"https://example.com": b"one"}
    await learning.aclose()


def counted(memory: bytes) -> int:
    """One page a word. Raises ValueError for what ``merge`` cannot read either."""
    if b"?" in memory:
        raise ValueError("no memory")
    return pages_of(memory)


async def test_what_is_stored_and_cannot_be_read_is_learned_again() -> None:
    store = MemorySites(merge)
    await store.fold({"https://example.com": b"?", "https://other.example": b"one"})
    learning = LearningService(store, merge, counted, RULES)
    await learning.start()
    assert learning.memories() == {"https://example.com": b"", "https://other.example": b"one"}
    await taught(learning, "one")
    await learning.save()
    assert await store.recall(["https://example.com"]) == {"https://example.com": b"one"}
    await learning.aclose()


async def test_instances_learn_from_each_other(tmp_path: Path) -> None:
    left, right = [await begun(await SqliteSites.open(tmp_path, merge)) for _ in range(2)]
    await taught(left, "one", "two")
    await taught(right, "three")
    await left.save()
    await right.save()
    assert right.memories() == {"https://example.com": b"one three two"}
    await right.forget(frozenset({"https://example.com"}))
    await left.save()
    assert left.memories() == {}
    await left.aclose()
    await right.aclose()


async def test_what_others_forgot_and_learned_since_is_taken_over(tmp_path: Path) -> None:
    left, right = [await begun(await SqliteSites.open(tmp_path, merge)) for _ in range(2)]
    for name in ("https://a.example", "https://b.example", "https://c.example"):
        left.taught(name, b"one")
    await left.settled()
    await left.save()
    await right.save()
    await left.forget(frozenset({"https://b.example", "https://c.example"}))
    for name in ("https://d.example", "https://c.example"):
        left.taught(name, b"two")
        await left.settled()
        await left.save()
    await right.save()
    assert right.memories() == left.memories()
    assert right.memories() == {
        "https://a.example": b"one",
        "https://c.example": b"two",
        "https://d.example": b"two",
    }
    await left.aclose()
    await right.aclose()


async def test_a_save_reads_of_the_sites_that_changed_alone() -> None:
    """With 100,000 sites a list of all would take 80 ms at each save."""
    store = Listing(merge)
    learning = await begun(store)
    for number in range(5):
        learning.taught(f"https://{number}.example", b"one")
    await learning.settled()
    await learning.save()
    store.listed = 0
    learning.taught("https://3.example", b"two")
    await learning.settled()
    await learning.save()
    assert learning.memories()["https://3.example"] == b"one two"
    assert store.listed == 0
    await store.forget(["https://4.example"])
    await learning.save()
    assert "https://4.example" not in learning.memories()
    assert store.listed == 1
    await learning.aclose()


async def test_a_site_that_the_store_did_not_keep_is_dropped() -> None:
    learning = await begun(Listing(merge))
    for names in (("a", "b", "c"), ("a", "lost")):
        for name in names:
            learning.taught(f"https://{name}.example", b"one")
        await learning.settled()
        await learning.save()
    assert set(learning.memories()) == {
        "https://a.example",
        "https://b.example",
        "https://c.example",
    }
    await learning.aclose()


async def test_a_site_that_is_forgotten_is_forgotten_at_once(learning: LearningService) -> None:
    await taught(learning, "one", "two", "three")
    await learning.forget(frozenset({"https://example.com"}))
    assert learning.memories() == {}
    assert learning.knowledge(at("example.com")).memory == b""


async def test_a_lesson_that_is_being_folded_does_not_bring_back_what_is_forgotten() -> None:
    begun_to_merge, go_on = threading.Event(), threading.Event()

    def slow(left: bytes, right: bytes) -> bytes:
        if b"late" in right:
            begun_to_merge.set()
            go_on.wait(60)
        return merge(left, right)

    learning = LearningService(MemorySites(merge), slow, pages_of, RULES)
    await learning.start()
    await taught(learning, "one", "two", "three")
    learning.take(SITE, b"late")
    await asyncio.to_thread(begun_to_merge.wait, 60)
    forgetting = asyncio.create_task(learning.forget(frozenset({"https://example.com"})))
    await asyncio.sleep(0)  # the task runs until it has to wait
    go_on.set()
    await forgetting
    await learning.settled()
    await learning.save()
    assert learning.memories() == {}
    assert await learning.store.recall(["https://example.com"]) == {}
    await learning.aclose()


async def test_lessons_that_wait_are_folded_together(learning: LearningService) -> None:
    await taught(learning, "one", "two", "three", "one")
    await taught(learning, "four", url="https://other.example/")
    assert learning.memories() == {
        "https://example.com": b"one three two",
        "https://other.example": b"four",
    }


class Failing(MemorySites):
    """Fails until told otherwise."""

    fails = True

    async def secret(self) -> bytes:
        if self.fails:
            raise StoreError("Redis failed.")
        return await super().secret()

    async def fold(self, lessons: Mapping[str, bytes]) -> None:
        if self.fails:
            raise StoreError("Redis failed.")
        await super().fold(lessons)


async def test_a_store_that_fails_at_first_costs_no_page() -> None:
    store = Failing(merge)
    learning = await begun(store)
    assert learning.knowledge(at("example.com")) == NO_KNOWLEDGE
    store.fails = False
    await learning.save()
    assert learning.knowledge(at("example.com")).learn
    await learning.aclose()


async def test_what_could_not_be_stored_is_stored_later() -> None:
    store = Failing(merge)
    learning = await begun(store)
    await taught(learning, "one", "two")
    await learning.save()
    await taught(learning, "three")
    store.fails = False
    await learning.save()
    assert await store.recall(["https://example.com"]) == {"https://example.com": b"one three two"}
    await learning.aclose()


async def test_lessons_that_no_store_takes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_UNSAVED", 2)
    store = Failing(merge)
    learning = await begun(store)
    for name in ("a", "b", "c", "a", "d"):
        await taught(learning, "one", url=f"https://{name}.example/")
        await learning.save()
    assert list(learning.memories()) == ["https://a.example", "https://d.example"]
    await learning.aclose()


async def test_a_memory_that_would_be_too_large_is_left_as_it_was() -> None:
    learning = await begun(MemorySites(merge))
    await taught(learning, "one", "x" * LARGEST)
    assert learning.memories() == {"https://example.com": b"one"}
    await learning.aclose()


async def test_private_hosts_neither_teach_nor_learn(learning: LearningService) -> None:
    assert learning.knowledge(at("192.168.1.1")) == NO_KNOWLEDGE
    open_to_all = await begun(MemorySites(merge), replace(RULES, private_hosts=True))
    assert open_to_all.knowledge(at("192.168.1.1")).learn
    await open_to_all.aclose()


@pytest.mark.parametrize(
    "host", ["localhost", "router", "10.0.0.1", "[::1]", "nas.local", "Wiki.Corp.", "a.home.arpa"]
)
def test_a_host_is_private_by_name_or_address(host: str) -> None:
    assert is_private(host)


@pytest.mark.parametrize("host", ["example.com", "93.184.216.34", "local.example", "co.uk"])
def test_other_hosts_are_public(host: str) -> None:
    assert not is_private(host)


@pytest.mark.parametrize(
    ("request_", "reply", "teaches"),
    [
        ((), (), True),
        ((("Cookie", "a=b"),), (("Cache-Control", "max-age=60"),), True),
        ((("Authorization", "Basic xyz"),), (), False),
        ((), (("Cache-Control", "private, No-Store"),), False),
    ],
)
def test_what_is_not_to_be_stored_does_not_teach(
    request_: tuple[tuple[str, str], ...], reply: tuple[tuple[str, str], ...], teaches: bool
) -> None:
    assert may_teach(Headers(request_), Headers(reply)) is teaches


async def test_a_rule_knows_its_site(learning: LearningService) -> None:
    rule_for = with_learning(lambda _origin, _owner: SiteRule(extractor="bte"), learning)
    await taught(learning, "one", "two", "three")
    assert rule_for(at("example.com"), "").knowledge.memory == b"one three two"
    assert rule_for(at("example.com"), "").extractor == "bte"


class Teaching:
    """A Transform whose pages teach their body."""

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        return Rendered(
            b"shown", "text/html", "x", lesson=page.body if recipe.knowledge.learn else b""
        )

    async def fingerprint(self, _: Recipe) -> str:
        return "x"

    async def aclose(self) -> None:
        pass


async def test_a_transform_hands_lessons_on_and_keeps_none(learning: LearningService) -> None:
    transform = LearningTransform(Teaching(), learning)
    reported = await transform(Page(b"one", SITE), Recipe(knowledge=SiteKnowledge(learn=True)))
    await transform(Page(b"two", SITE), Recipe())
    await transform(Page(b"three", None), Recipe(knowledge=SiteKnowledge(learn=True)))
    await learning.settled()
    assert reported == Rendered(b"shown", "text/html", "x")
    assert learning.memories() == {"https://example.com": b"one"}


async def test_rows_are_stored_in_memory_and_teach_what_is_stored(tmp_path: Path) -> None:
    store = await SqliteSites.open(tmp_path, merge)
    learning = await begun(store, replace(RULES, pages=2))
    assert not learning.knowledge(at("example.com")).rows
    learning.rows = RecentPages(b" ".join, learning.taught, RecentPagesLimits(least=2))
    assert learning.knowledge(at("example.com")).rows
    for word in (b"one", b"two"):
        learning.take(f"{SITE}{word.decode()}", b"", word)
    await learning.settled()
    assert learning.knowledge(at("example.com")).memory == b"one two"
    await learning.forget(frozenset({"https://example.com"}))
    assert (learning.rows.size, learning.memories()) == (0, {})
    await learning.aclose()


async def test_rows_go_no_further_than_the_transform() -> None:
    class Rowing(Teaching):
        async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
            return Rendered(b"shown", "text/html", "x", row=page.body)

    learning = await begun(MemorySites(merge))
    learning.rows = RecentPages(b" ".join, learning.taught, RecentPagesLimits())
    reported = await LearningTransform(Rowing(), learning)(Page(b"one", SITE), Recipe())
    assert reported == Rendered(b"shown", "text/html", "x")
    assert learning.rows.size == 3
    await learning.aclose()
