"""Buffers a page's body within its limits; the bytes received are not lost when that fails."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from winnow.jobs.answers import BLANKS, is_other_file
from winnow.proxy.access.memory_account import MemoryFullError, hold
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.content_coding import BodyDecoder
from winnow.proxy.http.proxy_errors import BodyTooLargeError, CodingError, OriginFaultError
from winnow.proxy.http.reasons import Reason
from winnow.proxy.http.sentences import says


@dataclass(slots=True)
class BufferedBody:
    """``chunks``: bytes as received; ``body``: the decoded page; ``failure``: why there is none.

    ``cut_short``: the origin's connection failed.
    """

    chunks: list[bytes] = field(default_factory=list)
    body: bytes = b""
    failure: Reason | None = None
    cut_short: bool = False


async def buffer_body(
    read: Callable[[], Awaitable[bytes]], codings: tuple[str, ...], policy: Policy
) -> BufferedBody:
    """Read until the end or a limit: bytes received, bytes decoded, their ratio, seconds."""
    buffered = BufferedBody()
    try:
        decoder = BodyDecoder(codings, policy.bounds)
        async with asyncio.timeout(policy.gather_seconds):
            await _read_all(read, decoder, buffered, policy.largest_body)
        body = decoder.result()
        hold(len(body))
        buffered.body = body
    except TimeoutError:
        buffered.failure = Reason.TOO_SLOW
    except BodyTooLargeError:
        buffered.failure = Reason.TOO_LARGE
    except MemoryFullError:
        buffered.failure = Reason.BUSY
    except CodingError:
        buffered.failure = Reason.CODING
    except OriginFaultError:
        buffered.failure, buffered.cut_short = Reason.CUT_SHORT, True
    return buffered


async def _read_all(
    read: Callable[[], Awaitable[bytes]],
    decoder: BodyDecoder,
    buffered: BufferedBody,
    largest: int,
) -> None:
    size = 0
    while chunk := await read():
        buffered.chunks.append(chunk)
        hold(len(chunk))
        size += len(chunk)
        if size > largest:
            raise BodyTooLargeError(says("The page is larger than extraction.max_page."))
        decoder.feed(chunk)


def page_failure(body: bytes) -> Reason | None:
    """Why a decoded body is no page, None if it may be one."""
    start = body[:4096].lstrip(BLANKS)
    if not start and not body.strip(BLANKS):
        return Reason.EMPTY
    if is_other_file(body) or b"<" not in body:
        return Reason.NOT_MARKUP
    return None
