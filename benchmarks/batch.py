"""What ``winnow extract --batch`` costs beside the bare loop over the same pages, in CPU seconds.

    python -m benchmarks.batch FOLDER [--pages 400] [--times 3]

The pages of a folder become a WARC file, some times over. The loop reads and extracts them in one
process; the batch does so with two, and writes rows, without the second pass, which extracts again.
Both are programs of their own, in turn, so that whatever else the machine does strikes both. CPU is
that of all their processes; what they take to start is told apart.
"""

from __future__ import annotations

import argparse
import ctypes
import gzip
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path
from statistics import median

from winnow.document.values import Page
from winnow.evaluation.crawled_pages import crawled

SUBREAPER = 36
"""prctl(2): orphans below this process become its children, so that their CPU is counted."""
LOOP = """
import sys
from pathlib import Path
from winnow.document.values import Format, Recipe
from winnow.engine.pipeline import transform
from winnow.evaluation.crawled_pages import crawled
for page in crawled(Path(sys.argv[1])):
    transform(page, Recipe("auto", Format.TEXT))
"""


def record(page: Page) -> bytes:
    """A page as a member of a compressed WARC file."""
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page.body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {page.url}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + answer + b"\r\n\r\n")


def seconds(command: list[str]) -> float:
    """CPU seconds of a program and all processes that it leaves."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)  # noqa: S603  # ours
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def loop(archive: Path) -> float:
    """The loop's CPU seconds."""
    return seconds([sys.executable, "-c", LOOP, str(archive)])


def batch(archive: Path, folder: Path) -> float:
    """The batch's CPU seconds."""
    out = folder / "out.jsonl"
    out.unlink(missing_ok=True)
    command = ["extract", "--batch", str(archive), "--out", str(out), "--workers", "2"]
    return seconds([sys.executable, "-m", "winnow", *command])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.batch")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=400)
    parser.add_argument("--repeat", type=int, default=4, help="how often the pages are in the file")
    parser.add_argument("--times", type=int, default=3)
    given = parser.parse_args()
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    os.environ |= {"OPENBLAS_NUM_THREADS": "1", "WINNOW_LEARNING__ENABLED": "false"}
    folder = Path(tempfile.mkdtemp())
    archive = folder / "pages.warc.gz"
    members = [record(page) for page in islice(crawled(given.folder), given.pages)]
    archive.write_bytes(b"".join(members) * given.repeat)
    pages = len(members) * given.repeat
    one = folder / "one.warc.gz"
    one.write_bytes(members[0])
    start = (loop(one), batch(one, folder))
    sys.stdout.write(f"to start, one page: loop {start[0]:.2f} s, batch {start[1]:.2f} s\n")
    ratios = []
    for _ in range(given.times):
        whole = (loop(archive), batch(archive, folder))
        each = [1000 * (cpu - begun) / pages for cpu, begun in zip(whole, start, strict=True)]
        ratios.append(each[1] / each[0])
        sys.stdout.write(
            f"{pages} pages: loop {whole[0]:.2f} s, batch {whole[1]:.2f} s; "
            f"without the start {each[0]:.2f} and {each[1]:.2f} ms a page\n"
        )
        sys.stdout.flush()
    busy = os.getloadavg()[0]
    sys.stdout.write(f"batch / loop: {median(ratios):.2f} a page (load {busy:.1f})\n")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
