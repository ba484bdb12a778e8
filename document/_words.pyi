from collections.abc import Callable

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
