import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

def decide(
    scores: Floats,
    shift: Floats | bytes,
    words: Ints,
    linked: Ints,
    hidden: Mask,
    alike: Ints,
    agreement: float,
    agreement_by_tags: float,
    probabilities: Floats,
    is_content: Mask,
    page: npt.NDArray[np.float32],
    /,
) -> tuple[float, float, float]: ...
def pictures(
    tags: Ints,
    first_pieces: Ints,
    last_pieces: Ints,
    roles: npt.NDArray[np.uint8],
    media: Mask,
    hidden: Mask,
    linked: Mask,
    words: Ints,
    chances: Floats,
    doubtful: float,
    kept: Mask,
    /,
) -> None: ...
