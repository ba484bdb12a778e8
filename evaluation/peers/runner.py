"""One peer in a process of its own: a JSON line with a page in, a JSON line with its text out.

Runs in the peer's own virtual environment, where nothing of Winnow is installed (Winnow itself: in
the one where it is): imports the standard library and the peer, no more. A request is ``{"html":
base64, "url": ..., "language": ..., "encoding": ..., "markup": whether HTML is wanted}``, an answer
is ``{"text": ..., "seconds": CPU}`` or ``{"error": ...}``. Peers that decode get the bytes; those
that take only ``str`` get the page decoded by the encoding that the package names.
"""

from __future__ import annotations

import base64
import importlib
import json
import os
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_LANGUAGE = re.compile(rb"<html[^>]*?\slang\s*=\s*[\"']?([A-Za-z]{2,3})", re.IGNORECASE)
_STOPLISTS = {
    "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish",
    "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian",
    "fa": "Persian", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi",
    "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "is": "Icelandic", "it": "Italian",
    "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "ms": "Malay",
    "nb": "Norwegian_Bokmal", "nl": "Dutch", "nn": "Norwegian_Nynorsk",
    "no": "Norwegian_Bokmal", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian",
    "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish",
    "ta": "Tamil", "te": "Telugu", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu",
    "vi": "Vietnamese",
}  # fmt: skip
_INLINE = {"a", "abbr", "b", "cite", "code", "em", "font", "i", "q", "s", "small", "span"}
_INLINE |= {"strong", "sub", "sup", "u"}


@dataclass(frozen=True)
class PeerRequest:
    """A page for a peer: bytes, and the package's notes on them."""

    body: bytes
    url: str | None
    language: str | None
    encoding: str | None

    @property
    def markup(self) -> str:
        """The page rightly decoded, for peers that take no bytes; lxml wants no declaration."""
        text = self.body.decode(self.encoding or "utf-8", errors="replace")
        return _DECLARATION.sub("", text, count=1)

    @property
    def tongue(self) -> str:
        """The language in the package's notes, else the page's ``lang``, else English."""
        declared = _LANGUAGE.search(self.body)
        return self.language or (declared[1].decode().lower() if declared else "en")


Peer = Callable[[PeerRequest], str]


def trafilatura() -> Peer:
    """Its defaults, on the bytes."""
    library = _imported("trafilatura")
    return lambda request: library.extract(request.body, url=request.url) or ""


def resiliparse() -> Peer:
    """Main content without alternative texts, bytes decoded by its own detection."""
    extraction, encoding = _imported("resiliparse.extract.html2text"), "resiliparse.parse.encoding"
    tree, detect = _imported("resiliparse.parse.html").HTMLTree, _imported(encoding).detect_encoding

    def answer(request: PeerRequest) -> str:
        page = tree.parse_from_bytes(request.body, detect(request.body, from_html_meta=True))
        return str(extraction.extract_plain_text(page, main_content=True, alt_texts=False))

    return answer


def readability_lxml() -> Peer:
    """The summary's text, on the bytes."""
    document, html = _imported("readability").Document, _imported("lxml.html")

    def answer(request: PeerRequest) -> str:
        summary = document(request.body, url=request.url).summary()
        return str(_spaced(html.fromstring(summary)))

    return answer


def justext() -> Peer:
    """The stop list of the page's language; without one its mode for any language."""
    library = _imported("justext")
    any_language = {"stopwords_low": 0, "stopwords_high": 0}

    def answer(request: PeerRequest) -> str:
        name = _STOPLISTS.get(request.tongue)
        words, options = (library.get_stoplist(name), {}) if name else (frozenset(), any_language)
        paragraphs = library.justext(request.body, words, **options)
        return "\n".join(part.text for part in paragraphs if not part.is_boilerplate)

    return answer


def boilerpy3() -> Peer:
    """The article extractor, as its readme shows."""
    extractor = _imported("boilerpy3.extractors").ArticleExtractor(raise_on_failure=False)
    return lambda request: str(extractor.get_content(request.markup))


def newspaper4k() -> Peer:
    """An article parsed from the markup, images not fetched; the language where it is given."""
    article = _imported("newspaper").Article

    def answer(request: PeerRequest) -> str:
        address = request.url or "http://page.invalid/"
        try:
            page = article(address, fetch_images=False, language=request.language)
        except ValueError:  # not one of its languages
            page = article(address, fetch_images=False)
        page.download(input_html=request.markup)
        page.parse()
        return str(page.text)

    return answer


def goose3() -> Peer:
    """Its defaults; where the language is given, that language and its class of stop words."""
    goose, texts = _imported("goose3").Goose, _imported("goose3.text")
    classes = {"ar": "Arabic", "ja": "Japanese", "ko": "Korean", "zh": "Chinese"}

    def answer(request: PeerRequest) -> str:
        words = getattr(texts, f"StopWords{classes.get(request.tongue, '')}")
        options: dict[str, object] = {"stopwords_class": words}
        if request.language:
            options |= {"use_meta_language": False, "target_language": request.language}
        return str(goose(options).extract(raw_html=request.markup).cleaned_text)

    return answer


def inscriptis() -> Peer:
    """The whole page as text: a baseline."""
    library = _imported("inscriptis")
    return lambda request: str(library.get_text(request.markup))


def trafilatura_markup() -> Peer:
    """HTML with all that it can keep."""
    library = _imported("trafilatura")
    kept = {"include_links": True, "include_images": True, "include_formatting": True}
    return lambda request: (
        library.extract(request.body, url=request.url, output_format="html", **kept) or ""
    )


def readability_lxml_markup() -> Peer:
    """The summary."""
    document = _imported("readability").Document
    return lambda request: str(document(request.body, url=request.url).summary())


def winnow() -> Peer:
    """Winnow's article, as a reader gets it: comments apart."""
    extract = _imported("winnow").extract
    return lambda request: str(extract(request.body, url=request.url).text)


PEERS: dict[str, Callable[[], Peer]] = {
    "trafilatura": trafilatura,
    "resiliparse": resiliparse,
    "readability-lxml": readability_lxml,
    "justext": justext,
    "boilerpy3": boilerpy3,
    "newspaper4k": newspaper4k,
    "goose3": goose3,
    "inscriptis": inscriptis,
    "winnow": winnow,
}


MARKUP: dict[str, Callable[[], Peer]] = {
    "trafilatura": trafilatura_markup,
    "readability-lxml": readability_lxml_markup,
}
"""Those that give HTML."""


def _imported(module: str) -> Any:
    return importlib.import_module(module)


def _spaced(tree: Any) -> str:
    """An element's text, a line break at every edge of a block so that words stay apart."""
    walk = _imported("lxml.etree").iterwalk(tree, events=("start", "end", "comment", "pi"))
    return "".join(_edge(event, element) for event, element in walk)


def _edge(event: str, element: Any) -> str:
    if event in ("comment", "pi"):
        return str(element.tail or "")
    text = element.text if event == "start" else element.tail
    return ("" if element.tag in _INLINE else "\n") + (text or "")


def answered(peer: Peer, line: str, markup: Peer | None = None) -> dict[str, object]:
    """The answer to one request line; a peer's failure is an answer too."""
    fields = json.loads(line)
    if fields.get("markup"):
        if markup is None:
            return {"error": "gives no markup"}
        peer = markup
    request = PeerRequest(
        base64.b64decode(fields["html"]), fields["url"], fields["language"], fields["encoding"]
    )
    start = time.process_time()
    try:
        text = peer(request)
    except Exception as error:  # noqa: BLE001 - whatever the peer raises is its row
        return {"error": f"{type(error).__name__}: {error}"}
    return {"text": text, "seconds": time.process_time() - start}


def main() -> None:
    """Answer until the input ends; what the peer prints goes to stderr, away from the answers."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    peer, maker = PEERS[sys.argv[1]](), MARKUP.get(sys.argv[1])
    markup = maker() if maker else None
    for line in sys.stdin:
        answers.write(json.dumps(answered(peer, line, markup)) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
