"""Rich text as JSON, as markup: editors' blocks, element trees, strings of HTML, paragraphs.

Known shapes: Portable Text, ProseMirror and TipTap, Slate, Draft.js, Contentful, Editor.js, Strapi,
React's element rows (``["$", "p", null, {"children": ...}]``); other objects part by part.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from html import escape, unescape
from typing import Any, Final

DEEPEST: Final = 40
_MARKUP: Final = re.compile(
    r"</?(?:p|div|br|h[1-6]|ul|ol|li|blockquote|figure|section|table|pre)\b"
)
_TAG: Final = re.compile(r"<[^<>]*>")
_WORDS: Final = re.compile(r"[^\W\d_]{2,}")
_UNSPACED: Final = re.compile(r"[\u0e00-\u0eff\u3041-\u30ff\u3400-\u9fff]")
_CODE: Final = re.compile(r"function\s*\(|=>|[{;}]\s*$|^\s*[.#@][\w-]+\s*\{|https?://\S+$")
_LEAST_WORDS: Final = 8
_LEAST_UNSPACED: Final = 16
_INLINE: Final = ("children", "content", "nodes", "spans", "leaves")
_KIND: Final = ("_type", "type", "nodeType", "tag", "__typename", "style", "name")
_HEADING: Final = re.compile(r"h(?:eading|eader)?[-_ ]?([1-6])?$")
_TAGS: Final = {
    "paragraph": "p",
    "listitem": "li",
    "list-item": "li",
    "list_item": "li",
    "ordered-list-item": "li",
    "unordered-list-item": "li",
    "li": "li",
    "blockquote": "blockquote",
    "quote": "blockquote",
    "codeblock": "pre",
    "code": "pre",
    "pre": "pre",
}
_ELEMENTS: Final = frozenset(
    "p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong a figure figcaption table tr td th"
    " tbody thead dl dt dd section article".split()
)


def is_markup(value: Any) -> bool:
    """Whether a value is a text, a piece of HTML with blocks."""
    return isinstance(value, str) and "<" in value and _MARKUP.search(value) is not None


def is_prose(text: str) -> bool:
    """Whether a text is something to read: HTML, or words enough that are no code or address."""
    if is_markup(text):
        return len(_WORDS.findall(_TAG.sub(" ", text))) >= _LEAST_WORDS
    if len(_UNSPACED.findall(text)) >= _LEAST_UNSPACED:
        return True
    return len(_WORDS.findall(text)) >= _LEAST_WORDS and not _CODE.search(text) and " " in text


def opened(value: Any) -> Any:
    """A value that is JSON or escaped HTML within a string, read; any other as it is."""
    if isinstance(value, str) and len(value) > 1 and value[0] in "{[":
        try:
            return json.loads(value, strict=False)
        except (ValueError, RecursionError):
            return value
    if isinstance(value, str) and "&lt;" in value and "<" not in value:
        return unescape(value)
    return value


def letters(text: str) -> int:
    """The length of what a text shows."""
    return len(_TAG.sub("", text)) if "<" in text else len(text)


def markup_of(value: Any) -> str:
    """A value's texts as markup, in their order, none twice."""
    seen: set[str] = set()
    return "\n".join(block for block in _blocks(value, DEEPEST) if _is_new(block, seen))


def _is_new(block: str, seen: set[str]) -> bool:
    key = "".join(filter(str.isalnum, unescape(_TAG.sub("", block))))[:200]
    if not key or key in seen:
        return False
    seen.add(key)
    return True


def _blocks(value: Any, depth: int) -> Iterator[str]:
    value = opened(value)
    if depth == 0:
        return
    if isinstance(value, str):
        yield from _written(value)
    elif isinstance(value, list):
        if _is_element(value):
            yield from _element(value, depth)
            return
        for one in value:
            yield from _blocks(one, depth - 1)
    elif isinstance(value, Mapping):
        yield from _object(value, depth)


def _written(text: str) -> Iterator[str]:
    """A string that is prose: HTML as it is, lines as paragraphs."""
    if not is_prose(text):
        return
    if is_markup(text):
        yield text
    else:
        yield from (f"<p>{escape(line)}</p>" for line in re.split(r"\s*\n+\s*", text) if line)


def _object(value: Mapping[str, Any], depth: int) -> Iterator[str]:
    """A block of an editor, or the parts of any other object."""
    inline = next((value[name] for name in _INLINE if isinstance(value.get(name), list)), None)
    if inline is not None and (text := "".join(_inline(inline, depth))).strip():
        tag = _tag_of(value)
        yield f"<{tag}>{text}</{tag}>"
        return
    if isinstance(value.get("text"), str) and (tag := _named(value)):
        text = value["text"]
        yield f"<{tag}>{text if '<' in text else escape(text)}</{tag}>"
        return
    for part in value.values():
        yield from _blocks(part, depth - 1)


def _inline(parts: list[Any], depth: int) -> Iterator[str]:
    """The text of inline parts; nothing where any of them is a block of its own."""
    found: list[str] = []
    for part in parts:
        text = _leaf(part, depth)
        if text is None:
            return
        found.append(text)
    yield from found


def _leaf(part: Any, depth: int) -> str | None:
    if isinstance(part, str):
        return escape(part)
    if not isinstance(part, Mapping) or _tag_of(part) != "p" or depth == 0:
        return None
    text = next((part[name] for name in ("text", "value") if isinstance(part.get(name), str)), None)
    if text is not None:
        return escape(text)
    inner = next((part[name] for name in _INLINE if isinstance(part.get(name), list)), None)
    if inner is None or _named(part):
        return "" if inner is None and len(part) < 4 else None
    leaves = [_leaf(one, depth - 1) for one in inner]
    if any(leaf is None for leaf in leaves):
        return None
    return "".join(leaf for leaf in leaves if leaf)


def _named(value: Mapping[str, Any]) -> str:
    """The tag that a block's kind names, "" if it names none."""
    for name in _KIND:
        kind = value.get(name)
        if not isinstance(kind, str):
            continue
        if heading := _HEADING.match(kind.lower()):
            level = heading[1] or str(_level(value))
            return f"h{level}"
        if tag := _TAGS.get(kind.lower()):
            return tag
    return ""


def _level(value: Mapping[str, Any]) -> int:
    attributes = value.get("attrs")
    level = attributes.get("level") if isinstance(attributes, Mapping) else value.get("level")
    return level if isinstance(level, int) and 1 <= level <= len("123456") else 2


def _tag_of(value: Mapping[str, Any]) -> str:
    return _named(value) or "p"


def _is_element(value: list[Any]) -> bool:
    """Whether a list is a React element: ``["$", type, key, properties]``."""
    return len(value) >= len("$tkp") and value[0] == "$" and isinstance(value[1], str)


def _element(value: list[Any], depth: int) -> Iterator[str]:
    name, properties = value[1], value[3]
    children = properties.get("children") if isinstance(properties, Mapping) else None
    html = properties.get("dangerouslySetInnerHTML") if isinstance(properties, Mapping) else None
    inner = (
        html["__html"]
        if isinstance(html, Mapping) and isinstance(html.get("__html"), str)
        else _children(children, depth - 1)
    )
    if not inner.strip():
        return
    yield f"<{name}>{inner}</{name}>" if name in _ELEMENTS else inner


def _children(value: Any, depth: int) -> str:
    if depth <= 0:
        return ""
    if isinstance(value, str):
        return "" if value.startswith("$") else escape(value)
    if isinstance(value, list):
        if _is_element(value):
            return "".join(_element(value, depth))
        return "".join(_children(one, depth - 1) for one in value)
    return ""
