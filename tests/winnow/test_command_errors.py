"""What a command is given is checked where it is read."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from winnow.command_errors import local_path


def test_a_path_names_a_file_of_this_computer() -> None:
    assert local_path("out/rows.jsonl") == Path("out/rows.jsonl")
    with pytest.raises(argparse.ArgumentTypeError, match="s3://b/k is no file"):
        local_path("s3://b/k")
