"""Decoding follows the HTML standard's order, and leaves it where a declaration cannot be true."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.document.errors import UnknownEncodingError
from winnow.document.parsing.decoding import CharsetEvidence, codec_of, decode, prescan
from winnow.document.values import Page

RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю. " * 8
CHINESE = "天地玄黃,宇宙洪荒。日月盈昃,辰宿列張。寒來暑往,秋收冬藏。" * 8
SIMPLIFIED = "我们的朋友遍天下。中华人民共和国的首都是北京,欢迎您来这里参观游览。" * 8
JAPANESE = "いろはにほへと ちりぬるを わかよたれそ つねならむ。漢字も混ぜて書きます。" * 8
KOREAN = "동해물과 백두산이 마르고 닳도록 하느님이 보우하사 우리나라 만세. " * 8


@pytest.mark.parametrize(
    ("body", "charset", "evidence", "encoding"),
    [
        (b"\xef\xbb\xbf<meta charset=koi8-r>\xc3\xa9", "latin1", CharsetEvidence.BOM, "utf-8"),
        ("\ufeffa<p>".encode("utf-16-le"), None, CharsetEvidence.BOM, "utf-16-le"),
        (b"<meta charset=koi8-r>caf\xe9", "windows-1252", CharsetEvidence.TRANSPORT, "cp1252"),
        (b"<meta charset='koi8-r'>\xc1\xc2", None, CharsetEvidence.META, "koi8-r"),
        (b"<p>plain ascii", None, CharsetEvidence.UTF8, "utf-8"),
        ("<p>é ü".encode(), None, CharsetEvidence.UTF8, "utf-8"),
    ],
)
def test_evidence_in_the_order_of_the_standard(
    body: bytes, charset: str | None, evidence: CharsetEvidence, encoding: str
) -> None:
    decoded = decode(Page(body, charset=charset))
    assert (decoded.evidence, decoded.encoding) == (evidence, encoding)


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("gb2312", SIMPLIFIED),
        ("gbk", SIMPLIFIED),
        ("big5", CHINESE),
        ("shift_jis", JAPANESE),
        ("euc-jp", JAPANESE),
        ("euc-kr", KOREAN),
        ("koi8-r", RUSSIAN),
        ("windows-1251", RUSSIAN),
        ("iso-8859-1", "Façade “no”".replace("“", "«").replace("”", "»")),
        ("x-sjis", JAPANESE),
    ],
)
def test_whatwg_labels_declared_in_the_page_or_by_the_server(label: str, text: str) -> None:
    codec = codec_of(label, strict=True)
    assert codec is not None
    html = f"<meta http-equiv=Content-Type content='text/html; charset={label}'><p>{text}"
    assert text in decode(Page(html.encode(codec))).text
    assert text in decode(Page(f"<p>{text}".encode(codec), charset=label)).text


@pytest.mark.parametrize(
    ("codec", "text"),
    [
        ("gb18030", SIMPLIFIED),
        ("big5", CHINESE),
        ("cp932", JAPANESE),
        ("euc-jp", JAPANESE),
        ("cp949", KOREAN),
        ("koi8-r", RUSSIAN),
        ("cp1251", RUSSIAN),
    ],
)
@pytest.mark.parametrize("lie", [None, "utf-8"])
def test_an_encoding_that_nobody_declares_or_that_is_declared_wrong_is_found(
    codec: str, text: str, lie: str | None
) -> None:
    assert text in decode(Page(f"<p>{text}".encode(codec), charset=lie)).text


@pytest.mark.parametrize("lie", ["iso-8859-1", "gbk", "shift_jis", "koi8-r"])
def test_valid_utf8_beyond_ascii_outweighs_a_wrong_declaration(lie: str) -> None:
    assert RUSSIAN in decode(Page(f"<meta charset={lie}><p>{RUSSIAN}".encode())).text


def test_a_page_cut_inside_a_character_keeps_its_encoding() -> None:
    decoded = decode(Page(f"<p>{RUSSIAN}".encode()[:-2], charset="utf-8"))
    assert decoded.encoding == "utf-8"
    assert RUSSIAN[:-4] in decoded.text


def test_a_meta_in_a_comment_declares_nothing() -> None:
    assert prescan(b"<!-- <meta charset=koi8-r> --><meta charset=big5>") == "big5"


PARTS = (
    b"<meta ", b"<META/", b"<metax ", b"charset=", b"CHARSET = ", b"charset", b'"big5"', b"koi8-r",
    b">", b"<!--", b"-->", b"-", b" ", b"<p>", b"content=text/html;", b"<meta",
)  # fmt: skip


@given(st.lists(st.sampled_from(PARTS), max_size=14).map(b"".join))
def test_the_first_meta_with_a_charset_declares_it(head: bytes) -> None:
    seen = re.sub(rb"<!--.*?-->", b"", head, flags=re.DOTALL)
    metas = re.findall(rb"<meta[\s/]([^>]*)", seen, re.IGNORECASE)
    charset = rb"""charset\s*=\s*["']?\s*([a-zA-Z0-9_:.+-]+)"""
    labels = [found[1] for meta in metas if (found := re.search(charset, meta, re.IGNORECASE))]

    assert prescan(head) == (labels[0].decode() if labels else None)


def test_a_meta_cannot_declare_utf16() -> None:
    assert prescan(b"<meta charset=utf-16>") == "utf-8"


def test_an_unknown_label_is_passed_over_and_refused_when_a_caller_insists() -> None:
    assert decode(Page(b"<meta charset=klingon>x")).evidence is CharsetEvidence.UTF8
    with pytest.raises(UnknownEncodingError, match="klingon"):
        codec_of("klingon", strict=True)


@given(st.binary(max_size=400), st.sampled_from([None, "utf-8", "gbk", "utf-16", "nonsense"]))
def test_no_bytes_are_refused(body: bytes, charset: str | None) -> None:
    decoded = decode(Page(body, "http://example.co.uk/", charset))
    assert isinstance(decoded.text, str)
