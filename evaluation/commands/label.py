"""``winnow label``: makes a test package of crawled pages, with gold texts by selectors."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from winnow.command_errors import CommandError, UsageError, local_path
from winnow.document.document import Document
from winnow.document.tokens import TAG
from winnow.document.values import Page
from winnow.evaluation.errors import EvaluationError
from winnow.evaluation.gold.alignment import align
from winnow.evaluation.gold.crawled_pages import crawled
from winnow.evaluation.gold.packages import DESCRIPTION
from winnow.evaluation.gold.rules import Gold, GoldRule, gold_of, read_rules, rule_for
from winnow.evaluation.running.progress import watched

LEAST_WORDS: Final = 50
MOST_TAGS: Final = 0.2
LABELLED: Final = "labelled"


def declare(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("rules", type=Path, metavar="RULES", help="a TOML file with a [[site]] table for each site")
    add("pages", type=Path, metavar="FOLDER|WARC", help="crawled pages")
    add(
        "--out",
        type=local_path,
        required=True,
        metavar="PACKAGE",
        help="write the test package there",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Label the pages that a rule matches, and print how many were left out and why."""
    try:
        rules = read_rules(arguments.rules)
        counts = _labelled(crawled(arguments.pages), rules, arguments.out)
    except EvaluationError as error:
        raise UsageError(str(error)) from error
    if not counts[LABELLED]:
        raise CommandError(f"no page could be labelled ({_summary(counts)}); look at the rules")
    _describe(arguments)
    sys.stdout.write(f"{_summary(counts)}.\n")
    return 0


def _labelled(pages: Iterable[Page], rules: Sequence[GoldRule], out: Path) -> Counter[str]:
    out.mkdir(parents=True, exist_ok=True)
    counts: Counter[str] = Counter()
    for page in watched(pages, 0, "label", sys.stderr):
        rule = rule_for(rules, page.url or "")
        if rule is None:
            counts["without a rule"] += 1
            continue
        document = Document.parse(page)
        gold = gold_of(document, rule)
        reason = refusal(document, gold)
        counts[reason or LABELLED] += 1
        if not reason:
            _write(out, page, document, gold)
    return counts


def refusal(document: Document, gold: Gold) -> str:
    """Return why a page is left out (section 5.1: < 50 words, > 20 % tags); "" if it is not."""
    if not gold.main:
        return "without a match"
    run = align(document, gold.main).run
    kinds = document.tokens.kind[run.start : run.end]
    tags = int((kinds == TAG).sum())
    if len(kinds) - tags < LEAST_WORDS:
        return f"under {LEAST_WORDS} words"
    return f"over {MOST_TAGS:.0%} tags" if tags > MOST_TAGS * len(kinds) else ""


def _write(out: Path, page: Page, document: Document, gold: Gold) -> None:
    name = sha256((page.url or "").encode() + page.body).hexdigest()[:16]
    notes: dict[str, Any] = {
        "url": page.url,
        "language": document.language or None,
        "encoding_used": document.encoding,
        "page_type": "article",
        "title": gold.headline or document.title,
        "byline": gold.byline or None,
        "variants": list(gold.variants),
    }
    (out / f"{name}.html").write_bytes(page.body)
    (out / f"{name}.txt").write_text(gold.main + "\n", encoding="utf-8")
    (out / f"{name}.json").write_text(json.dumps(notes, ensure_ascii=False), encoding="utf-8")


def _describe(arguments: argparse.Namespace) -> None:
    description = {
        "name": arguments.out.name,
        "language": "as declared by each page",
        "licence": "none stated: the pages belong to their sites",
        "source": f"labelled by the rules in {arguments.rules.name}",
    }
    (arguments.out / DESCRIPTION).write_text(json.dumps(description, indent=1), encoding="utf-8")


def _summary(counts: Counter[str]) -> str:
    rest = ", ".join(f"{count} {reason}" for reason, count in counts.items() if reason != LABELLED)
    return f"{counts[LABELLED]} pages labelled" + (f", left out: {rest}" if rest else "")
