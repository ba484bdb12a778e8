"""Files of the data folder are replaced as a whole, and nothing else is."""

from __future__ import annotations

import os
from pathlib import Path
from stat import S_ISFIFO

import pytest

from winnow.proxy.stores.files import write_private


def test_a_file_and_a_link_are_replaced_and_a_pipe_is_not(tmp_path: Path) -> None:
    """Root may replace a device by a file: ``winnow backup /dev/null`` did."""
    file, link, pipe = (tmp_path / name for name in ("file", "link", "pipe"))
    file.write_bytes(b"old")
    link.symlink_to(file)
    os.mkfifo(pipe)
    write_private(link, b"new")
    assert (link.is_symlink(), link.read_bytes(), file.read_bytes()) == (False, b"new", b"old")
    write_private(file, b"new")
    assert file.read_bytes() == b"new"
    with pytest.raises(OSError, match="not a regular file"):
        write_private(pipe, b"new")
    assert S_ISFIFO(pipe.stat().st_mode)
