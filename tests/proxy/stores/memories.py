"""Memories for tests: words between blanks, merged as sets; and origins by their hosts."""

from __future__ import annotations

from winnow.proxy.http.request_target import Origin


def merge(left: bytes, right: bytes) -> bytes:
    """The words of both. Raises ValueError if ``left`` has a question mark."""
    if b"?" in left:
        raise ValueError("no memory")
    return b" ".join(sorted({*left.split(), *right.split()}))


def pages_of(memory: bytes) -> int:
    """One page a word."""
    return len(memory.split())


def at(host: str, port: int = 443) -> Origin:
    """An origin by its host."""
    return Origin("https", host, port)
