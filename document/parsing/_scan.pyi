import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]

def scan(
    markup: str,
    names: tuple[str, ...],
    edges: bytes,
    flags: bytes,
    separators: tuple[str, ...],
    words: tuple[str, ...],
    checked: bool,
    /,
) -> tuple[str, bytes, bytes, bytes] | None: ...
def between_letters(text: str, start: Ints, gap: Ints, owner: Ints, last: Ints, /) -> bytes: ...
def inside(first: Ints, last: Ints, chosen: Ints, mask: npt.NDArray[np.bool_], /) -> None: ...
def inside_tags(
    first: Ints,
    last: Ints,
    tag: Ints,
    table: npt.NDArray[np.bool_],
    mask: npt.NDArray[np.bool_],
    /,
) -> None: ...
def by_tag(tags: Ints, codes: int, /) -> tuple[bytes, list[int]]: ...
def runs(
    mask: npt.NDArray[np.bool_], marked: npt.NDArray[np.bool_], start: Ints, end: Ints, /
) -> list[tuple[int, int, bool]]: ...
def blocks(
    gap: Ints,
    start: Ints,
    end: Ints,
    owner: Ints,
    block: Ints,
    words: Ints,
    linked: npt.NDArray[np.bool_],
    hidden: npt.NDArray[np.bool_],
    least: int,
    /,
) -> bytes: ...
