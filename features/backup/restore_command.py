"""``winnow restore FILE``: puts a backup back into the data folder.

``winnow restore --previous``: goes back to what a newer version of Winnow has changed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from winnow.command_errors import CommandError
from winnow.command_settings import add_config_flag, load_settings
from winnow.data_folder import data_folder
from winnow.feature import Feature, loaded
from winnow.feature_list import known
from winnow.features.backup.archive import (
    AUTHORITY,
    VERSIONS,
    files_in,
    give_to_owner,
    packed,
    put_back,
    unpacked,
)
from winnow.proxy.stores.files import is_in_use, write_private
from winnow.proxy.stores.previous import to_go_back, version_of
from winnow.proxy.stores.store_errors import StoreError, cause
from winnow.proxy.tls.authority import check_pem
from winnow.proxy.tls.tls_errors import DamagedAuthorityError


def declare(parser: argparse.ArgumentParser) -> None:
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument(
        "file", type=Path, metavar="FILE", nargs="?", help="made by winnow backup; - reads stdin"
    )
    source.add_argument(
        "--previous",
        action="store_true",
        help="the copies that a newer version of Winnow made before it changed the files",
    )
    parser.add_argument(
        "--replace",
        action="store_true",
        help="replace what is there, which is first saved as before-restore-....tar.gz",
    )
    add_config_flag(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    settings = load_settings(arguments.config, {}).settings
    folder = data_folder(settings)
    if arguments.previous:
        return _go_back(folder, known(settings.features))
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


def _go_back(folder: Path, features: Iterable[Feature]) -> int:
    """Put the copies in the place of files that this version cannot read."""
    versions = dict(VERSIONS)
    for each in features:
        versions |= loaded(each.databases) if each.databases else {}
    try:
        files = to_go_back(folder, versions)
        newer = [name for name, at in versions.items() if version_of(folder / name) > at]
        if not newer:
            sys.stdout.write(
                f"nothing in {folder} was written by a newer Winnow: this one can begin\n"
            )
            return 0
        if lacking := sorted(set(newer) - set(files)):
            raise CommandError(f"there is no copy of {', '.join(lacking)} from before the update")
        _make_room(folder, replace=True)
        put_back(files, folder, tuple(files))
    except OSError as error:
        raise CommandError(f"cannot write to {folder}: {cause(error)}") from error
    sys.stdout.write(
        f"{folder}: {', '.join(files)} as before the update; what was changed since is lost to "
        "this version, and is in the file that was saved\n"
    )
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
    present = [name for name in files_in(folder) if (folder / name).exists()]
    if present and not replace:
        raise CommandError(f"{folder} has {', '.join(present)} already: add --replace")
    if present:
        saved = folder / f"before-restore-{datetime.now(UTC):%Y-%m-%dT%H-%M-%S}.tar.gz"
        write_private(saved, packed(folder))
        give_to_owner(saved, folder)
        sys.stdout.write(f"saved as {saved}\n")
