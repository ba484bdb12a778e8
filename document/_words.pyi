from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]

def piece_counts(
    text: str,
    starts: Ints,
    ends: Ints,
    table: npt.NDArray[np.uint8],
    class_of: Callable[[str], int],
    words: Ints,
    symbols: Ints,
    /,
) -> None: ...
def tokens(
    text: str,
    columns: tuple[npt.NDArray[Any], ...],
    found: tuple[npt.NDArray[Any], ...],
    table: npt.NDArray[np.uint8],
    class_of: Callable[[str], int],
    /,
) -> None: ...
def tag_gaps(
    first: Ints, last: Ints, tag: Ints, void: npt.NDArray[np.bool_], gaps: Ints, /
) -> None: ...
