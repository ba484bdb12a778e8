"""The network's arithmetic."""

import numpy as np

from extractors.auto.network import SINGLE_THREADED, product


def test_a_product_in_slices_is_the_product() -> None:
    made = np.random.default_rng(3)
    rows = made.normal(size=(900, 40)).astype(np.float32)
    weights = made.normal(size=(40, 64)).astype(np.float32)
    assert len(rows) > SINGLE_THREADED // weights.size
    assert np.allclose(product(rows, weights), rows @ weights, atol=1e-4)
