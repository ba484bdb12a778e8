"""What is wrong with the installation itself, in sentences for the log and the status page."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

COMPILED: Final = (
    "winnow.document.parsing._scan",
    "winnow.document.parsing._start_tags",
    "winnow.document.parsing._parser_limits",
    "winnow.document.parsing._tree_writer",
    "winnow.document.parsing._unclosed_frames",
    "winnow.document.parsing._utf8",
    "winnow.document._calls",
    "winnow.document._words",
    "winnow.document.render.article._writer",
    "winnow.extractors.auto._fast",
    "winnow.extractors.auto._trees",
    "winnow.extractors.mss._loops",
    "winnow.extractors.auto.features._features",
    "winnow.extractors.auto._decision",
    "winnow.extractors.memory._nearest",
    "winnow.extractors.layout._hashing",
)
"""Every compiled part, as in setup.py. Without one, its definition in Python does the work."""


def installation_faults() -> tuple[str, ...]:
    """One sentence for each fault. Imports no parser and no method."""
    return (*_missing_parts(), *_foreign_package())


def is_built(name: str) -> bool:
    """Whether a compiled part is there; by its file, so that no package is imported."""
    module = Path(__file__).parents[1].joinpath(*name.split(".")[1:])
    return any(module.with_name(module.name + end).exists() for end in EXTENSION_SUFFIXES)


def _missing_parts() -> tuple[str, ...]:
    missing = [name for name in COMPILED if not is_built(name)]
    if not missing:
        return ()
    parts = ", ".join(name.removeprefix("winnow.") for name in missing)
    return (
        f"{len(missing)} of {len(COMPILED)} compiled parts are missing: extraction takes up to "
        f"17 times as long. Install a C compiler and Python's headers (gcc, python3-dev), then "
        f"Winnow again. Missing: {parts}.",
    )


def _foreign_package() -> tuple[str, ...]:
    """Another project on PyPI is named winnow and installs the same folder."""
    try:
        found = version("winnow")
    except PackageNotFoundError:
        return ()
    return (
        f"The package winnow {found} of another project is installed beside winnow-proxy, and both "
        "own the folder winnow: remove both (pip uninstall winnow winnow-proxy), then install "
        "winnow-proxy.",
    )
