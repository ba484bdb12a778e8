"""Results of families in a file: a whole run may be made in parts, of one product's code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from json import dumps, loads
from pathlib import Path
from typing import Final

from benchmarks.house import ROOT, rooms

NOT_IT: Final = {"evaluation"}


@dataclass(frozen=True)
class Result:
    """Of a family: what got through, one way or by its weight, and ``Scales.summary``."""

    attempts: int
    through: list[str]
    sent: float
    held: float
    cpu: float


def product() -> str:
    """The product's files as one number, compiled parts and models included."""
    found = sha256()
    for room in sorted(set(rooms()) - NOT_IT):
        for file in sorted((ROOT / room).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                found.update(f"{file.relative_to(ROOT)}\n".encode() + file.read_bytes())
    return found.hexdigest()[:16]


class Results:
    """A line for each family; the last one counts.

    Raises ValueError where the file has, or would get, a line of another product.
    """

    def __init__(self, file: Path | None) -> None:
        self._file, self._product = file, product() if file else ""

    def stored(self, name: str, attempts: int) -> Result | None:
        """That of a family of so many attempts, unless something got through."""
        found = [got for family, got in self._lines() if family == name]
        whole = found and found[-1].attempts == attempts and not found[-1].through
        return found[-1] if whole else None

    def add(self, name: str, got: Result) -> None:
        if self._file is None:
            return
        self._refuse_other(product())
        line = {"product": self._product, "family": name, **asdict(got)}
        with self._file.open("a", encoding="utf-8") as file:
            file.write(f"{dumps(line)}\n")

    def _lines(self) -> Iterator[tuple[str, Result]]:
        if self._file is None or not self._file.exists():
            return
        for line in self._file.read_text("utf-8").splitlines():
            fields = loads(line)
            self._refuse_other(fields.pop("product"))
            yield fields.pop("family"), Result(**fields)

    def _refuse_other(self, other: str) -> None:
        if other != self._product:
            raise ValueError(f"{self._file}: results of {other}, the product is {self._product}")
