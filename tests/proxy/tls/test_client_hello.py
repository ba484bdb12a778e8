"""A ClientHello is read whole, byte by byte, and never misread."""

from __future__ import annotations

import ssl
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.proxy.tls.support import client_hello
from winnow.proxy.tls.client_hello import ClientHello, read_hello
from winnow.proxy.tls.tls_errors import NotTlsError


def _client(*protocols: str, old: bool = False) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if protocols:
        context.set_alpn_protocols(list(protocols))
    if old:
        context.maximum_version = ssl.TLSVersion.TLSv1_2
    return context


CAPTURES = [
    (client_hello(_client("h2", "http/1.1"), "example.com"),
     ClientHello("example.com", ("h2", "http/1.1"))),
    (client_hello(_client("h2"), "api.example"), ClientHello("api.example", ("h2",))),
    (client_hello(_client(), "Plain.Example"), ClientHello("plain.example", ())),
    (client_hello(_client("http/1.1"), "127.0.0.1"), ClientHello(None, ("http/1.1",))),
    (client_hello(_client("h2", old=True), "old.example"), ClientHello("old.example", ("h2",))),
]  # fmt: skip


def parsed(capture: bytes) -> ClientHello:
    """What a hello says, without its fingerprint."""
    hello = read_hello(capture)
    assert hello
    return replace(hello, fingerprint="")


def _in_records(capture: bytes, size: int) -> bytes:
    """The same handshake message, cut into records of ``size`` bytes."""
    message = capture[5:]
    parts = [message[at : at + size] for at in range(0, len(message), size)]
    return b"".join(b"\x16\x03\x01" + len(part).to_bytes(2, "big") + part for part in parts)


@pytest.mark.parametrize(("capture", "expected"), CAPTURES)
def test_real_captures_are_read(capture: bytes, expected: ClientHello) -> None:
    assert parsed(capture) == expected


@pytest.mark.parametrize(("capture", "expected"), CAPTURES)
def test_every_prefix_asks_for_more(capture: bytes, expected: ClientHello) -> None:
    assert {read_hello(capture[:size]) for size in range(len(capture))} == {None}
    assert parsed(capture + b"what follows") == expected


@pytest.mark.parametrize("size", [1, 3, 4, 64, 200])
def test_records_may_cut_it_anywhere(size: int) -> None:
    capture, expected = CAPTURES[0]
    cut = _in_records(capture, size)
    assert parsed(cut) == expected
    assert read_hello(cut) == read_hello(capture)
    assert {read_hello(cut[:end]) for end in range(len(cut))} == {None}


@pytest.mark.parametrize(
    ("protocols", "expected"),
    [((), False), (("http/1.1",), False), (("h2", "http/1.1"), False), (("h2",), True),
     (("grpc-exp", "h2"), True), (("http/1.0",), True)],
)  # fmt: skip
def test_alpn_without_http_1_1_is_recognised(protocols: tuple[str, ...], expected: bool) -> None:
    assert ClientHello(None, protocols).lacks_http1 is expected


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\n",
        b"SSH-2.0-OpenSSH",
        b"\x16\x02",
        b"\x16\x03\x01\x00\x00",
        b"\x16\x03\x01\xff\xff",
        b"\x16\x03\x01\x00\x04\x02\x00\x00\x00",
        b"\x16\x03\x01\x00\x04\x01\xff\xff\xff",
        b"\x15\x03\x01\x00\x02\x02\x28",
        b"\x16\x03\x01\x00\x05\x01\x00\x00\x01\x03",
    ],
)
def test_what_is_no_hello_is_refused_at_once(data: bytes) -> None:
    with pytest.raises(NotTlsError):
        read_hello(data)


def _outcome(data: bytes) -> ClientHello | type[NotTlsError] | None:
    try:
        return read_hello(data)
    except NotTlsError:
        return NotTlsError


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    assert _outcome(data) in (None, NotTlsError) or isinstance(_outcome(data), ClientHello)


@given(st.data())
def test_damaged_captures_are_read_or_refused(data: st.DataObject) -> None:
    capture = bytearray(CAPTURES[0][0])
    at = data.draw(st.integers(0, len(capture) - 1))
    capture[at] = data.draw(st.integers(0, 255))
    assert _outcome(bytes(capture)) in (None, NotTlsError) or isinstance(
        _outcome(bytes(capture)), ClientHello
    )


@given(st.sampled_from(CAPTURES), st.data())
def test_a_verdict_never_changes_as_bytes_arrive(
    case: tuple[bytes, ClientHello], data: st.DataObject
) -> None:
    noise = data.draw(st.binary(max_size=40))
    at = data.draw(st.integers(0, len(case[0])))
    stream = case[0][:at] + noise + case[0][at:]
    outcomes = [_outcome(stream[:size]) for size in range(len(stream) + 1)]
    decided = [outcome for outcome in outcomes if outcome is not None]
    assert len(set(decided)) <= 1


def fingerprint(context: ssl.SSLContext, host: str | None = "site.test") -> str:
    hello = read_hello(client_hello(context, host))
    assert hello
    return hello.fingerprint


def test_one_program_has_one_fingerprint_whatever_it_asks_for() -> None:
    context = ssl.create_default_context()
    assert fingerprint(context) == fingerprint(context, "a-longer-name.example.com")
    assert fingerprint(context) == fingerprint(ssl.create_default_context(), "other.test")


def test_programs_differ_by_suites_protocols_and_versions() -> None:
    plain, suites = ssl.create_default_context(), ssl.create_default_context()
    alpn, old = ssl.create_default_context(), ssl.create_default_context()
    suites.set_ciphers("ECDHE-RSA-AES128-GCM-SHA256")
    alpn.set_alpn_protocols(["h2", "http/1.1"])
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    assert len({fingerprint(each) for each in (plain, suites, alpn, old)}) == 4


def hello_of(suites: list[int], extensions: list[tuple[int, bytes]]) -> str:
    """The fingerprint of a ClientHello made of these parts."""
    values = b"".join(number.to_bytes(2, "big") for number in suites)
    listed = b"".join(
        kind.to_bytes(2, "big") + len(held).to_bytes(2, "big") + held for kind, held in extensions
    )
    message = b"\x03\x03" + bytes(32) + b"\0" + len(values).to_bytes(2, "big") + values + b"\1\0"
    message += len(listed).to_bytes(2, "big") + listed
    body = b"\1" + len(message).to_bytes(3, "big") + message
    found = read_hello(b"\x16\x03\x01" + len(body).to_bytes(2, "big") + body)
    assert found
    return found.fingerprint


def test_random_values_are_left_out() -> None:
    """GREASE (RFC 8701), the order of extensions, padding and tickets."""
    first = hello_of([0x1301, 0x0A0A], [(10, b"\0\2\0\x1d"), (0x1A1A, b""), (13, b"\0\2\4\3")])
    again = hello_of(
        [0xFAFA, 0x1301],
        [(13, b"\0\2\4\3"), (0x8A8A, b"\0"), (21, bytes(60)), (35, b"x"), (10, b"\0\2\0\x1d")],
    )
    assert first == again
    assert first != hello_of([0x1301, 0x1302], [(10, b"\0\2\0\x1d"), (13, b"\0\2\4\3")])


def test_endless_records_of_one_byte_are_no_hello() -> None:
    """Each piece has what came before parsed again: 65,000 records took .2 s each time."""
    message = b"\x01\x00\xff\xf0" + bytes(60_000)
    capture = b"head " + message
    with pytest.raises(NotTlsError, match="records"):
        read_hello(_in_records(capture, 1))
