"""``winnow extract --render``."""

from __future__ import annotations

import argparse

from winnow.command_errors import one_of
from winnow.document.values import RenderMode


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--render",
        nargs="?",
        const=RenderMode.ALWAYS,
        default=RenderMode.NO,
        type=one_of("render", tuple(RenderMode)),
        choices=tuple(RenderMode),
        metavar="when-empty|always",
        help="run the scripts of pages at an address in a headless Chromium: where there is no "
        "text without, or (without a value) always",
    )
