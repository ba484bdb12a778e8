"""Requests for fuzzing: payloads of smuggling cut, doubled and mixed. Knows no answer to them."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from tests.proxy.payloads import all_payloads

AT_ONCE: Final = 20
_LINES: Final = (
    b"GET http://{at}/a HTTP/1.1\r\n",
    b"POST http://{at}/a HTTP/1.1\r\n",
    b"HEAD http://{at}/ HTTP/1.0\r\n",
    b"GET / HTTP/1.1\r\n",
    b"GET /-/api/extract?url=http://{at}/ HTTP/1.1\r\n",
    b"POST /-/api/extract?format=markdown HTTP/1.1\r\n",
    b"GET /http://{at}/page HTTP/1.1\r\n",
    b"CONNECT 127.0.0.1:1 HTTP/1.1\r\n",
    b"OPTIONS * HTTP/1.1\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET http://[::1 HTTP/1.1\r\n",
    b"GET http://user:pw@{at}:99999/%zz HTTP/1.1\r\n",
)
_FIELDS: Final = (
    b"Host: {at}\r\n",
    b"Host: 127.0.0.1\r\n",
    b"Host:\r\n",
    b"Content-Length: 3\r\n",
    b"Content-Length: +3\r\n",
    b"Content-Length: 99999999999999999999\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"Connection: close, host, keep-alive\r\n",
    b"Upgrade: websocket\r\n",
    b"Expect: 100-continue\r\n",
    b"Accept: text/html;q=nan, */*\r\n",
    b"Accept-Encoding: gzip;q=1e9, br;q=-1\r\n",
    b"Accept-Language: " + b"de," * 500 + b"\r\n",
    b"Range: bytes=0-0,-1,9999999999999999999999-\r\n",
    b'If-None-Match: W/"a", *, "\r\n',
    b"If-Modified-Since: Mon, 99 Foo 0000\r\n",
    b"Cache-Control: max-age=-1, only-if-cached, max-stale=x\r\n",
    b"Winnow-Format: markdown\r\nWinnow-Level: 9999\r\n",
    b"Max-Forwards: -0\r\n",
    b"Via: 1.1 winnow-test\r\n",
    b"X-Forwarded-For: \xff\xfe\r\n",
    b" folded\r\n",
    b"X-Long: " + b"a" * 70_000 + b"\r\n",
)
_BODIES: Final = (
    b"",
    b"abc",
    b"3\r\nabc\r\n0\r\n\r\n",
    b"fffffffffffffffff\r\n",
    b"0\r\nA: b\r\n\r\n",
)

_raw = st.binary(max_size=16)
_request = st.builds(
    lambda line, fields, noise, body: line + b"".join(fields) + noise + b"\r\n" + body,
    st.sampled_from(_LINES),
    st.lists(st.sampled_from(_FIELDS), max_size=8),
    st.one_of(st.just(b""), st.just(b""), _raw),
    st.one_of(st.sampled_from(_BODIES), _raw),
)
_payload = st.sampled_from(sorted(all_payloads().values()))


def _changed(request: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    for at, length, scrap in changes:
        start = at % (len(request) + 1)
        request = request[:start] + scrap + request[start + length :]
    return request


_changes = st.lists(
    st.tuples(st.integers(0, 400), st.integers(0, 6), st.binary(max_size=4)), max_size=4
)
requests: st.SearchStrategy[list[bytes]] = st.lists(
    st.one_of(
        _request,
        st.builds(_changed, st.one_of(_request, _payload), _changes),
        st.builds(lambda first, second: first + second, _request, st.one_of(_request, _payload)),
    ),
    min_size=AT_ONCE,
    max_size=AT_ONCE,
)
"""Bytes for so many connections; ``{at}`` stands for the origin's address."""
