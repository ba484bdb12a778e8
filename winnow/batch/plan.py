"""What is to be done and what is done, on disk, so that a run that was killed can go on.

``OUT.parts`` holds ``places.jsonl`` (every record, listed once), ``plan.json`` (written when that
list is whole), and ``000001.jsonl`` and so on: a chunk's rows, there whole or not at all. Which
chunks are done is which of these files are there. Refuses to know what a row says.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import count, islice
from pathlib import Path
from shutil import rmtree
from typing import Any, Final

from winnow.batch.places import PageLocation
from winnow.command_errors import CommandError

Options = Mapping[str, Any]
"""What must be the same for two runs to belong together; what JSON can hold."""
_COUNTED: Final = "records"


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some records in a row; ``first`` is the number of the first, from 1."""

    number: int
    first: int
    places: tuple[PageLocation, ...]


@dataclass(frozen=True, slots=True)
class BatchPlan:
    """A run's folder; ``size`` records are one chunk, ``records`` are all."""

    folder: Path
    records: int
    size: int

    def chunks(self) -> Iterator[Chunk]:
        """All chunks, in order; one at a time in memory."""
        with (self.folder / "places.jsonl").open(encoding="utf-8") as lines:
            for number in count(1):
                listed = tuple(
                    PageLocation(**json.loads(line)) for line in islice(lines, self.size)
                )
                if not listed:
                    return
                yield Chunk(number, (number - 1) * self.size + 1, listed)

    def left(self) -> Iterator[Chunk]:
        """The chunks that are not done."""
        return (chunk for chunk in self.chunks() if not self.rows(chunk.number).exists())

    def done(self) -> int:
        """How many records are done."""
        full = sum(self.rows(number).exists() for number in range(1, self.parts + 1))
        if not full or not self.rows(self.parts).exists():
            return full * self.size
        return (full - 1) * self.size + self.records - (self.parts - 1) * self.size

    @property
    def parts(self) -> int:
        """How many chunks there are."""
        return -(-self.records // self.size)

    def rows(self, number: int) -> Path:
        """Where a chunk's rows are once it is done."""
        return self.folder / f"{number:06}.jsonl"

    def keep(self, number: int, rows: bytes) -> None:
        """Write a chunk's rows, whole or not at all."""
        write_whole(self.rows(number), rows)

    def forget(self) -> None:
        """Take the run's folder away: the output holds everything."""
        rmtree(self.folder)


@contextmanager
def planned(
    folder: Path, options: Options, size: int, found: Iterable[PageLocation]
) -> Iterator[BatchPlan]:
    """The plan in a folder, made of ``found`` where there is none yet; nobody else has it then.

    Raises CommandError where another run is under way there, or one with other options began it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CommandError(f"another run is writing to {folder}") from error
        file = folder / "plan.json"
        if not file.exists():
            _list(folder, {**options, "size": size}, found)
        yield _read(file, options)


def write_whole(path: Path, body: bytes) -> None:
    """Write a file so that it is there whole or not at all, even after the machine went down."""
    unfinished = path.with_name(f"{path.name}.new")
    with unfinished.open("wb") as stream:
        stream.write(body)
        stream.flush()
        os.fsync(stream.fileno())
    unfinished.replace(path)


def _list(folder: Path, options: Options, found: Iterable[PageLocation]) -> None:
    records = 0
    with (folder / "places.jsonl").open("w", encoding="utf-8") as lines:
        for records, place in enumerate(found, 1):  # noqa: B007  # counted for the plan
            lines.write(json.dumps(asdict(place)) + "\n")
    write_whole(folder / "plan.json", json.dumps({**options, _COUNTED: records}).encode())


def _read(file: Path, options: Options) -> BatchPlan:
    began = json.loads(file.read_bytes())
    records, size = began.pop(_COUNTED), began.pop("size")
    other = sorted(key for key in options if began.get(key) != options[key])
    if other:
        raise CommandError(
            f"{file.parent} belongs to a run with other {', '.join(other)}: "
            "give the same ones to go on with it, or remove it to begin anew"
        )
    return BatchPlan(file.parent, records, size)
