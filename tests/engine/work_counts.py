"""How much a step does: the bytecode that our functions run, and what NumPy reads for them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from types import FrameType
from typing import Any, TypeVar

import numpy as np

from winnow.document.arrays import Elements, Pieces
from winnow.document.document import Document

Part = TypeVar("Part", Elements, Pieces)
MASKS = ("piece_words", "media", "hidden", "linked")
MAKERS = ("zeros", "zeros_like", "arange", "flatnonzero", "array")


class ReadArray(np.ndarray):
    """An array that counts how many values are read of it."""

    times = 0

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = (), **kwargs: Any
    ) -> Any:
        ReadArray.times += _most(inputs)
        given = {name: _plain(value) for name, value in kwargs.items()}
        if out:
            given["out"] = tuple(map(_plain, out))
        return _read(getattr(ufunc, method)(*map(_plain, inputs), **given))

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        ReadArray.times += _most(args)
        return super().__array_function__(func, types, args, kwargs)


def _most(values: Sequence[Any]) -> int:
    return max((each.size for each in values if isinstance(each, np.ndarray)), default=0)


def _plain(value: Any) -> Any:
    return value.view(np.ndarray) if isinstance(value, ReadArray) else value


def _read(value: Any) -> Any:
    return value.view(ReadArray) if isinstance(value, np.ndarray) else value


def watched(html: str) -> Document:
    """A document whose arrays count what is read of them."""
    document = Document.from_html(html)
    found = replace(
        document, elements=_watched(document.elements), pieces=_watched(document.pieces)
    )
    found.__dict__.update({name: _read(getattr(document, name)) for name in MASKS})
    return found


def _watched(part: Part) -> Part:
    arrays = {each.name: _read(getattr(part, each.name)) for each in fields(part)}
    return replace(part, **arrays)


@contextmanager
def _watched_arrays() -> Iterator[None]:
    """Arrays that a step makes count too."""
    before = {name: getattr(np, name) for name in MAKERS}
    for name, make in before.items():
        setattr(np, name, _reading(make))
    try:
        yield
    finally:
        for name, make in before.items():
            setattr(np, name, make)


def _reading(make: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *arguments, **named: _read(make(*arguments, **named))


def work_of(step: Callable[[], object]) -> int:
    """Operations of bytecode that a step runs, and values of watched documents that it reads."""
    operations, before, ReadArray.times = 0, sys.gettrace(), 0

    def counted(frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal operations
        if not frame.f_globals["__name__"].startswith("winnow."):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        operations += event == "opcode"
        return counted

    with _watched_arrays():
        sys.settrace(counted)
        try:
            step()
        finally:
            sys.settrace(before)
    return operations + ReadArray.times
