"""WARC files for tests, written by hand (ISO 28500)."""

from __future__ import annotations

import gzip
from pathlib import Path

from tests.winnow.conftest import PAGE


def record(url: str, kind: str = "text/html; charset=utf-8", body: str = PAGE) -> bytes:
    answer = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n{body}".encode()
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
        "WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:1>\r\n"
        "WARC-Payload-Digest: sha1:AB\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
    )
    return head.encode() + answer + b"\r\n\r\n"


def archive(path: Path, *urls: str, packed: bool = True) -> Path:
    """A WARC file of pages; ``packed``: each record a gzip member of its own."""
    records = [record(url) for url in urls]
    path.write_bytes(b"".join(gzip.compress(one) if packed else one for one in records))
    return path
