from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]

def hashes(
    table: npt.NDArray[np.uint8],
    text: str,
    starts: Ints,
    ends: Ints,
    miss: Callable[[str], int],
    /,
) -> bytes: ...
