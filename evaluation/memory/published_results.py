"""What the thesis reports, to stand beside ours (Arizaleta 2009, chapter 6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Row = tuple[float, float, float]

MACRO: Final[Mapping[tuple[str, str], Row]] = {
    ("within", "title"): (0.918, 0.969, 0.938),
    ("within", "heading"): (0.865, 0.862, 0.859),
    ("within", "body"): (0.978, 0.943, 0.955),
    ("merged", "title"): (0.989, 0.958, 0.970),
    ("merged", "heading"): (0.904, 0.877, 0.888),
    ("merged", "body"): (0.983, 0.981, 0.981),
    ("across", "title"): (0.320, 0.440, 0.311),
    ("across", "heading"): (0.193, 0.171, 0.169),
    ("across", "body"): (0.842, 0.898, 0.855),
}
"""Macro means of precision, recall and F, tables 6.1 to 6.9."""

MICRO: Final[Mapping[tuple[str, str], Row]] = {
    ("within", "title"): (0.892, 0.973, 0.930),
    ("within", "heading"): (0.875, 0.938, 0.905),
    ("within", "body"): (0.980, 0.969, 0.975),
    ("merged", "title"): (0.991, 0.964, 0.977),
    ("merged", "heading"): (0.907, 0.922, 0.915),
    ("merged", "body"): (0.985, 0.978, 0.981),
    ("across", "title"): (0.334, 0.468, 0.390),
    ("across", "heading"): (0.400, 0.500, 0.444),
    ("across", "body"): (0.823, 0.908, 0.863),
}
"""Micro means, the same tables."""

WEIGHTS: Final[Mapping[str, tuple[float, ...]]] = {
    "within": (
        *(0.012, 0.014, 0.016, 0.019, 0.022, 0.030, 0.023, 0.021, 0.017, 0.016, 0.013),
        *(0.083, 0.105, 0.119, 0.206, 0.119, 0.098, 0.078),
        *(0.013, 0.122, 0.010, 0.223, 0.010, 0.137, 0.011, 0.051, 0.101),
        *(0.035, 0.045, 0.056, 0.100, 0.056, 0.048, 0.036),
        *(0.008, 0.065, 0.008, 0.135, 0.008, 0.078, 0.008),
    ),
    "merged": (
        *(0.012, 0.014, 0.017, 0.019, 0.021, 0.030, 0.023, 0.021, 0.017, 0.016, 0.013),
        *(0.082, 0.105, 0.118, 0.205, 0.118, 0.098, 0.077),
        *(0.014, 0.121, 0.011, 0.221, 0.011, 0.136, 0.011, 0.052, 0.101),
        *(0.035, 0.045, 0.056, 0.100, 0.056, 0.048, 0.036),
        *(0.012, 0.005, 0.014, 0.040, 0.008, 0.077, 0.008),
    ),
    "across": (
        *(0.012, 0.014, 0.016, 0.019, 0.022, 0.030, 0.023, 0.021, 0.017, 0.016, 0.013),
        *(0.082, 0.105, 0.118, 0.205, 0.118, 0.098, 0.078),
        *(0.014, 0.121, 0.011, 0.222, 0.010, 0.136, 0.011, 0.052, 0.101),
        *(0.035, 0.046, 0.056, 0.100, 0.056, 0.048, 0.036),
        *(0.008, 0.065, 0.008, 0.135, 0.008, 0.078, 0.008),
    ),
}
"""Information gain of each feature, table 6.10, as printed: the one misprint that can be seen, the
merged tails' ends of a sentence, too."""

BY_WEIGHTING: Final[Mapping[str, Mapping[str, tuple[float, ...]]]] = {
    "merged": {
        "nw": (0.958, 0.917, 0.972, 0.949),
        "gr": (0.961, 0.902, 0.976, 0.946),
        "ig": (0.968, 0.923, 0.972, 0.954),
        "x2": (0.964, 0.917, 0.975, 0.952),
        "sv": (0.973, 0.917, 0.979, 0.956),
    },
    "across": {
        "nw": (0.308, 0.543, 0.898, 0.583),
        "gr": (0.316, 0.539, 0.874, 0.576),
        "ig": (0.306, 0.594, 0.901, 0.600),
        "x2": (0.577, 0.523, 0.893, 0.664),
        "sv": (0.443, 0.414, 0.744, 0.533),
    },
}
"""F of title, heading, body and their mean by weighting, averaged over the runs: 6.11 and 6.12."""

SETTINGS: Final[Mapping[tuple[str, str], tuple[str, tuple[float, float, float]]]] = {
    ("merged", "best"): ("IB1 k=1 sv", (0.975, 0.944, 0.981)),
    ("merged", "default"): ("IB1 k=1 gr", (0.975, 0.915, 0.981)),
    ("merged", "igtree"): ("IGTREE nw", (0.965, 0.792, 0.856)),
    ("across", "best"): ("IB1 k=7 x2", (0.610, 0.514, 0.892)),
    ("across", "default"): ("IB1 k=1 gr", (0.369, 0.444, 0.864)),
    ("across", "igtree"): ("IGTREE nw", (0.534, 0.427, 0.816)),
}
"""F of title, heading and body with the best settings, the default ones and the best tree: tables
6.13 and 6.14 (which has 0.976 for the body of the best merged run)."""
