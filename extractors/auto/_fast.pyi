import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]

def element_tokens(markup: str, tags: Ints, starts: Ints, ends: Ints, /) -> tuple[bytes, bytes]: ...
def block_tokens(text: str, starts: Ints, ends: Ints, /) -> tuple[bytes, bytes]: ...
def class_counts(
    text: str, table: npt.NDArray[np.uint8], starts: Ints, counts: Ints, /
) -> None: ...
def type_worths(
    scores: npt.NDArray[np.int8], types: int, slots: npt.NDArray[np.int64], scale: float, /
) -> bytes: ...
def distinct(tokens: npt.NDArray[np.uint32], /) -> bytes: ...
def worths(
    scores: npt.NDArray[np.int8],
    owners: Ints,
    tokens: npt.NDArray[np.uint32],
    size: int,
    scale: float,
    /,
) -> bytes: ...
