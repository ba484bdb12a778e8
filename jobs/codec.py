"""Jobs and their results as bytes between processes: MessagePack of typed values (msgspec).

Decoding checks every type. Text that UTF-8 cannot hold (lone surrogates, from header fields that
are no UTF-8) arrives with U+FFFD in its place.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import fields, is_dataclass, replace
from functools import cache
from struct import Struct as Layout
from typing import Any, Final, Generic, TypeVar, cast

from msgspec import MsgspecError, Raw, Struct, msgpack, structs

from winnow.jobs.job_types import Job, JobFailure, job_type, name_of

Result = TypeVar("Result")
LENGTH: Final = Layout(">I")
"""A frame's length, before it on a pipe."""
_ENCODER: Final = msgpack.Encoder()
_FRAMES: Final = msgpack.Decoder(tuple[str, Raw])


class _Reply(Struct, Generic[Result]):
    result: Result | None = None
    failure: JobFailure | None = None


def pack_job(job: Job[Any]) -> bytes:
    return _encoded((name_of(type(job)), job))


def unpack_job(frame: bytes) -> Job[Any]:
    """Raises ValueError for bytes that are no job."""
    name, fields = _decoded(_FRAMES, frame)
    return cast("Job[Any]", _decoded(_decoder(cast(Hashable, job_type(name))), fields))


def pack_result(result: object) -> bytes:
    """A job's result, or a JobFailure, as a frame."""
    if isinstance(result, JobFailure):
        return _encoded(_Reply(failure=result))
    return _encoded(_Reply(result))


def unpack_result(frame: bytes, kind: type[Result]) -> Result | JobFailure:
    """The result, which must be of the type ``kind``. Raises ValueError for other bytes."""
    reply: _Reply[Result] = _decoded(_decoder(cast(Hashable, cast(Any, _Reply)[kind])), frame)
    return cast(Result, reply.result) if reply.failure is None else reply.failure


@cache
def _decoder(kind: Hashable) -> msgpack.Decoder[Any]:
    return msgpack.Decoder(cast(Any, kind))


def _decoded(decoder: msgpack.Decoder[Any], frame: bytes | Raw) -> Any:
    try:
        return decoder.decode(frame)
    except MsgspecError as error:
        raise ValueError(f"not what was expected of another process: {error}") from error


def _encoded(value: object) -> bytes:
    try:
        return _ENCODER.encode(value)
    except UnicodeEncodeError:
        return _ENCODER.encode(_scrubbed(value))


def _scrubbed(value: Any) -> Any:
    """An equal value whose texts UTF-8 can hold."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, Struct):
        names = value.__struct_fields__
        return structs.replace(value, **{name: _scrubbed(getattr(value, name)) for name in names})
    if is_dataclass(value) and not isinstance(value, type):
        return replace(
            value, **{field.name: _scrubbed(getattr(value, field.name)) for field in fields(value)}
        )
    if isinstance(value, dict):
        return {_scrubbed(key): _scrubbed(each) for key, each in value.items()}
    return type(value)(map(_scrubbed, value)) if isinstance(value, (tuple, list)) else value
