"""``winnow restore FILE``: puts a backup back into the data folder."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from winnow.command_errors import CommandError
from winnow.commands.config import add_config_flag, load_settings
from winnow.compose.stores import data_folder
from winnow.proxy.stores.archive import (
    AUTHORITY,
    FILES,
    give_to_owner,
    packed,
    put_back,
    unpacked,
)
from winnow.proxy.stores.files import is_in_use, write_private
from winnow.proxy.stores.store_errors import StoreError, cause
from winnow.proxy.tls.authority import check_pem
from winnow.proxy.tls.tls_errors import DamagedAuthorityError


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="made by winnow backup; - reads stdin"
    )
    parser.add_argument(
        "--replace",
        action="store_true",
        help="replace what is there, which is first saved as before-restore-....tar.gz",
    )
    add_config_flag(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    folder = data_folder(load_settings(arguments.config, {}).settings)
    try:
        files = unpacked(_read(arguments.file))
        if AUTHORITY in files:
            check_pem(files[AUTHORITY])
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make_room(folder, replace=arguments.replace)
        put_back(files, folder)
    except (StoreError, DamagedAuthorityError) as error:
        raise CommandError(f"{arguments.file}: {error}") from error
    except OSError as error:
        raise CommandError(f"cannot write to {folder}: {cause(error)}") from error
    sys.stdout.write(f"{folder}: {', '.join(files)}\n")
    return 0


def _read(file: Path) -> bytes:
    try:
        return sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise CommandError(f"cannot read {file}: {cause(error)}") from error


def _make_room(folder: Path, *, replace: bool) -> None:
    """Raises CommandError where a Winnow uses the folder, or it has files that are to stay."""
    if is_in_use(folder):
        raise CommandError(f"a Winnow uses {folder}: stop it first")
    present = [name for name in FILES if (folder / name).exists()]
    if present and not replace:
        raise CommandError(f"{folder} has {', '.join(present)} already: add --replace")
    if present:
        saved = folder / f"before-restore-{datetime.now(UTC):%Y-%m-%dT%H-%M-%S}.tar.gz"
        write_private(saved, packed(folder))
        give_to_owner(saved, folder)
        sys.stdout.write(f"saved as {saved}\n")
