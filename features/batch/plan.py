"""The state of a batch run on disk, from which a run that was killed continues.

``OUT.parts`` holds ``chunks.jsonl`` (every location once), ``plan.json`` (written when that list is
complete), and ``000001.jsonl`` and so on with the rows of a chunk, written atomically by whoever
extracts it. A chunk is done if its file exists; ``000001.begun`` is what was found before.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from shutil import rmtree
from typing import Any, Final

from winnow.command_errors import CommandError
from winnow.features.batch.page_locations import PageLocation, grouped

Options = Mapping[str, Any]
"""What two runs must have in common for the second to continue the first; JSON values."""
_CHUNKS: Final = "chunks.jsonl"
_COUNTED: Final = "chunks"
_BEGUN: Final = ".begun"


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive pages, or a range of an archive, that one worker extracts."""

    number: int
    locations: tuple[PageLocation, ...]


@dataclass(frozen=True, slots=True)
class ChunkRows:
    """What was found of a chunk, and what is ``left`` of it.

    ``rows``: a line for each page, in order; ``lessons``: what pages teach of their sites, a line
    each.
    """

    rows: bytes = b""
    lessons: bytes = b""
    left: tuple[PageLocation, ...] = ()

    @property
    def number(self) -> int:
        """How many rows they are."""
        return self.rows.count(b"\n")


@dataclass(frozen=True, slots=True)
class BatchPlan:
    """A run's folder; ``parts`` is the number of its chunks."""

    folder: Path
    parts: int

    def chunks(self) -> Iterator[Chunk]:
        """Return all chunks in order, one at a time in memory."""
        with (self.folder / _CHUNKS).open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                yield Chunk(number, tuple(PageLocation(**each) for each in json.loads(line)))

    def left(self) -> Iterator[Chunk]:
        """Return what is not done of each chunk."""
        for chunk in self.chunks():
            if not self.rows(chunk.number).exists():
                begun = self.begun(self.rows(chunk.number))
                yield replace(chunk, locations=begun.left) if begun else chunk

    def done(self) -> int:
        """Return the number of chunks that are done."""
        return sum(self.rows(number).exists() for number in range(1, self.parts + 1))

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

    def begun(self, rows: Path) -> ChunkRows | None:
        """What an earlier run found for a file of rows that is not finished."""
        file = rows.with_suffix(_BEGUN)
        if not file.exists():
            return None
        found, lessons, left = json.loads(file.read_bytes())
        places = tuple(PageLocation(**each) for each in left)
        return ChunkRows(found.encode(), lessons.encode(), places)

    def write(self, number: int, found: ChunkRows, is_second: bool = False) -> None:
        """Add to what was found before, atomically; the rows' own file says that it is done."""
        file = self.rows_by_site(number) if is_second else self.rows(number)
        before = self.begun(file) or ChunkRows()
        rows, lessons = before.rows + found.rows, before.lessons + found.lessons
        if found.left:
            kept = [rows.decode(), lessons.decode(), [asdict(each) for each in found.left]]
            write_whole(file.with_suffix(_BEGUN), json.dumps(kept).encode())
            return
        if not is_second:
            write_whole(self.lessons(number), lessons)
        write_whole(file, rows)
        file.with_suffix(_BEGUN).unlink(missing_ok=True)

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
            _list(folder, options, size, found)
        yield _read(file, options)


def write_whole(path: Path, body: bytes) -> None:
    """Write a file atomically, also if the machine crashes."""
    unfinished = path.with_name(f"{path.name}.new")
    with unfinished.open("wb") as stream:
        stream.write(body)
        stream.flush()
        os.fsync(stream.fileno())
    unfinished.replace(path)


def _list(folder: Path, options: Options, size: int, found: Iterable[PageLocation]) -> None:
    parts = 0
    with (folder / _CHUNKS).open("w", encoding="utf-8") as lines:
        for parts, chunk in enumerate(grouped(found, size), 1):  # noqa: B007  # counted for the plan
            lines.write(json.dumps([asdict(location) for location in chunk]) + "\n")
    write_whole(folder / "plan.json", json.dumps({**options, _COUNTED: parts}).encode())


def _read(file: Path, options: Options) -> BatchPlan:
    began = json.loads(file.read_bytes())
    other = sorted(key for key in options if began.get(key) != options[key])
    if other or _COUNTED not in began:
        raise CommandError(
            f"{file.parent} belongs to a run with other {', '.join(other) or 'chunks'}: "
            "give the same ones to continue it, or delete it to start again"
        )
    return BatchPlan(file.parent, began[_COUNTED])
