"""Frames split off are the events that h2 alone makes of them, wherever the bytes are cut."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from h2.connection import H2Connection
from h2.events import DataReceived, Event
from h2.exceptions import ProtocolError
from hyperframe.frame import DataFrame, Frame, PingFrame, WindowUpdateFrame
from hypothesis import given, settings
from hypothesis import strategies as st

from winnow.proxy.http2.protocol import STREAM_WINDOW, H2State, new_state

HEAD = [(":method", "POST"), (":scheme", "https"), (":authority", "a"), (":path", "/")]


def alone() -> H2State:
    """The same state, which has h2 read everything."""
    made = new_state(is_client=False)
    made.receive_data = lambda data: H2Connection.receive_data(made, data)  # type: ignore[method-assign]
    return made


def opening(*fields: tuple[str, str]) -> bytes:
    """A client's bytes that open streams 1 and 3, and end 5."""
    client = new_state(is_client=True)
    for number in (1, 3, 5):
        client.send_headers(number, [*HEAD, *fields], end_stream=number == 5)
    return client.data_to_send()


def data_frame(number: int, size: int, *flags: str, pad: int = 0) -> Frame:
    frame = DataFrame(number, b"x" * size, flags=list(flags))
    frame.pad_length = pad
    return frame


frames = st.one_of(
    st.builds(data_frame, st.sampled_from([1, 3, 3, 5, 7]), st.integers(0, 900)),
    st.builds(data_frame, st.sampled_from([1, 3]), st.integers(0, 9), st.just("END_STREAM")),
    st.builds(data_frame, st.just(1), st.integers(1, 9), st.just("PADDED"), pad=st.integers(0, 20)),
    st.builds(lambda size: PingFrame(0, b"p" * size), st.just(8)),
    st.builds(lambda step: WindowUpdateFrame(0, step), st.integers(1, 9)),
)


def seen(state: H2State, data: bytes, cuts: list[int]) -> list[str]:
    """What the events say, each run of DATA of a stream as one, and the error."""
    told: list[str] = []
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    try:
        for start, end in pairwise(edges):
            told += map(described, state.receive_data(data[start:end]))
    except ProtocolError as error:
        told.append(type(error).__name__)
    return told


def described(event: Event) -> str:
    if isinstance(event, DataReceived):
        ended = event.stream_ended is not None
        return f"{event.stream_id} {event.data!r} {event.flow_controlled_length} {ended}"
    return type(event).__name__


@settings(max_examples=200)
@given(st.lists(frames, max_size=12), st.lists(st.integers(0, 10_000), max_size=6))
def test_the_events_are_those_of_h2_alone(sent: list[Frame], cuts: list[int]) -> None:
    data = opening() + b"".join(frame.serialize() for frame in sent)
    ours, theirs = new_state(is_client=False), alone()
    expected = seen(theirs, data, [])
    got = seen(ours, data, cuts)
    if expected and expected[-1].endswith("Error"):  # events before it are lost, as h2 does
        assert got[-1] == expected[-1]
    else:
        assert got == expected
    assert ours.data_to_send() == theirs.data_to_send()


def overfull() -> bytes:
    piece = data_frame(1, 16_000).serialize()
    return opening() + piece * (STREAM_WINDOW // 16_000 + 1)


def longer_than_declared() -> bytes:
    return opening(("content-length", "5")) + data_frame(1, 6).serialize()


def amid_a_section() -> bytes:
    head = opening()
    return head + b"\0\0\1\1\0\0\0\0\7\x82" + data_frame(1, 6).serialize()


def too_large() -> bytes:
    return opening() + data_frame(1, 17_000).serialize()


@pytest.mark.parametrize("made", [overfull, longer_than_declared, amid_a_section, too_large])
@pytest.mark.parametrize("cuts", [[], [60, 100, 200], list(range(0, 400, 7))])
def test_what_h2_refuses_is_refused(made: Callable[[], bytes], cuts: list[int]) -> None:
    ours, theirs = new_state(is_client=False), alone()
    assert seen(ours, made(), cuts)[-1] == seen(theirs, made(), [])[-1]


def test_a_frame_that_is_too_large_is_refused_by_its_head() -> None:
    """Nothing of what it declares is held."""
    ours = new_state(is_client=False)
    assert seen(ours, opening() + too_large()[len(opening()) :][:9], [])[-1] == "FrameTooLargeError"
    assert ours.is_ended
