"""``winnow labelled PATTERNS FOLDER|WARC``: pages by a pattern file, as Webstemmer prints them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from winnow.command_errors import UsageError
from winnow.document.document import Document
from winnow.evaluation.errors import EvaluationError
from winnow.evaluation.gold.crawled_pages import crawled
from winnow.extractors.errors import ParameterError
from winnow.extractors.layout.layout_files import load
from winnow.extractors.layout.pattern_files import page_lines
from winnow.extractors.layout.pattern_matching import ALL, MatchingLimits


def declare(parser: argparse.ArgumentParser) -> None:
    usual, add = MatchingLimits(), parser.add_argument
    add("patterns", metavar="PATTERNS", help="a file of Webstemmer's, or of `winnow learn`")
    add("source", type=Path, metavar="FOLDER|WARC", help="crawled pages")
    add("-t", type=float, default=usual.match, metavar="SHARE", help="covered of a page (0.8)")
    add(
        "-T", type=float, default=usual.difference, metavar="DIFFSCORE", help="of what varies (0.5)"
    )
    add("-M", type=float, default=usual.main, metavar="MAINSCORE", help="of main text (50)")
    add("-S", action="store_true", help="strict: the page has every block of its pattern")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print each page. Raises UsageError for a file or folder that cannot be read."""
    limits = MatchingLimits(arguments.t, arguments.T, arguments.M, arguments.S, ALL)
    try:
        learned = load(arguments.patterns).patterns
        for page in crawled(arguments.source):
            lines = page_lines(Document.parse(page), learned, limits)
            sys.stdout.write("".join(f"{line}\n" for line in (*lines, "")))
    except (ParameterError, EvaluationError) as error:
        raise UsageError(str(error)) from error
    return 0
