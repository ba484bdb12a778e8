"""Which clients are programs that crawl, download or build: they get what the origin sent.

By User-Agent (RFC 9110, section 10.1.5), whatever Accept says: Java's names HTML first. Pure.
A client in no row, ``curl`` for one, is as good as a person.
"""

from __future__ import annotations

import re
from typing import Final

from winnow.document.values import Format
from winnow.proxy.decisions.request.preferences import FIELDS, format_by_accept
from winnow.proxy.http.headers import Headers, cached_by_text

PROGRAMS: Final = (
    # what downloads and crawls
    (r"\Awget|aria2/|\Aaxel/|\Ahttpie/|powershell/", "Wget/1.21.3"),
    (r"lavf/|\Ayt-dlp|youtube-dl", "Lavf/59.27.100"),
    (r"httrack|scrapy/|heritrix|nutch|archivebot", "Scrapy/2.11.2 (+https://scrapy.org)"),
    # libraries of languages
    (r"python-(requests|urllib|urllib3|httpx|niquests)/", "python-requests/2.32.3"),
    (r"\Apython/|aiohttp/", "Python/3.11 aiohttp/3.11.11"),
    (r"\Ago-http-client/", "Go-http-client/1.1"),
    (r"\Ajava|httpclient/|\Aokhttp/|\Adalvik/", "Java/17.0.13"),
    (r"\Anode\b|node-fetch|\Aundici|\Aaxios/|\Agot\b|\Adeno/|\Abun/", "node"),
    (r"libwww-perl|\Alwp|\Ahttp-tiny/|mojolicious", "libwww-perl/6.67"),
    (r"\Aruby|faraday|mechanize|guzzlehttp|reqwest/|\Ahyper/", "Ruby"),
    # package managers and what builds and deploys
    (r"apt-http/|\Aapt/|libdnf|\Adnf/|urlgrabber|zypp|pacman/", "Debian APT-HTTP/1.3 (2.6.1)"),
    (r"\Apip/|setuptools/|\Auv/|poetry/|\Aconda/|twine/", 'pip/23.0.1 {"ci":null}'),
    (r"\A(npm|yarn|pnpm)/|\Acargo|homebrew/|rubygems|composer/", "npm/9.2.0 node/v18.20.4"),
    (r"maven|gradle/|\Anix/|bazel", "Apache-Maven/3.8.7 (Java 17; Linux 6.1)"),
    (r"\Aj?git/|mercurial/|\Asvn/", "git/2.39.5"),
    (r"\Acontainers/|skopeo/|\Adocker/|containerd/|buildah/|podman/", "skopeo/1.9.3"),
    # robots, as they name themselves
    (r"[a-z]bot/|crawler|spider", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://google.com/)"),
)
"""Patterns of User-Agent in lower case, each with one that it stands for."""
_PROGRAMS: Final = re.compile("|".join(pattern for pattern, _ in PROGRAMS))
_TO_READ: Final = frozenset({Format.TEXT, Format.MARKDOWN})


@cached_by_text
def is_program(user_agent: str) -> bool:
    """Whether a client of this name crawls, downloads or builds."""
    return _PROGRAMS.search(user_agent.lower()) is not None


def gets_original(headers: Headers) -> bool:
    """Whether a request is a program's that asks for no article, by Accept or one of our fields.

    yt-dlp takes a browser's name, but sends Sec-Fetch-Mode without its companions.
    """
    takes_a_name = "sec-fetch-mode" in headers and "sec-fetch-site" not in headers
    if not takes_a_name and not is_program(headers.get("user-agent")):
        return False
    asks = headers.has_any(FIELDS)
    return not asks and format_by_accept(headers) not in _TO_READ
