import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

def nearest(
    features: int,
    bins: int,
    classes: int,
    rows: Ints,
    counts: Ints,
    shared: Bytes,
    jump: Ints,
    numeric: Bytes,
    weights: Floats,
    scale: Floats,
    order: Ints,
    queries: Ints,
    distances: Floats,
    found: Ints,
    /,
) -> None: ...
