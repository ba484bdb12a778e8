from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]

def forest(
    nodes: npt.NDArray[Any],
    values: npt.NDArray[np.float32],
    roots: Ints,
    depths: Ints,
    features: int,
    /,
) -> object: ...
def votes(forests: tuple[object, ...], row: npt.NDArray[np.float32], /) -> list[float]: ...
def staged(
    forests: tuple[object, ...],
    limits: npt.NDArray[np.float64],
    columns: npt.NDArray[np.float32],
    features: int,
    sums: npt.NDArray[np.float64],
    /,
) -> None: ...
