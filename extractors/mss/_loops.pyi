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
def codes(
    slots: npt.NDArray[np.uint16],
    keys: npt.NDArray[np.uint64],
    bits: int,
    probes: int,
    code_bits: int,
    /,
) -> bytes: ...
def unclosed(elements: Ints, opens: npt.NDArray[np.uint8], parents: Ints, /) -> bytes: ...
def maximum_run(
    costs: npt.NDArray[np.float64], gains: npt.NDArray[np.float64], /
) -> tuple[int, int, float]: ...
