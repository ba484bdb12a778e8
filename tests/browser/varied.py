"""Sixty pages written to be hard for readers: languages, directions, broken structure.

Knows markup as it stands in the web; refuses to know what Winnow makes of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

LONG: Final = 3
"""So many times a language's sentence makes a paragraph."""


@dataclass(frozen=True, slots=True)
class Tongue:
    """A language: its direction, a headline, a sentence, a short word."""

    code: str
    direction: str
    headline: str
    sentence: str
    word: str

    @property
    def paragraph(self) -> str:
        return f"<p>{' '.join([self.sentence] * LONG)}</p>"


TONGUES: Final = (
    Tongue(
        "ar",
        "rtl",
        "المطر يعود إلى المدينة",
        "عاد المطر إلى المدينة بعد شهور طويلة من الجفاف، وفرح الناس به كثيرا.",
        "خريطة",
    ),
    Tongue(
        "he",
        "rtl",
        "הגשם חוזר אל העיר",
        "הגשם חזר אל העיר אחרי חודשים ארוכים של יובש, והתושבים שמחו בו מאוד.",
        "מפה",
    ),
    Tongue(
        "fa",
        "rtl",
        "باران به شهر بازگشت",
        "باران پس از ماه‌های خشک به شهر بازگشت و مردم از آن بسیار شاد شدند.",
        "نقشه",
    ),
    Tongue(
        "ur",
        "rtl",
        "بارش شہر میں لوٹ آئی",
        "کئی مہینوں کی خشکی کے بعد بارش شہر میں لوٹ آئی اور لوگ بہت خوش ہوئے۔",
        "نقشہ",
    ),
    Tongue(
        "zh",
        "",
        "雨水回到城市",
        "经过几个月的干旱，雨水终于回到了这座城市，居民们都非常高兴。",
        "地图",
    ),
    Tongue(
        "zh-Hant",
        "",
        "雨水回到城市",
        "經過幾個月的乾旱，雨水終於回到了這座城市，居民們都非常高興。",
        "地圖",
    ),
    Tongue(
        "ja",
        "",
        "雨が町に戻った",
        "長い乾いた月日のあと、雨がようやく町に戻り、人々はたいへん喜んだ。",
        "地図",
    ),
    Tongue(
        "ko",
        "",
        "도시에 비가 돌아왔다",
        "몇 달 동안의 가뭄 끝에 비가 도시로 돌아왔고 사람들은 매우 기뻐했다.",
        "지도",
    ),
    Tongue(
        "en",
        "",
        "Rain comes back to the town",
        "After long dry months the rain has come back to the town, and people are glad of it.",
        "Map",
    ),
    Tongue(
        "de",
        "",
        "Der Regen kehrt zurück",
        "Nach langen trockenen Monaten ist der Regen in die Stadt zurückgekehrt.",
        "Karte",
    ),
)

STRUCTURES: Final[Mapping[str, str]] = {
    "plain": "<h1>{headline}</h1>{p}{p}",
    "holes": "<h1>{headline}</h1>{p}<h4>{word}</h4>{p}<h2>{word}</h2>{p}<h6>{word}</h6>{p}",
}
"""Told in every language: twenty pages."""

BROKEN: Final[Mapping[str, str]] = {
    "no heading at all": "<b><font size=6>{headline}</font></b>{p}{p}",
    "headings upwards": "<h6>{headline}</h6>{p}<h5>{word}</h5>{p}<h3>{word}</h3>{p}",
    "many first headings": "<h1>{headline}</h1>{p}<h1>{word}</h1>{p}<h1>{word} 2</h1>{p}",
    "empty headings": (
        "<h1></h1><h2> </h2><h1>{headline}</h1>{p}<h2><img src=a.png></h2>{p}<h3></h3>"
    ),
    "headings in odd places": (
        "<h1>{headline}</h1>{p}<ul><li><h5>{word}</h5>{word}</ul><table><tr><th><h3>{word}</h3><td>a"
        "<tr><td><h2>{word}</h2><td>b</table><blockquote><h6>{word}</h6>{p}</blockquote>"
        "<button><h2>{word}</h2></button><a href=x><h3>{word}</h3></a>{p}"
    ),
    "a heading inside a heading": "<h1>{headline}<h3>{word}</h1>{p}</h3>{p}",
    "roles instead of headings": (
        "<div role=heading aria-level=1>{headline}</div>{p}"
        "<div role=heading aria-level=7>{word}</div>{p}"
    ),
    "several mains": (
        "<main><h1>{headline}</h1>{p}</main><main>{p}</main><div role=main>{p}</div>"
        "<header>{word}</header><footer>{word}</footer>"
    ),
    "landmarks everywhere": (
        "<div role=banner>{word}</div><div role=search>{word}</div><h1>{headline}</h1>"
        "<section aria-label='{word}'>{p}</section><div role=contentinfo>{p}</div>"
    ),
}

PARTS: Final[Mapping[str, str]] = {
    "links without words": (
        "{p}<a href=a></a> <a href=b><img src=b.png></a> <a href=c><span></span></a>"
        "<a href=d aria-label='{word}'></a> <a href=e title='{word}'><img src=e.png alt=''></a>"
        "<a href=f><svg width=10 height=10><path d='M0 0h9v9z'/></svg></a> <a name=g></a>{p}"
    ),
    "pictures without words": (
        "{p}<img src=one.jpg><img src=two.jpg alt><p>{word} <img src=three.jpg> {word}</p>"
        "<figure><img src=rain_in_town.jpg><figcaption>{word}</figcaption></figure>{p}"
    ),
    "image maps": "{p}<img src=m.png usemap=#m><map name=m><area href=a><area href=b></map>{p}",
    "input images": "{p}<form><input type=image src=a.png><input><select></select></form>{p}",
    "tables without headers": "{p}<table><tr><td>a<td>1<tr><td>b<td>2<tr><td>c<td>3</table>{p}",
    "tables with empty headers": (
        "{p}<table><tr><th><th>{word}<th><tr><th>a<td>1<td><tr><th><td>2<td>3</table>{p}"
    ),
    "tables with wrong scopes": (
        "{p}<table><thead><tr><th scope=banana>{word}<th scope=row>b<tbody><tr><td headers=nowhere>"
        "1<td scope=col>2<tr><td>3<td>4</table>{p}"
    ),
    "tables with captions": (
        "{p}<table summary='{word}'><caption>{word}</caption><tr><th>{word}<th>b<tr><td>1<td>2"
        "</table><table><caption></caption><tr><td>1<td>2<tr><td>3<td>4</table>{p}"
    ),
    "tables for layout": (
        "<table border=0 width=100%><tr><td bgcolor=#ccc>{word}<td><h1>{headline}</h1>{p}"
        "<table><tr><td>{p}<td>{p}</table></table>"
    ),
    "wide tables and code": (
        "{p}<table><tr>" + "<th>{word}" * 12 + "<tr>" + "<td>1234567890" * 12 + "</table>"
        "<pre>" + "a_long_line = of_code() " * 12 + "</pre>{p}"
    ),
    "lists of anything": (
        "{p}<ul>{word}<li>{word}<p>{word}</p><div><li>{word}</div><ol><li>{word}</ol></ul>"
        "<dl><dd>{word}<dt>{word}<div>{word}</div></dl><dl><dt>{word}</dl><li>{word}{p}"
    ),
    "definitions": "{p}<dl><dt>{word}<dd>a<dd>b<dt>{word} 2<dd><p>c</p></dl>{p}",
    "doubled names": "{p}<p id=a>{word}</p><p id=a><a href=#a>{word}</a></p><a id=a></a>{p}",
    "aria gone wrong": (
        "{p}<p role=banana aria-labelledby=nowhere>{word}</p><ul role=menu><li role=tab>{word}</ul>"
        "<div role=button tabindex=5>{word}</div><p aria-hidden=true><a href=x>{word}</a></p>"
        "<img role=presentation src=a.png alt='{word}'><span aria-live=assertive>{word}</span>{p}"
    ),
    "order by tabindex": "{p}<p tabindex=9>{word}</p><a tabindex=3 href=a>{word}</a>{p}",
    "colours of its own": (
        "<body bgcolor=yellow text=#eee link=#ff0><p style='color:#eee'>{word}</p>"
        "<font color=#ddd>{word}</font><mark>{word}</mark>{p}"
        "<a style='color:white' href=x>{word}</a>{p}"
    ),
    "frames and players": (
        "{p}<iframe src=https://video.example/a></iframe><video src=a.mp4></video><audio controls>"
        "<source src=a.ogg></audio><embed src=a.swf><object data=a.svg>{word}</object>{p}"
    ),
    "drawings": (
        "{p}<svg width=200 height=90 viewBox='0 0 200 90'><text x=9 y=50>{word}</text><a href=x>"
        "<text x=9 y=80>{word}</text></a></svg><figure><svg width=99 height=99>"
        "<circle r=9 cx=9 cy=9 /><rect width=9 height=9 /></svg>"
        "<figcaption>{word}</figcaption></figure>{p}"
    ),
    "formulas": (
        "{p}<math display=block><mfrac><mi>a</mi><mn>2</mn></mfrac></math><p>{word} <math><msup>"
        "<mi>x</mi><mn>2</mn></msup></math></p>{p}"
    ),
    "footnotes": (
        "{p}<p>{word}<sup><a href=#n1 id=r1>1</a></sup></p>{p}<ol><li id=n1>{word} "
        "<a href=#r1>↩</a></ol>"
    ),
    "details and dialogs": (
        "{p}<details><summary></summary>{p}</details><details>{p}</details><dialog open>{word}"
        "</dialog><details open><summary><h2>{word}</h2></summary>{p}</details>{p}"
    ),
    "languages inside": (
        "{p}<p lang=fr>Il pleut enfin sur la ville.</p><p lang=zz-99>{word}</p>"
        "<p lang=''>{word}</p><blockquote lang=ar dir=rtl>عاد المطر إلى المدينة.</blockquote>"
        "<bdo dir=rtl>{word}</bdo>{p}"
    ),
    "same words, other targets": (
        "{p}<p><a href=/a>Read more</a> <a href=/b>Read more</a> <a href=/c>here</a></p>{p}"
    ),
    "nothing but text": "{headline}<br><br>{sentence}<br><br>{sentence}",
    "unclosed": "<h1>{headline}<p>{sentence}<b><i>{sentence}<table><tr><td>{word}<ul><li>{word}",
    "very deep": "<div>" * 60 + "<h1>{headline}</h1>{p}" + "<blockquote>" * 20 + "{p}",
    "marquee and blink": (
        "<center><h1>{headline}</h1></center><marquee>{word}</marquee><blink>{p}</blink>{p}"
    ),
    "ruby": (
        "<h1>{headline}</h1><p><ruby>雨<rp>(</rp><rt>あめ</rt><rp>)</rp></ruby> {sentence}</p>{p}"
    ),
    "abbreviations": (
        "{p}<p><abbr title='World Health Organization'>WHO</abbr> <acronym>UN</acronym></p>{p}"
    ),
    "quotes and lines": (
        "{p}<blockquote>{word}<hr>{word}</blockquote><hr><q>{word}</q><pre></pre>{p}"
    ),
    "a title that says nothing": "<title></title>{p}{p}",
}


def pages() -> Iterator[tuple[str, str]]:
    """Names and pages: 20 in ten languages, 9 with broken structure, 31 with hard parts."""
    for tongue in TONGUES:
        for name, structure in STRUCTURES.items():
            yield f"{name} {tongue.code}", _page(tongue, f"<article>{structure}</article>")
    for number, (name, structure) in enumerate({**BROKEN, **PARTS}.items()):
        yield name, _page(TONGUES[number % len(TONGUES)], structure)


def _page(tongue: Tongue, structure: str) -> str:
    body = structure.format(
        p=tongue.paragraph,
        headline=tongue.headline,
        sentence=tongue.sentence,
        word=tongue.word,
    )
    direction = f" dir={tongue.direction}" if tongue.direction else ""
    return (
        f"<!doctype html><html lang={tongue.code}{direction}><meta charset=utf-8>"
        f"<title>{tongue.headline}</title>{body}"
    )
