"""``python -m tests.browser.axe_sweep PACKAGE...``: what axe-core objects to on pages of packages.

A sample by seed, each page as a reader page and pruned; prints a line for each rule with the first
elements that break it. No test: packages are other people's pages.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
from collections import Counter

from playwright.async_api import Page as BrowserPage

from tests.browser.browsers import chromium
from tests.browser.test_accessibility import fresh_page, violations
from winnow.document.values import Format, Page, Recipe
from winnow.engine.pipeline import transform
from winnow.evaluation.gold.packages import found, load
from winnow.jobs.job_types import PipelineError

SEED = 18
SHOWN = 3
"""Elements printed of each rule."""


def main() -> int:
    """Print what breaks which rule; 1 where anything does."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.axe_sweep")
    parser.add_argument("package", nargs="+")
    parser.add_argument("--pages", type=int, default=300, help="of all packages together")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--format", type=Format, default=Format.HTML)
    options = parser.parse_args()
    bodies = sampled(options.package, options.pages, options.seed, options.format)
    objections = asyncio.run(objections_to(bodies))
    rules = Counter(line.partition(":")[0] for found in objections.values() for line in found)
    sys.stdout.write(f"{len(bodies)} pages, {len(objections)} with objections\n")
    for rule, number in rules.most_common():
        lines = [(name, line) for name, of_one in objections.items() for line in of_one]
        shown = [f"  {name} {line[:400]}" for name, line in lines if line.startswith(f"{rule}:")]
        sys.stdout.write("\n".join([f"{number} {rule}", *shown[:SHOWN], ""]))
    return int(bool(objections))


def sampled(names: list[str], number: int, seed: int, form: Format) -> dict[str, str]:
    """The pages of a sample as they go to a browser, by package and name."""
    packages = [load(path) for path in found(names)]
    pages = [(package, name) for package in packages for name in package.ids]
    bodies: dict[str, str] = {}
    for package, name in random.Random(seed).sample(pages, min(number, len(pages))):
        entry = package.page(name)
        try:
            shown = transform(Page(entry.body, entry.url), Recipe(format=form)).body
        except PipelineError:
            continue
        bodies[f"{package.name}/{name}"] = shown.decode("utf-8", "replace")
    return bodies


async def objections_to(bodies: dict[str, str]) -> dict[str, list[str]]:
    """What axe-core says of each page that it objects to."""
    objections: dict[str, list[str]] = {}
    async with chromium() as browser:
        for number, (name, body) in enumerate(bodies.items()):
            page: BrowserPage = await fresh_page(browser, 1280, 800, "light")
            await page.set_content(body, wait_until="domcontentloaded")
            if objected := await violations(page):
                objections[name] = objected
            await page.context.close()
            if number % 20 == 0:
                sys.stderr.write(f"{number} of {len(bodies)}\r")
    return objections


if __name__ == "__main__":
    sys.exit(main())
