"""Parts of responses: stored, used for ranges within them, and joined (RFC 9111, 3.3 and 3.4)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.proxy.caching.making import Clock, MadeOrigin, MadeReply, entry, order, reply
from winnow.proxy.caching.cache_entry import CacheEntry
from winnow.proxy.caching.caching_client import CachingClient
from winnow.proxy.caching.memory_storage import MemoryStorage
from winnow.proxy.caching.partial_content import Extent, as_whole, extent_of, joined, slice_of
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import OriginRequest, anywhere

WHOLE = bytes(range(100))
FRESH, TAG = "Cache-Control: max-age=600", 'ETag: "1"'


class Ranges(MadeOrigin):
    """Serves WHOLE in the ranges that are asked for."""

    def __init__(self, *lines: str) -> None:
        super().__init__()
        self.lines = lines or (FRESH, TAG)
        self.answer = self.part

    def part(self, request: OriginRequest) -> MadeReply:
        wanted = request.headers.get("range")
        if not wanted:
            return MadeReply(reply(*self.lines), (WHOLE,))
        first, last = (int(number) for number in wanted.removeprefix("bytes=").split("-"))
        field = f"Content-Range: bytes {first}-{last}/{len(WHOLE)}"
        return MadeReply(reply(*self.lines, field, status=206), (WHOLE[first : last + 1],))


@pytest.fixture
def origin() -> Ranges:
    return Ranges()


def client_of(origin: MadeOrigin) -> CachingClient:
    return CachingClient(origin, MemoryStorage(1 << 20), clock=Clock())


async def got(client: CachingClient, *lines: str, method: str = "GET") -> tuple[int, str, bytes]:
    response = await client.send(order(*lines, method=method))
    body = b""
    while piece := await response.read():
        body += piece
    await response.aclose()
    return response.head.status, response.head.headers.get("content-range"), body


async def test_a_range_within_a_stored_part_is_a_hit(origin: Ranges) -> None:
    client = client_of(origin)
    first = await got(client, "Range: bytes=10-49")
    assert first == (206, "bytes 10-49/100", WHOLE[10:50])
    assert await got(client, "Range: bytes=10-49") == first
    assert await got(client, "Range: bytes=20-29") == (206, "bytes 20-29/100", WHOLE[20:30])
    assert len(origin.orders) == 1
    await got(client, "Range: bytes=40-59")
    assert len(origin.orders) == 2


async def test_parts_that_touch_are_one_and_then_the_whole(origin: Ranges) -> None:
    client = client_of(origin)
    for wanted in ("40-59", "60-99", "0-45"):
        await got(client, f"Range: bytes={wanted}")
    assert await got(client) == (200, "", WHOLE)
    assert await got(client, "Range: bytes=-5") == (206, "bytes 95-99/100", WHOLE[95:])
    assert len(origin.orders) == 3


async def test_parts_of_other_versions_are_not_joined(origin: Ranges) -> None:
    client = client_of(origin)
    await got(client, "Range: bytes=0-49")
    origin.lines = (FRESH, 'ETag: "2"')
    await got(client, "Range: bytes=50-99")
    assert await got(client) == (200, "", WHOLE)
    assert len(origin.orders) == 3


@pytest.mark.parametrize(
    "lines",
    [
        ("Cache-Control: no-store", TAG),
        ("Cache-Control: private, max-age=9", TAG),
        (FRESH, TAG, "Vary: *"),
        ("Cache-Control: max-age=0", TAG),
        (FRESH, TAG, "Set-Cookie: a=b"),
    ],
)
async def test_what_may_not_be_reused_is_fetched(lines: tuple[str, ...]) -> None:
    origin = Ranges(*lines)
    client = client_of(origin)
    for _ in range(2):
        await got(client, "Range: bytes=0-9")
    assert len(origin.orders) == 2


async def test_a_request_that_changes_it_forgets_its_part(origin: Ranges) -> None:
    client = client_of(origin)
    await got(client, "Range: bytes=0-9")
    await got(client, method="POST")
    await got(client, "Range: bytes=0-9")
    assert len(origin.orders) == 3


async def test_a_whole_that_is_newer_than_a_part_goes_before_it(origin: Ranges) -> None:
    clock = Clock()
    client = CachingClient(origin, MemoryStorage(1 << 20), clock=clock)
    await got(client, "Range: bytes=0-9")
    clock.now += 10
    origin.lines = ("Cache-Control: max-age=5", 'ETag: "2"')
    await got(client)
    clock.now += 10
    await got(client, "Range: bytes=0-9")
    assert len(origin.orders) == 3


async def test_a_stranger_gets_no_part_that_was_fetched_for_this_computer(origin: Ranges) -> None:
    client = client_of(origin)
    await got(client, "Range: bytes=0-9")
    stranger = order("Range: bytes=0-9", permit=lambda _address, _port: True)
    assert stranger.permit is not anywhere
    await (await client.send(stranger)).read()
    assert len(origin.orders) == 2


async def test_a_body_that_is_not_as_long_as_its_range_is_not_stored(origin: Ranges) -> None:
    client = client_of(origin)
    short = reply(FRESH, TAG, "Content-Range: bytes 0-9/100", status=206)
    origin.answer = lambda _: MadeReply(short, (b"short",))
    for _ in range(2):
        await got(client, "Range: bytes=0-9")
    assert len(origin.orders) == 2


async def test_if_range(origin: Ranges) -> None:
    client = client_of(origin)
    await got(client, "Range: bytes=0-9")
    await got(client, "Range: bytes=0-9", 'If-Range: "1"')
    assert len(origin.orders) == 1
    await got(client, "Range: bytes=0-9", 'If-Range: "0"')
    assert len(origin.orders) == 2


EXTENTS = st.tuples(st.integers(0, 99), st.integers(0, 99)).map(sorted)


def stored(first: int, last: int, tag: str = TAG) -> CacheEntry:
    field = f"Content-Range: bytes {first}-{last}/100"
    return entry(FRESH, tag, field, status=206, body=WHOLE[first : last + 1])


@given(EXTENTS, EXTENTS, EXTENTS)
def test_what_is_joined_is_a_part_of_the_whole(
    one: list[int], two: list[int], wanted: list[int]
) -> None:
    part = joined(stored(one[0], one[1]), stored(two[0], two[1]))
    extent = extent_of(part.headers)
    assert extent
    assert part.body == WHOLE[extent.first : extent.last + 1]
    assert extent.first <= two[0] <= two[1] <= extent.last
    touches = one[0] <= two[1] + 1 and two[0] <= one[1] + 1
    assert (extent == Extent(min(one[0], two[0]), max(one[1], two[1]), 100)) or not touches
    whole = as_whole(part)
    assert (whole is not None) == (len(part.body) == 100)
    found = slice_of(Headers((("Range", f"bytes={wanted[0]}-{wanted[1]}"),)), part)
    if found:
        assert found[1] == WHOLE[wanted[0] : wanted[1] + 1]
    assert (found is not None) == (extent.first <= wanted[0] and wanted[1] <= extent.last)


def test_a_weak_tag_joins_nothing() -> None:
    weak = 'ETag: W/"1"'
    assert joined(stored(0, 9, weak), stored(10, 19, weak)).body == WHOLE[10:20]
    other = replace(
        stored(0, 9), headers=Headers((("Content-Range", "bytes 0-9/200"), ("ETag", '"1"')))
    )
    assert joined(other, stored(10, 19)).body == WHOLE[10:20]


@pytest.mark.parametrize(
    "field", ["", "bytes 5-4/9", "bytes 0-9/9", "bytes 0-9/*", "bytes */9", "x"]
)
def test_a_content_range_that_cannot_be(field: str) -> None:
    assert extent_of(Headers((("Content-Range", field),))) is None
