"""``python -m benchmarks.metadata_facts PACKAGE [--every N]``: title, byline and date of pages.

Winnow's JSON beside what trafilatura finds on the same pages, compared with the package's notes:
the shares of exact, wrong and missing values where the notes have one, of spurious ones where they
have none. The rules for bylines and titles were written by looking at one half of wcxb-dev's sites,
those for dates at both.
"""

from __future__ import annotations

import argparse
import base64
import json
import subprocess
import sys
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from winnow.document.values import Format, Page, Recipe
from winnow.engine.pipeline import transform
from winnow.evaluation.metadata_counts import PageFacts, metadata_values, noted_facts
from winnow.evaluation.packages import PackageEntry, found, load
from winnow.evaluation.peers.catalogue import named
from winnow.evaluation.peers.environments import home_of
from winnow.evaluation.statistic import means
from winnow.evaluation.tables import aligned
from winnow.jobs.job_types import PipelineError

KINDS: Final = ("exact", "wrong", "missing", "spurious")
COLUMNS: Final = (
    "title.exact",
    *(f"{name}.{kind}" for name in ("byline", "date") for kind in KINDS),
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each subject and half of the sites."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.metadata_facts")
    parser.add_argument("package")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth page")
    given = parser.parse_args(arguments)
    package = load(found([given.package])[0])
    entries = [package.page(name) for name in package.ids[:: given.every]]
    answers = {"winnow": [ours(entry) for entry in entries], "trafilatura": theirs(entries)}
    lines = [
        [name, "tuned" if half == 0 else "reported", *_shares(entries, facts, half)]
        for name, facts in answers.items()
        for half in (0, 1)
    ]
    sys.stdout.write(aligned(["subject", "sites", "pages", *COLUMNS], lines, 2) + "\n")


def ours(entry: PackageEntry) -> PageFacts:
    """What the JSON of a page says; nothing where it has no article."""
    try:
        body = transform(Page(entry.body, entry.url), Recipe(format=Format.JSON)).body
    except PipelineError:
        return PageFacts()
    record = json.loads(body)
    day = (record["publishedTime"] or record["modifiedTime"] or "")[:10]
    return PageFacts(record["title"] or "", record["byline"] or "", day)


def theirs(entries: Iterable[PackageEntry]) -> list[PageFacts]:
    """What trafilatura finds, in an environment of its own."""
    lines = [
        json.dumps({"html": base64.b64encode(entry.body).decode(), "url": entry.url})
        for entry in entries
    ]
    script = str(Path(__file__).with_name("peer_metadata.py"))
    python = str(home_of(named("trafilatura")) / "bin" / "python")
    done = subprocess.run(  # noqa: S603 - the peer's own interpreter, our own script
        [python, "-I", script], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    return [PageFacts(*json.loads(line)) for line in done.stdout.splitlines()]


def _shares(entries: Sequence[PackageEntry], facts: Sequence[PageFacts], half: int) -> list[str]:
    values = [
        metadata_values(answer, noted_facts(entry.meta))
        for entry, answer in zip(entries, facts, strict=True)
        if _half_of(entry) == half
    ]
    shares = means(values)
    return [str(len(values)), *(f"{shares.get(name, 0.0):.3f}" for name in COLUMNS)]


def _half_of(entry: PackageEntry) -> int:
    return zlib.crc32((urlsplit(entry.url or "").hostname or entry.id).encode()) % 2


if __name__ == "__main__":
    main()
