"""Collects a page's body within bounds; when it cannot, what came so far is still at hand."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.content_coding import BodyDecoder
from winnow.proxy.http.proxy_errors import BodyTooLargeError, CodingError, OriginFaultError
from winnow.proxy.http.reasons import Reason


@dataclass(slots=True)
class GatheredBody:
    """``chunks``: the bytes as received; ``body``: the decoded page, if it could be read.

    ``failure`` says why not. ``ended``: the origin sent all; ``cut_short``: its connection failed.
    """

    chunks: list[bytes] = field(default_factory=list)
    body: bytes = b""
    failure: Reason | None = None
    ended: bool = False
    cut_short: bool = False


async def gather(
    read: Callable[[], Awaitable[bytes]], codings: tuple[str, ...], policy: Policy
) -> GatheredBody:
    """Read until the end or the first bound: bytes as they come, decoded bytes, ratio, seconds."""
    gathered = GatheredBody()
    try:
        decoder = BodyDecoder(codings, policy.bounds)
        async with asyncio.timeout(policy.gather_seconds):
            await _collect(read, decoder, gathered, policy.largest_body)
        gathered.body = decoder.result()
    except TimeoutError:
        gathered.failure = Reason.TOO_SLOW
    except BodyTooLargeError:
        gathered.failure = Reason.TOO_LARGE
    except CodingError:
        gathered.failure = Reason.CODING
    except OriginFaultError:
        gathered.failure, gathered.cut_short = Reason.CUT_SHORT, True
    return gathered


async def _collect(
    read: Callable[[], Awaitable[bytes]], decoder: BodyDecoder, gathered: GatheredBody, largest: int
) -> None:
    size = 0
    while chunk := await read():
        gathered.chunks.append(chunk)
        size += len(chunk)
        if size > largest:
            raise BodyTooLargeError("The page is larger than this proxy gathers.")
        decoder.feed(chunk)
    gathered.ended = True


def page_failure(body: bytes) -> Reason | None:
    """Why a decoded body is no page after all, None if it may be one."""
    start = body[:4096].lstrip(_BLANKS)
    if not start and not body.strip(_BLANKS):
        return Reason.EMPTY
    if start.startswith(_SIGNATURES):
        return Reason.NOT_MARKUP
    return None if b"<" in body else Reason.NOT_MARKUP


_BLANKS = b"\x00 \t\r\n\f\xef\xbb\xbf\xfe\xff"
_SIGNATURES = (
    b"%PDF-",
    b"\x89PNG",
    b"GIF8",
    b"\xff\xd8\xff",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"RIFF",
    b"{",
    b"[",
)
"""What a body labelled ``text/html`` may be instead (MIME Sniffing standard, section 6)."""
