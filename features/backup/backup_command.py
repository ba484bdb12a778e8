"""``winnow backup FILE``: the data folder in one file, while Winnow runs."""

from __future__ import annotations

import argparse
import sys

from winnow.command_errors import CommandError, local_path
from winnow.command_settings import add_config_flag, load_settings
from winnow.data_folder import data_folder
from winnow.features.backup.archive import packed, unpacked
from winnow.proxy.stores.files import write_private
from winnow.proxy.stores.store_errors import cause


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        type=local_path,
        metavar="FILE",
        help="where to, such as winnow.tar.gz, or - for stdout; it holds the authority's key",
    )
    add_config_flag(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    folder = data_folder(load_settings(arguments.config, {}).settings)
    if not folder.is_dir():
        raise CommandError(f"there is no data folder {folder}")
    try:
        data = packed(folder)
    except OSError as error:
        raise CommandError(f"cannot read {folder}: {cause(error)}") from error
    names = ", ".join(unpacked(data))  # a backup that cannot be restored is none
    if str(arguments.file) == "-":
        sys.stdout.buffer.write(data)
        return 0
    try:
        write_private(arguments.file, data)
    except OSError as error:
        raise CommandError(f"cannot write {arguments.file}: {cause(error)}") from error
    sys.stdout.write(f"{arguments.file}: {names} of {folder}\n")
    return 0
