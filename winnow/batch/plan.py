"""The state of a batch run on disk, from which a run that was killed continues.

``OUT.parts`` holds ``places.jsonl`` (every record once), ``plan.json`` (written when that list is
complete), and ``000001.jsonl`` and so on with the rows of a chunk, written atomically. A chunk is
done if its file exists.
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

from winnow.batch.page_locations import PageLocation
from winnow.command_errors import CommandError

Options = Mapping[str, Any]
"""What two runs must have in common for the second to continue the first; JSON values."""
_COUNTED: Final = "records"


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive records; ``first`` is the number of the first, from 1."""

    number: int
    first: int
    locations: tuple[PageLocation, ...]


@dataclass(frozen=True, slots=True)
class BatchPlan:
    """A run's folder; ``size`` is the number of records in a chunk, ``records`` of all."""

    folder: Path
    records: int
    size: int

    def chunks(self) -> Iterator[Chunk]:
        """Return all chunks in order, one at a time in memory."""
        with (self.folder / "places.jsonl").open(encoding="utf-8") as lines:
            for number in count(1):
                listed = tuple(
                    PageLocation(**json.loads(line)) for line in islice(lines, self.size)
                )
                if not listed:
                    return
                yield Chunk(number, (number - 1) * self.size + 1, listed)

    def left(self) -> Iterator[Chunk]:
        """Return the chunks that are not done."""
        return (chunk for chunk in self.chunks() if not self.rows(chunk.number).exists())

    def done(self) -> int:
        """Return the number of records that are done."""
        full = sum(self.rows(number).exists() for number in range(1, self.parts + 1))
        if not full or not self.rows(self.parts).exists():
            return full * self.size
        return (full - 1) * self.size + self.records - (self.parts - 1) * self.size

    @property
    def parts(self) -> int:
        """The number of chunks."""
        return -(-self.records // self.size)

    def rows(self, number: int) -> Path:
        """Return the file of a chunk's rows."""
        return self.folder / f"{number:06}.jsonl"

    def rows_by_site(self, number: int) -> Path:
        """Return the file of a chunk's rows of the second pass."""
        return self.folder / f"{number:06}.by-site.jsonl"

    def lessons(self, number: int) -> Path:
        """Return the file of what a chunk's pages teach about their sites."""
        return self.folder / f"{number:06}.lessons"

    def last_rows(self) -> Iterator[Path]:
        """Return the file of each chunk's rows, those of the second pass where it has some."""
        for number in range(1, self.parts + 1):
            second = self.rows_by_site(number)
            yield second if second.exists() else self.rows(number)

    def write(self, number: int, rows: bytes, lessons: bytes) -> None:
        """Write a chunk's lessons and rows, each atomically; the rows say that it is done."""
        write_whole(self.lessons(number), lessons)
        write_whole(self.rows(number), rows)

    def remove(self) -> None:
        """Delete the run's folder once the output is written."""
        rmtree(self.folder)


@contextmanager
def planned(
    folder: Path, options: Options, size: int, found: Iterable[PageLocation]
) -> Iterator[BatchPlan]:
    """Return the plan in a folder, locked; it is made of ``found`` if there is none yet.

    Raises CommandError if another run has the lock, or the plan has other options.
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
    """Write a file atomically, also if the machine crashes."""
    unfinished = path.with_name(f"{path.name}.new")
    with unfinished.open("wb") as stream:
        stream.write(body)
        stream.flush()
        os.fsync(stream.fileno())
    unfinished.replace(path)


def _list(folder: Path, options: Options, found: Iterable[PageLocation]) -> None:
    records = 0
    with (folder / "places.jsonl").open("w", encoding="utf-8") as lines:
        for records, location in enumerate(found, 1):  # noqa: B007  # counted for the plan
            lines.write(json.dumps(asdict(location)) + "\n")
    write_whole(folder / "plan.json", json.dumps({**options, _COUNTED: records}).encode())


def _read(file: Path, options: Options) -> BatchPlan:
    began = json.loads(file.read_bytes())
    records, size = began.pop(_COUNTED), began.pop("size")
    other = sorted(key for key in options if began.get(key) != options[key])
    if other:
        raise CommandError(
            f"{file.parent} belongs to a run with other {', '.join(other)}: "
            "give the same ones to continue it, or delete it to start again"
        )
    return BatchPlan(file.parent, records, size)
