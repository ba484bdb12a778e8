"""Whether this environment's Winnow has all compiled parts and works: ``python installed.py``.

It imports nothing of the tests, so that cibuildwheel can run it in any environment.
"""

from __future__ import annotations

import platform
import sys

import winnow
from winnow.compose.installation import COMPILED, installation_faults

SENTENCE = "The river rose by a metre in one night, and the town closed its lower bridge. "
PAGE = f"<title>A river</title><article><h1>A river</h1>{f'<p>{SENTENCE}</p>' * 8}</article>"


def main() -> int:
    """Return 0, or 1 with what is wrong."""
    faults = list(installation_faults())
    article = winnow.extract(PAGE, url="http://a.test/")
    if article.title != "A river" or article.text.count(SENTENCE.strip()) != 8:
        faults.append(f"the article is {article.title!r}, {article.text!r}")
    where = f"Python {platform.python_version()}, {platform.libc_ver()[0] or 'musl'}"
    sys.stdout.write(
        f"{where}: {len(COMPILED)} compiled parts, an article of {len(article.text)}\n"
    )
    sys.stderr.writelines(f"{fault}\n" for fault in faults)
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
