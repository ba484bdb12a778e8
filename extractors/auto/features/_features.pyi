from typing import Any

import numpy as np
import numpy.typing as npt

def rows(
    text: str,
    title: str,
    columns: tuple[npt.NDArray[Any], ...],
    contexts: int,
    features: int,
    matrix: npt.NDArray[np.float32],
    alike: npt.NDArray[np.int32],
    /,
) -> None: ...
