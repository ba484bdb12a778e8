"""``python -m tests.definitions [PACKAGE...]``: Winnow's answers beside the plain definitions.

Token methods on the bare stream of every N-th page, memory on made instances (and TiMBL's program,
where it is installed), Webstemmer's modes on the sites of packages that have some. Exits with 1
where an answer differs.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.definitions.comparing import Compared, layouts, memory, token_methods
from winnow.document.document import BareDocument
from winnow.document.values import Page
from winnow.evaluation.gold.packages import PackageEntry, find, load
from winnow.evaluation.measuring.leave_one_out import by_site


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.definitions")
    parser.add_argument("package", nargs="*", help="a folder, or a name below $WINNOW_PACKAGES")
    parser.add_argument("--every", type=int, default=10, metavar="N", help="every N-th page (10)")
    arguments = parser.parse_args()
    differ = 0
    for each in _all(arguments):
        sys.stdout.write(f"{each.what:58} {each.equal:6} of {each.cases}\n")
        sys.stdout.flush()
        differ += each.equal != each.cases
    return 1 if differ else 0


def _all(arguments: argparse.Namespace) -> Iterator[Compared]:
    packages = [load(find(name)) for name in arguments.package]
    documents = [
        BareDocument.parse(Page(entry.body, entry.url))
        for package in packages
        for entry in list(package)[:: arguments.every]
    ]
    yield from token_methods(documents)
    with tempfile.TemporaryDirectory() as folder:
        yield from memory(Path(folder))
    for package in packages:
        yield from layouts(package.name, _sites(by_site(package)))


def _sites(sites: dict[str, list[PackageEntry]]) -> list[list[BareDocument]]:
    return [
        [
            BareDocument.parse(Page(entry.body, entry.url or f"http://{site}/{entry.id}"))
            for entry in entries
        ]
        for site, entries in sites.items()
    ]


if __name__ == "__main__":
    sys.exit(main())
