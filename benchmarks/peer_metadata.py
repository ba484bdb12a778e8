"""trafilatura's title, author and date: a line of JSON with a page in, a line with the facts out.

Runs in the peer's own environment, where nothing of Winnow is installed.
"""

import base64
import json
import sys

import trafilatura  # type: ignore[import-not-found]  # it is in the peer's environment

for line in sys.stdin:
    page = json.loads(line)
    found = trafilatura.extract_metadata(base64.b64decode(page["html"]), default_url=page["url"])
    facts = [found.title, found.author, found.date] if found else []
    sys.stdout.write(json.dumps([fact or "" for fact in facts]) + "\n")
